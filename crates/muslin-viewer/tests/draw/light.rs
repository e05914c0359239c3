//! Light and shadow.

use glam::Vec3;
use muslin_viewer::draw::{Options, View};

use super::device::{OPTIONS, Studio};
use super::scenes::{TOWARD_LIGHT, VIEW, scenery, sheet};

/// Where the shadow of a point falls on the ground.
fn shadow(point: Vec3) -> [f32; 3] {
    (point - TOWARD_LIGHT * point.y).into()
}

/// A small level sheet at a height.
fn roof(height: f32) -> muslin_viewer::draw::Sheet {
    sheet(6, move |at| Vec3::new(0.5 * at.x, height, -0.5 * at.y))
}

const HIGH: View = View { eye: Vec3::new(0.0, 2.6, 2.6), target: Vec3::new(0.2, 0.1, 0.0), ..VIEW };

#[test]
fn the_ground_is_darker_where_cloth_is_before_the_light() {
    let mut studio = Studio::new();
    let scene = scenery(vec![roof(0.6)], vec![]);
    for options in [OPTIONS, Options { soft_light: false, ..OPTIONS }, Options { dark: true, ..OPTIONS }] {
        let shot = studio.picture(&scene, &HIGH, &options);
        let inside = shadow(Vec3::new(0.0, 0.6, 0.0));
        let dark = shot.brightness(inside);
        let lit = shot.brightness([inside[0] - 0.5, 0.0, inside[2]]);
        assert!(dark < 0.85 * lit && dark > 0.2 * lit, "{options:?}: {dark} and {lit}");
    }
}

#[test]
fn shadows_are_softer_the_farther_they_fall_and_only_with_soft_light() {
    let mut studio = Studio::new();
    let mut border = |height: f32, soft_light| {
        let scene = scenery(vec![roof(height)], vec![]);
        let shot = studio.picture(&scene, &HIGH, &Options { soft_light, ..OPTIONS });
        // Across the shadow's left side: how many pixels are neither dark nor bright.
        let at = shadow(Vec3::new(-0.25, height, 0.0));
        let row: Vec<f32> =
            (-60..60).map(|i| shot.brightness([at[0] + 0.004 * i as f32, 0.0, at[2]])).collect();
        let (dark, bright) = (row[119], row[0]);
        assert!(bright - dark > 25.0, "{bright} and {dark}");
        let is_between =
            |b: &&f32| **b > dark + 0.15 * (bright - dark) && **b < bright - 0.15 * (bright - dark);
        row.iter().filter(is_between).count()
    };
    let (near, far, hard) = (border(0.15, true), border(0.8, true), border(0.8, false));
    assert!(far > 2 * near.max(1) && far > 2 * hard.max(1), "{near}, {far}, {hard}");
}

#[test]
fn a_fold_is_darker_inside_with_soft_light() {
    let mut studio = Studio::new();
    // A gutter whose sides rise at 60 degrees.
    let scene = scenery(vec![sheet(32, |at| Vec3::new(0.5 * at.x, 0.2 + 0.85 * at.x.abs(), -at.y))], vec![]);
    let view = View { eye: Vec3::new(0.0, 3.0, 0.6), target: Vec3::new(0.0, 0.3, 0.0), ..VIEW };
    let mut inside = |soft_light| {
        let shot = studio.picture(&scene, &view, &Options { soft_light, ..OPTIONS });
        // The right side, which the light reaches: at the bottom and at the rim.
        let [bottom, rim] = [0.02_f32, 0.2].map(|x| shot.brightness([x, 0.2 + 1.7 * x, 0.0]));
        bottom / rim
    };
    let (soft, hard) = (inside(true), inside(false));
    assert!(soft < 0.93 * hard, "{soft} and {hard}");
}

#[test]
fn a_smooth_ball_of_few_triangles_has_no_steps_of_shadow_on_itself() {
    let mut studio = Studio::new();
    let mesh = muslin::mesh::generate::sphere(0.5, 2).unwrap();
    let mut ball = sheet(1, |_| Vec3::ZERO);
    ball.triangles = mesh.triangles.into();
    ball.places =
        muslin_viewer::draw::Places::Host(mesh.positions.iter().map(|p| *p + 0.6 * Vec3::Y).collect());
    ball.flat = [].into();
    let shot = studio.picture(&scenery(vec![ball], vec![]), &VIEW, &OPTIONS);
    // Along a great circle from the lit side over the border of light: nowhere brighter than before.
    let (light, side) = (TOWARD_LIGHT.normalize(), Vec3::new(0.8, -0.3, 0.5));
    let side = side.reject_from_normalized(light).normalize();
    let at = |degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        shot.brightness((0.6 * Vec3::Y + 0.49 * (cos * light + sin * side)).into())
    };
    let row: Vec<f32> = (40..=95).map(|degrees| at(degrees as f32)).collect();
    let most = row.windows(2).map(|w| w[1] - w[0]).fold(f32::MIN, f32::max);
    assert!(most < 5.0 && row[0] > row[55] + 30.0, "{most} {row:?}");
}
