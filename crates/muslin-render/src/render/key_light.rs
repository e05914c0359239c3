//! The main light: a small disc in the sky, so that its shadows are sharp where things touch and
//! soft far away.
//!
//! The disc is a set of points with a depth map each. Rejected: one map with a filter as wide as
//! the penumbra, which leaks light through thin cloth or is noisy.

use std::f32::consts::TAU;

use glam::Vec3;
use rayon::prelude::*;

use super::depth_map::DepthMap;
use super::floor_light::Reaching;
use super::surface::Surface;

/// Points on the disc.
const POINTS: usize = 16;
/// Texels along the side of a map for a picture of 720 rows.
pub(super) const SIZE: usize = 512;
/// How far a point is lifted off its surface, in texels, so that it does not shade itself.
const LIFT: f32 = 1.6;

/// The main light.
pub(super) struct KeyLight {
    /// Towards its middle.
    pub toward: Vec3,
    /// Radius of the disc, as a tangent.
    pub radius: f32,
    maps: Vec<DepthMap>,
    lift: f32,
}

impl KeyLight {
    /// A light of `radius_degrees` with maps of `size` texels along a side.
    pub fn new(surface: &Surface, toward: Vec3, radius_degrees: f32, size: usize) -> Self {
        let (right, above) = toward.any_orthonormal_pair();
        let radius = radius_degrees.to_radians().tan();
        let points = if radius > 0.0 { POINTS } else { 1 };
        let maps: Vec<DepthMap> = (0..points)
            .into_par_iter()
            .map(|i| {
                // A sunflower: equal areas, no two points in line.
                let distance = radius * ((i as f32 + 0.5) / points as f32).sqrt();
                let (sin, cos) = (TAU * 0.618_034 * i as f32).sin_cos();
                let point = toward + distance * (cos * right + sin * above);
                DepthMap::new(surface, point.normalize(), size, false)
            })
            .collect();
        let lift = LIFT * maps.iter().map(DepthMap::texel).fold(0.0, f32::max);
        Self { toward, radius, maps, lift }
    }

    /// Which part of the light reaches a point of the surface.
    pub fn reaching(&self, point: Vec3, normal: Vec3) -> f32 {
        let side = if normal.dot(self.toward) < 0.0 { -1.0 } else { 1.0 };
        let lifted = point + side * self.lift * normal;
        let sum: f32 = self.maps.iter().map(|map| map.visible(lifted)).sum();
        sum / self.maps.len() as f32
    }

    /// Which part of the light reaches a point of the floor.
    pub fn on_floor(&self, point: Vec3) -> Reaching {
        let all = self.maps.iter().map(|map| (1.0, map.reaching(point)));
        Reaching::mean(all)
    }

    /// The angle between neighbouring points of the disc, radians.
    pub fn spacing(&self) -> f32 {
        self.radius / (self.maps.len() as f32).sqrt()
    }
}
