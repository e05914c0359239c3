//! Light from all around, and how much of it folds and bodies keep away.
//!
//! Points and normals in → light and the hidden share. Depth maps from directions spread evenly
//! over the sphere; each serves a direction and its opposite.

use std::f32::consts::TAU;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::depth_map::DepthMap;
use super::floor_light::Reaching;
use super::surface::Surface;

/// Maps (half as many as directions), and texels along their sides.
const MAPS: usize = 32;
const SIZE: usize = 160;
/// How far a point is lifted off its surface, in texels.
const LIFT: f32 = 2.0;

/// Light from straight above, from the horizon, and from below; the mean over the upper half is
/// about 1.
const ZENITH: Vec3 = Vec3::new(1.02, 1.08, 1.16);
const HORIZON: Vec3 = Vec3::new(0.88, 0.88, 0.88);
const BELOW: Vec3 = Vec3::new(0.46, 0.44, 0.42);

/// Light from all around.
pub(super) struct SkyLight {
    pub up: Vec3,
    maps: Vec<DepthMap>,
    lift: f32,
}

impl SkyLight {
    pub fn new(surface: &Surface, up: Vec3) -> Self {
        let (right, ahead) = up.any_orthonormal_pair();
        let maps: Vec<DepthMap> = (0..MAPS)
            .into_par_iter()
            .map(|i| {
                // Equal steps of height are equal areas of the sphere.
                let height = (i as f32 + 0.5) / MAPS as f32;
                let (sin, cos) = (TAU * 0.618_034 * i as f32).sin_cos();
                let flat = (1.0 - height * height).sqrt();
                let toward = (height * up + flat * (cos * right + sin * ahead)).normalize();
                DepthMap::new(surface, toward, SIZE, true)
            })
            .collect();
        let lift = LIFT * maps.iter().map(DepthMap::texel).fold(0.0, f32::max);
        Self { up, maps, lift }
    }

    /// Light on the front and on the back of each vertex (red, green, blue), and which share of
    /// the view is hidden.
    pub fn on_vertices(&self, surface: &Surface) -> Vec<[Vec4; 2]> {
        let vertices = surface.positions.par_iter().zip(&surface.normals);
        vertices.map(|(&p, &n)| [self.on(p + self.lift * n, n), self.on(p - self.lift * n, -n)]).collect()
    }

    /// Which part of the light reaches a point of the floor.
    pub fn on_floor(&self, point: Vec3) -> Reaching {
        Reaching::mean(self.maps.iter().map(|map| (map.toward().dot(self.up), map.reaching(point))))
    }

    /// The angle between neighbouring directions, radians.
    pub fn spacing(&self) -> f32 {
        (0.5 * TAU / self.maps.len() as f32).sqrt()
    }

    /// Light on a free point with a normal, and which share of the view is hidden.
    pub fn on(&self, point: Vec3, normal: Vec3) -> Vec4 {
        let (mut light, mut free, mut whole) = (Vec3::ZERO, 0.0, 0.0);
        for map in &self.maps {
            let cosine = map.toward().dot(normal);
            let (visible, height) = if cosine >= 0.0 {
                (map.visible(point), map.toward().dot(self.up))
            } else {
                (map.visible_opposite(point), -map.toward().dot(self.up))
            };
            let weight = cosine.abs();
            whole += weight;
            free += weight * visible;
            light += weight * visible * radiance(height);
        }
        let whole = f32::max(whole, 1e-6);
        (light / whole).extend(1.0 - free / whole)
    }
}

/// Light from a direction of a given height: 1 is straight above.
fn radiance(height: f32) -> Vec3 {
    // A soft horizon: directions just below it would flicker otherwise.
    let below = (0.5 - 3.0 * height).clamp(0.0, 1.0);
    HORIZON.lerp(ZENITH, height.max(0.0)).lerp(BELOW, below)
}
