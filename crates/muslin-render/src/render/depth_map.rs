//! How far the surface reaches towards a direction: what a parallel light sees.

use std::cell::Cell;

use glam::Vec3;

use super::floor_light::Reaching;
use super::scan::{Corner, Window, scan};
use super::surface::Surface;

/// Depths of the surface seen along a direction, in a square of texels around it.
pub(super) struct DepthMap {
    right: Vec3,
    above: Vec3,
    toward: Vec3,
    /// Coordinates of the first texel's middle, and texels per metre.
    origin: [f32; 2],
    scale: f32,
    size: usize,
    /// Metres along `toward`: of the point nearest to the light, and of the farthest from it.
    first: Vec<f32>,
    last: Vec<f32>,
}

impl DepthMap {
    /// The map seen from `toward` (unit length). The far side is only kept if asked for.
    pub fn new(surface: &Surface, toward: Vec3, size: usize, both_sides: bool) -> Self {
        let (right, above) = toward.any_orthonormal_pair();
        let flat: Vec<Vec3> =
            surface.positions.iter().map(|p| Vec3::new(p.dot(right), p.dot(above), p.dot(toward))).collect();
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = flat.iter().fold(start, |(low, high), &p| (low.min(p), high.max(p)));
        let extent = (high - low).truncate().max_element().max(1e-6);
        let extent = if extent.is_finite() { extent } else { 1.0 };
        // One free texel around the surface.
        let scale = (size - 4) as f32 / extent;
        let origin = [low.x - 1.5 / scale, low.y - 1.5 / scale];
        let texels = size * size;
        let mut map = Self {
            right,
            above,
            toward,
            origin,
            scale,
            size,
            first: vec![f32::NEG_INFINITY; texels],
            last: if both_sides { vec![f32::INFINITY; texels] } else { Vec::new() },
        };
        map.draw(surface, &flat, both_sides);
        map
    }

    fn draw(&mut self, surface: &Surface, flat: &[Vec3], both_sides: bool) {
        let (size, scale, [x, y]) = (self.size, self.scale, self.origin);
        let window = Window { low: [0, 0], high: [size as i64; 2] };
        let corner = |v: u32| {
            let p = flat[v as usize];
            Corner { x: (p.x - x) * scale + 0.5, y: (p.y - y) * scale + 0.5, depth: p.z }
        };
        let (first, last) = (&mut self.first, &mut self.last);
        for triangle in &surface.triangles {
            scan(triangle.vertices.map(corner), &window, |x, y, depth| {
                let at = y * size + x;
                first[at] = first[at].max(depth);
                if both_sides {
                    last[at] = last[at].min(depth);
                }
            });
        }
    }

    /// The direction it is seen from.
    pub fn toward(&self) -> Vec3 {
        self.toward
    }

    /// The width of a texel in metres.
    pub fn texel(&self) -> f32 {
        1.0 / self.scale
    }

    /// Which part of the way from a point towards the light is free, 0 to 1, blended between the
    /// four texels around it.
    #[inline]
    pub fn visible(&self, point: Vec3) -> f32 {
        let depth = point.dot(self.toward);
        self.share(point, |at| f32::from(self.first[at] <= depth))
    }

    /// The same in the opposite direction.
    #[inline]
    pub fn visible_opposite(&self, point: Vec3) -> f32 {
        let depth = point.dot(self.toward);
        self.share(point, |at| f32::from(self.last[at] >= depth))
    }

    /// [`DepthMap::visible`], and how far away what is in the way is, in metres.
    #[inline]
    pub fn reaching(&self, point: Vec3) -> Reaching {
        let depth = point.dot(self.toward);
        let highest = Cell::new(depth);
        let share = self.share(point, |at| {
            highest.set(highest.get().max(self.first[at]));
            f32::from(self.first[at] <= depth)
        });
        Reaching { share, distance: highest.get() - depth }
    }

    #[inline(always)]
    fn share(&self, point: Vec3, free: impl Fn(usize) -> f32) -> f32 {
        let Some((at, [x, y])) = self.around(point) else { return 1.0 };
        let upper = free(at) * (1.0 - x) + free(at + 1) * x;
        let lower = free(at + self.size) * (1.0 - x) + free(at + self.size + 1) * x;
        upper * (1.0 - y) + lower * y
    }

    /// The first of the four texels around a point, and where between them it lies.
    #[inline(always)]
    fn around(&self, point: Vec3) -> Option<(usize, [f32; 2])> {
        let x = (point.dot(self.right) - self.origin[0]) * self.scale;
        let y = (point.dot(self.above) - self.origin[1]) * self.scale;
        let end = (self.size - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < end && y < end) {
            return None;
        }
        let (column, row) = (x as usize, y as usize);
        Some((row * self.size + column, [x - column as f32, y - row as f32]))
    }
}
