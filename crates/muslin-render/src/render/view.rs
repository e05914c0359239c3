//! The camera as numbers: from points to samples of the picture, and from samples to rays.

use glam::{Vec2, Vec3};

use crate::{Camera, RenderError, RenderOptions};

/// A camera with a picture before it. Positions in the picture are in samples.
pub(super) struct View {
    pub eye: Vec3,
    pub forward: Vec3,
    pub right: Vec3,
    pub above: Vec3,
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Samples along a side of a pixel.
    pub samples: usize,
    /// Nothing nearer than this is drawn, metres.
    pub near: f32,
    /// Half the width and height of the picture one metre before the eye.
    half: Vec2,
}

impl View {
    pub fn new(camera: &Camera, options: &RenderOptions) -> Result<Self, RenderError> {
        camera.check()?;
        let sight = camera.target - camera.eye;
        let forward = sight.normalize();
        let up = camera.up.try_normalize().unwrap_or(Vec3::Y);
        // Straight down or up, any direction will do.
        let right = forward.cross(up).try_normalize().unwrap_or(forward.any_orthonormal_vector());
        let above = right.cross(forward);
        let tangent = (0.5 * camera.fov_degrees).to_radians().tan();
        Ok(Self {
            eye: camera.eye,
            forward,
            right,
            above,
            size: [options.width as usize, options.height as usize],
            samples: options.samples as usize,
            near: 1e-3 * sight.length(),
            half: Vec2::new(tangent * options.aspect(), tangent),
        })
    }

    /// Width and height in samples.
    pub fn sample_size(&self) -> [usize; 2] {
        self.size.map(|s| s * self.samples)
    }

    /// How many of the points of a grid or map a picture of this size needs.
    pub fn detail(&self, points: usize) -> usize {
        let share = self.size[1] as f32 / 720.0;
        (points as f32 * share.clamp(0.5, 1.5)) as usize
    }

    /// Homogeneous coordinates: within the picture x and y are from −z to z, z is the distance
    /// along the line of sight.
    pub fn project(&self, point: Vec3) -> Vec3 {
        let relative = point - self.eye;
        let [x, y] = [relative.dot(self.right) / self.half.x, relative.dot(self.above) / self.half.y];
        Vec3::new(x, y, relative.dot(self.forward))
    }

    /// The place in the picture of projected coordinates.
    pub fn place(&self, projected: Vec3) -> Vec2 {
        let [width, height] = self.sample_size().map(|s| s as f32);
        let inverse = 1.0 / projected.z;
        let (x, y) = (projected.x * inverse, projected.y * inverse);
        Vec2::new(0.5 * width * (1.0 + x), 0.5 * height * (1.0 - y))
    }

    /// The direction of sight at a place in the picture, one metre along the axis.
    pub fn ray(&self, place: Vec2) -> Vec3 {
        let [width, height] = self.sample_size().map(|s| s as f32);
        let x = (2.0 * place.x / width - 1.0) * self.half.x;
        let y = (1.0 - 2.0 * place.y / height) * self.half.y;
        self.forward + x * self.right + y * self.above
    }
}
