//! The floor: its colour, and the light that the surface keeps from it.

use glam::{Vec2, Vec3};

use super::floor_light::FloorLight;
use super::key_light::KeyLight;
use super::sky_light::SkyLight;
use super::surface::Surface;
use super::view::View;
use crate::{Bounds, Ground};

/// Points along a side of the grids of light from the sky and, for 720 rows, from the main light.
const SKY_POINTS: usize = 144;
const KEY_POINTS: usize = 320;
/// How far the light from the sky is computed, and how far a shadow may reach, in radii.
const SKY_REACH: f32 = 2.6;
const KEY_REACH: f32 = 6.0;
/// From where to where the floor fades, in radii.
const FADE: [f32; 2] = [2.0, 9.0];

/// The floor.
pub(super) struct Floor {
    plane: Plane,
    color: Vec3,
    radius: f32,
    sky: FloorLight,
    key: FloorLight,
    /// Shares of the light from the sky and from the main light where nothing is in the way.
    shares: [f32; 2],
}

/// The plane of the floor with coordinates along it.
struct Plane {
    height: f32,
    up: Vec3,
    /// The point below the middle of the scene, and two directions.
    middle: Vec3,
    axes: [Vec3; 2],
}

impl Plane {
    fn point(&self, at: Vec2) -> Vec3 {
        self.middle + at.x * self.axes[0] + at.y * self.axes[1]
    }

    fn coordinates(&self, point: Vec3) -> Vec2 {
        let offset = point - self.middle;
        Vec2::new(offset.dot(self.axes[0]), offset.dot(self.axes[1]))
    }

    /// The rectangle that the shadow of a box falls into.
    fn shadow(&self, bounds: &Bounds, key: &KeyLight, most: f32) -> [Vec2; 2] {
        let mut area = [Vec2::INFINITY, Vec2::NEG_INFINITY];
        for corner in bounds.corners() {
            let height = (corner.dot(self.up) - self.height).max(0.0);
            let steps = height / key.toward.dot(self.up).max(0.05);
            let at = self.coordinates(corner - steps * key.toward);
            let soft = Vec2::splat(2.0 * steps * key.radius);
            area = [area[0].min(at - soft), area[1].max(at + soft)];
        }
        area.map(|end| end.clamp(Vec2::splat(-most), Vec2::splat(most)))
    }
}

impl Floor {
    /// The floor below a surface, under lights of given strengths on it.
    pub fn new(
        ground: &Ground,
        surface: &Surface,
        view: &View,
        (sky, sky_strength): (&SkyLight, f32),
        (key, key_strength): (&KeyLight, f32),
    ) -> Self {
        let bounds = &surface.bounds;
        let (up, (center, radius)) = (sky.up, bounds.sphere());
        let (right, ahead) = up.any_orthonormal_pair();
        let middle = center + (ground.height - center.dot(up)) * up;
        let plane = Plane { height: ground.height, up, middle, axes: [right, ahead] };

        let around = [-1.0, 1.0].map(|side| Vec2::splat(side * SKY_REACH * radius));
        let on_sky = FloorLight::new(around, SKY_POINTS, sky.spacing(), |at| sky.on_floor(plane.point(at)));
        let shadow = plane.shadow(bounds, key, KEY_REACH * radius);
        let points = view.detail(KEY_POINTS);
        let on_key = FloorLight::new(shadow, points, key.spacing(), |at| key.on_floor(plane.point(at)));
        let sum = (sky_strength + key_strength).max(1e-6);
        let (color, shares) = (ground.color.linear(), [sky_strength / sum, key_strength / sum]);
        Self { plane, color, radius, sky: on_sky, key: on_key, shares }
    }

    /// Where a line of sight meets the floor; `None` from below it and above the horizon.
    pub fn hit(&self, eye: Vec3, ray: Vec3) -> Option<Vec3> {
        let (above, falling) = (eye.dot(self.plane.up) - self.plane.height, -ray.dot(self.plane.up));
        let steps = above / falling;
        (above > 0.0 && falling > 0.0 && steps.is_finite()).then(|| eye + steps * ray)
    }

    /// Whether a point is clearly below the floor. A cloth that lies on it may dip into it a little.
    pub fn hides(&self, point: Vec3) -> bool {
        point.dot(self.plane.up) < self.plane.height - 0.01 * self.radius
    }

    /// The colour of a point of the floor. Far away it is that of the background.
    pub fn color(&self, point: Vec3, background: Vec3) -> Vec3 {
        let at = self.plane.coordinates(point);
        let distance = at.length() / self.radius;
        let far = ((distance - FADE[0]) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
        if far >= 1.0 {
            return background;
        }
        // The sky's grid ends where hardly anything is hidden; this hides the end.
        let border = at.abs().max_element() / (SKY_REACH * self.radius);
        let edge = ((border - 0.5) / 0.5).clamp(0.0, 1.0);
        let free = self.sky.at(at);
        let light = self.shares[0] * (free + (1.0 - free) * edge * edge) + self.shares[1] * self.key.at(at);
        (self.color * light).lerp(background, far * far * (3.0 - 2.0 * far))
    }
}
