//! What all shaders of a picture know, as `Frame` in `shaders/frame.wgsl`: from scenery, camera and options.

use bytemuck::{Pod, Zeroable};
use glam::camera::rh::proj::directx::perspective_infinite_reverse;
use glam::{Mat4, Vec2, Vec3};
use muslin_render::Color;

use super::stage::Stage;
use super::{Options, Scenery, View};

/// Half the angle under which the key light is seen, degrees: how soft its shadows are.
const LIGHT_RADIUS: f32 = 3.2;
/// How far ambient occlusion reaches, as a part of half the picture's height around the target.
const REACH: f32 = 0.3;
/// The nearest that is drawn, as a part of the way to the target.
const NEAR: f32 = 0.01;

/// The uniform.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Frame {
    clip: Mat4,
    look: Mat4,
    shadow: Mat4,
    eye: Vec3,
    near: f32,
    toward: Vec3,
    softness: f32,
    up: Vec3,
    ground_height: f32,
    middle: Vec3,
    radius: f32,
    key: Vec3,
    texel: f32,
    sky: Vec3,
    reach: f32,
    bounce: Vec3,
    unused: f32,
    top: Vec3,
    scale: f32,
    horizon: Vec3,
    unused_too: f32,
    ground: Vec3,
    unused_either: f32,
    lens: Vec2,
    size: Vec2,
}

/// Light and colours of surroundings, linear.
struct Surroundings {
    key: Vec3,
    sky: Vec3,
    bounce: Vec3,
    top: Vec3,
    horizon: Vec3,
    /// What the ground's colour is multiplied by.
    ground: f32,
}

impl Surroundings {
    fn new(is_dark: bool) -> Self {
        let warm = linear(Color::rgb(255, 244, 228));
        if is_dark {
            return Self {
                key: 1.0 * warm,
                sky: 0.34 * linear(Color::rgb(206, 222, 255)),
                bounce: 0.13 * linear(Color::rgb(236, 232, 255)),
                top: linear(Color::rgb(17, 20, 26)),
                horizon: linear(Color::rgb(48, 52, 60)),
                ground: 0.13,
            };
        }
        Self {
            key: 0.86 * warm,
            sky: 0.62 * linear(Color::rgb(236, 240, 250)),
            bounce: 0.36 * linear(Color::rgb(255, 243, 230)),
            top: linear(Color::rgb(168, 188, 208)),
            horizon: linear(Color::rgb(230, 232, 233)),
            ground: 1.0,
        }
    }
}

impl Frame {
    /// For a target of so many pixels, `scale` of them for each of the picture.
    pub fn new(
        scenery: &Scenery,
        view: &View,
        options: &Options,
        stage: &Stage,
        size: [u32; 2],
        scale: f32,
    ) -> Self {
        let size = Vec2::new(size[0] as f32, size[1] as f32);
        let half = lens(view);
        let distance = view.eye.distance(view.target).max(1e-4);
        let (look, near) = (view.look(), NEAR * distance);
        let project = perspective_infinite_reverse(2.0 * half.atan(), size.x / size.y, near);
        let colors = Surroundings::new(options.dark);
        let ground = scenery.ground.map_or(Vec3::ONE, |ground| linear(ground.color));
        Self {
            clip: project * look,
            look,
            shadow: stage.shadow,
            eye: view.eye,
            near,
            toward: stage.toward,
            softness: LIGHT_RADIUS.to_radians().tan(),
            up: stage.up,
            ground_height: scenery.ground.map_or(0.0, |ground| ground.height),
            middle: stage.middle,
            radius: stage.radius,
            key: colors.key,
            texel: stage.texel,
            sky: colors.sky,
            reach: REACH * half * distance,
            bounce: colors.bounce,
            unused: 0.0,
            top: colors.top,
            scale,
            horizon: colors.horizon,
            unused_too: 0.0,
            ground: colors.ground * ground,
            unused_either: 0.0,
            lens: half * Vec2::new(size.x / size.y, 1.0),
            size,
        }
    }
}

/// Half the picture's height at distance 1.
pub fn lens(view: &View) -> f32 {
    (0.5 * view.fov_degrees.clamp(0.1, 170.0).to_radians()).tan()
}

/// The amount of light in each channel.
pub fn linear(color: Color) -> Vec3 {
    let decode = |byte: u8| {
        let v = f32::from(byte) / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    };
    Vec3::from(color.0.map(decode))
}
