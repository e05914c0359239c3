//! Where there is something to see, and how the key light sees it.

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};
use muslin_render::Bounds;

use super::frame::lens;
use super::{Scenery, View};

/// What light and ground are arranged around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Away from the ground, of length one.
    pub up: Vec3,
    /// Towards the key light, of length one.
    pub toward: Vec3,
    /// The middle of what is to see.
    pub middle: Vec3,
    /// What is nearer to the middle than this casts and catches shadows.
    pub radius: f32,
    /// To the shadow map: -1 to 1 across, 0 to 1 away from the light.
    pub shadow: Mat4,
    /// Metres per texel of the shadow map.
    pub texel: f32,
}

impl Stage {
    /// For a shadow map of so many texels along a side. `bounds` are those of everything, where they are known.
    pub fn new(scenery: &Scenery, view: &View, aspect: f32, bounds: Option<Bounds>, texels: u32) -> Self {
        let up = scenery.up.normalize_or(Vec3::Y);
        let toward = toward_light(up);
        // A ball that fills the picture, or one around everything if that is smaller.
        let distance = view.eye.distance(view.target).max(1e-4);
        let seen = (view.target, 1.2 * distance * lens(view) * aspect.max(1.0));
        let all = bounds.filter(|b| !b.is_empty());
        let all = all.map(|b| (0.5 * (b.min + b.max), (0.5 * (b.max - b.min).length()).max(1e-4)));
        let (middle, radius) = all.filter(|all| all.1 < seen.1).unwrap_or(seen);
        // Steps in size and place of whole texels: shadows do not crawl while the camera or the cloth moves.
        let radius = (0.25 * (4.0 * radius.log2()).ceil()).exp2();
        let texel = 2.0 * radius / texels as f32;
        let light = look_to_mat4(Vec3::ZERO, -toward, up.any_orthonormal_vector());
        let from_light = light.transpose();
        let center = (light.transform_vector3(middle) / texel).round() * texel;
        let center = from_light.transform_vector3(center);
        let look = look_to_mat4(center + 2.0 * radius * toward, -toward, up.any_orthonormal_vector());
        let shadow = orthographic(-radius, radius, -radius, radius, 0.0, 4.0 * radius) * look;
        Self { up, toward, middle, radius, shadow, texel }
    }
}

/// From the left in front and above, as seen by the camera that frames a scene when nothing is said of it
/// ([`muslin_render::Camera::framing`]). The light stays when the camera moves.
fn toward_light(up: Vec3) -> Vec3 {
    let front = if up.z.abs() > 0.9 { Vec3::NEG_Y } else { Vec3::Z };
    let front = front.reject_from_normalized(up).normalize_or(up.any_orthonormal_vector());
    let side = up.cross(front);
    (up + 0.62 * front - 0.5 * side).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_holds_the_stage_and_moves_by_whole_texels() {
        let scenery = Scenery { up: Vec3::Y, sheets: vec![], solids: vec![], ground: None, marks: vec![] };
        let view = |x: f32| View {
            eye: Vec3::new(x, 1.0, 3.0),
            target: Vec3::new(x, 0.5, 0.0),
            up: Vec3::Y,
            fov_degrees: 30.0,
        };
        let bounds = Bounds { min: Vec3::splat(-0.3), max: Vec3::splat(0.4) };
        let stage = Stage::new(&scenery, &view(0.0), 1.5, Some(bounds), 1024);
        for corner in 0..8 {
            let pick = |i: usize| if corner >> i & 1 == 0 { -0.3 } else { 0.4 };
            let at = stage.shadow.project_point3(Vec3::new(pick(0), pick(1), pick(2)));
            assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0 && (0.0..=1.0).contains(&at.z), "{at}");
        }
        let there = Stage::new(&scenery, &view(0.1234), 1.5, None, 1024);
        let here = Stage::new(&scenery, &view(0.0), 1.5, None, 1024);
        assert_eq!(here.radius, there.radius);
        let moved = 512.0 * (there.shadow.w_axis - here.shadow.w_axis).truncate();
        assert!((moved - moved.round()).truncate().length() < 1e-2 && moved.length() > 1.0, "{moved}");
    }
}
