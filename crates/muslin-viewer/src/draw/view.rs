//! From where a scenery is seen, and the lines of sight through its picture.

use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec2, Vec3};

/// A camera in the scenery's coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where it is.
    pub eye: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// What is up in the picture; need not be at right angles to the line of sight.
    pub up: Vec3,
    /// Vertical field of view, degrees.
    pub fov_degrees: f32,
}

/// A line of sight in the scenery's coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Where it leads; of any length above zero.
    pub direction: Vec3,
}

impl View {
    /// Where it looks, of length one.
    pub fn forward(&self) -> Vec3 {
        (self.target - self.eye).normalize_or(Vec3::NEG_Z)
    }

    /// The line of sight through a place of the picture: (0, 0) is its upper left corner, (1, 1) its lower right one.
    pub fn ray(&self, place: Vec2, aspect: f32) -> Ray {
        let forward = self.forward();
        let right = forward.cross(self.up).normalize_or(forward.any_orthonormal_vector());
        let up = right.cross(forward);
        let half = (0.5 * self.fov_degrees.to_radians()).tan();
        let (x, y) = (2.0 * place.x - 1.0, 1.0 - 2.0 * place.y);
        Ray { origin: self.eye, direction: forward + half * (aspect * x * right + y * up) }
    }

    /// Where a point is in the picture, as in [`View::ray`]; `None` behind the camera.
    pub fn project(&self, point: Vec3, aspect: f32) -> Option<Vec2> {
        let seen = self.look().transform_point3(point);
        let half = (0.5 * self.fov_degrees.to_radians()).tan();
        (seen.z < 0.0).then(|| {
            let place = Vec2::new(seen.x / aspect, seen.y) / (-seen.z * half);
            Vec2::new(0.5 + 0.5 * place.x, 0.5 - 0.5 * place.y)
        })
    }

    /// From the scenery to the camera, which looks along -z with y up.
    pub fn look(&self) -> Mat4 {
        let forward = self.forward();
        let up = if forward.cross(self.up).length_squared() > 1e-12 {
            self.up
        } else {
            forward.any_orthonormal_vector()
        };
        look_to_mat4(self.eye, forward, up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_lies_on_the_ray_through_its_place() {
        let view = View {
            eye: Vec3::new(1.0, 2.0, 3.0),
            target: Vec3::new(0.2, 0.5, -0.3),
            up: Vec3::Y,
            fov_degrees: 40.0,
        };
        let point = Vec3::new(0.5, 0.3, -1.0);
        let place = view.project(point, 1.6).unwrap();
        let ray = view.ray(place, 1.6);
        let off = (point - ray.origin).reject_from(ray.direction);
        assert!(off.length() < 1e-5, "{off}");
        assert_eq!(view.project(view.eye - view.forward(), 1.6), None);
    }
}
