//! Sides, weaves, values, wireframes, marks.

use glam::{Vec2, Vec3};
use muslin_render::Color;
use muslin_viewer::draw::{Mark, MarkKind, Options, View, Weave, value_color};

use super::device::{OPTIONS, Studio, brightness};
use super::scenes::{BLUE, RED, VIEW, cuboid, look, scenery, sheet, upright};

/// Whether a colour is nearer to one than to the other, in hue.
fn is_like(color: [f32; 3], expected: Color) -> bool {
    let unit = |c: [f32; 3]| Vec3::from(c).normalize();
    unit(color).dot(unit(expected.0.map(f32::from))) > 0.97
}

#[test]
fn the_front_is_red_the_back_blue_and_the_ground_has_its_own_colour() {
    let mut studio = Studio::new();
    let scene = scenery(vec![upright()], vec![]);
    let front = studio.picture(&scene, &VIEW, &OPTIONS);
    let behind = View { eye: VIEW.eye * Vec3::new(1.0, 1.0, -1.0), ..VIEW };
    let back = studio.picture(&scene, &behind, &OPTIONS);
    for point in [[0.0, 0.6, 0.0], [0.4, 0.2, 0.0], [-0.4, 1.0, 0.0]] {
        assert!(is_like(front.at(point), RED), "{:?}", front.at(point));
        assert!(is_like(back.at(point), BLUE), "{:?}", back.at(point));
    }
    // Lit by nothing but the sky and the key light, the ground is as bright as its colour.
    let ground = front.at([-0.8, 0.0, 0.8]);
    assert!(ground.iter().zip([220.0, 218.0, 214.0]).all(|(a, b)| (a - b).abs() < 4.0), "{ground:?}");
}

#[test]
fn translucent_cloth_lets_light_through() {
    let mut studio = Studio::new();
    // The light is behind it.
    let behind = View { eye: Vec3::new(0.6, 0.4, -3.2), ..VIEW };
    let mut scene = scenery(vec![upright()], vec![]);
    let dull = studio.picture(&scene, &behind, &OPTIONS).brightness([0.0, 0.6, 0.0]);
    scene.sheets[0].look.translucency = 0.6;
    let bright = studio.picture(&scene, &behind, &OPTIONS).brightness([0.0, 0.6, 0.0]);
    assert!(bright > 1.25 * dull, "{bright} and {dull}");
}

#[test]
fn stripes_are_where_they_belong_and_become_even_in_the_distance() {
    let mut studio = Studio::new();
    let mut striped = upright();
    striped.look.weave = Weave::Stripes(BLUE, 0.5);
    let shot = studio.picture(&scenery(vec![striped.clone()], vec![]), &VIEW, &OPTIONS);
    for (x, color) in [(-0.4, BLUE), (-0.1, RED), (0.1, BLUE), (0.4, RED)] {
        assert!(is_like(shot.at([x, 0.6, 0.0]), color), "{x}: {:?}", shot.at([x, 0.6, 0.0]));
    }
    for weave in [Weave::Stripes(BLUE, 0.002), Weave::Gingham(BLUE, 0.002), Weave::Threads(900.0)] {
        striped.look.weave = weave;
        let shot = studio.picture(&scenery(vec![striped.clone()], vec![]), &VIEW, &OPTIONS);
        let row: Vec<f32> = (-40..40).map(|i| brightness(shot.at([i as f32 * 0.01, 0.6, 0.0]))).collect();
        let steps = row.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f32::max);
        assert!(steps < 3.0, "{:?}: {steps}", striped.look.weave);
    }
}

#[test]
fn an_image_is_seen_on_the_cloth() {
    let mut studio = Studio::new();
    let mut printed = upright();
    // Green to the left, yellow to the right.
    let pixels =
        [[30, 160, 60, 255], [230, 200, 40, 255]].map(|p| [p; 8]).as_flattened().as_flattened().repeat(16);
    printed.look.weave = Weave::Image { width: 16, pixels: pixels.into(), period: 1.0 };
    let shot = studio.picture(&scenery(vec![printed], vec![]), &VIEW, &OPTIONS);
    assert!(is_like(shot.at([0.25, 0.6, 0.0]), Color::rgb(30, 160, 60)), "{:?}", shot.at([0.25, 0.6, 0.0]));
    assert!(
        is_like(shot.at([-0.25, 0.6, 0.0]), Color::rgb(230, 200, 40)),
        "{:?}",
        shot.at([-0.25, 0.6, 0.0])
    );
}

#[test]
fn values_have_the_colours_of_the_legend() {
    let mut studio = Studio::new();
    let mut shown = upright();
    shown.values = Some(shown.flat.iter().map(|at| at.x + 0.5).collect());
    let shot = studio.picture(&scenery(vec![shown], vec![]), &VIEW, &OPTIONS);
    for value in [0.25, 0.5, 0.75] {
        let seen = shot.at([value - 0.5, 0.6, 0.0]);
        assert!(is_like(seen, value_color(value)), "{value}: {seen:?}, not {:?}", value_color(value));
    }
}

#[test]
fn a_wireframe_darkens_edges_alone() {
    let mut studio = Studio::new();
    let scene = scenery(
        vec![sheet(4, |at| Vec3::new(at.x, at.y + 0.6, 0.0))],
        vec![cuboid(Vec3::splat(0.2), Vec3::new(0.8, 0.1, 0.0))],
    );
    let plain = studio.picture(&scene, &VIEW, &OPTIONS);
    let wired = studio.picture(&scene, &VIEW, &Options { wireframe: true, ..OPTIONS });
    let change = |point| plain.brightness(point) - wired.brightness(point);
    // A vertical edge and the middle of a triangle.
    assert!(change([0.0, 0.73, 0.0]) > 8.0, "{}", change([0.0, 0.73, 0.0]));
    assert!(change([0.08, 0.68, 0.0]).abs() < 2.0, "{}", change([0.08, 0.68, 0.0]));
}

#[test]
fn marks_are_on_top_and_as_large_from_afar() {
    let mut studio = Studio::new();
    let mut scene = scenery(vec![upright()], vec![]);
    // Behind the cloth.
    scene.marks = vec![Mark { place: Vec3::new(0.0, 0.6, -0.3), kind: MarkKind::Pin }];
    let count = |shot: &super::device::Shot| {
        let gold = |p: &&[u8; 3]| p[0] > 200 && (130..220).contains(&p[1]) && p[2] < 90;
        shot.picture.pixels.iter().filter(gold).count()
    };
    let near = count(&studio.picture(&scene, &VIEW, &OPTIONS));
    let far = View { eye: VIEW.eye * 1.6, ..VIEW };
    let far = count(&studio.picture(&scene, &far, &OPTIONS));
    assert!(near > 20 && near.abs_diff(far) <= 6, "{near} and {far}");
    let none = studio.picture(&scene, &VIEW, &Options { marks: false, ..OPTIONS });
    assert_eq!(count(&none), 0);
}

#[test]
fn solids_have_sharp_edges_and_light_up() {
    let mut studio = Studio::new();
    let mut scene = scenery(vec![], vec![cuboid(Vec3::splat(0.6), Vec3::new(0.0, 0.3, 0.0))]);
    let view = View { eye: Vec3::new(2.0, 1.8, 2.2), ..VIEW };
    let shot = studio.picture(&scene, &view, &OPTIONS);
    // On the top, near an edge and in the middle; and just over the edge.
    let [edge, middle] = [[0.27, 0.6, 0.0], [0.0, 0.6, 0.0]].map(|p| shot.brightness(p));
    let side = shot.brightness([0.3, 0.55, 0.0]);
    assert!((edge - middle).abs() < 6.0, "{edge} and {middle}");
    assert!(edge - side > 25.0, "{edge} and {side}");
    scene.solids[0].is_marked = true;
    let marked = studio.picture(&scene, &view, &OPTIONS).at([0.0, 0.6, 0.0]);
    let plain = shot.at([0.0, 0.6, 0.0]);
    assert!(marked[0] - marked[2] > plain[0] - plain[2] + 8.0, "{marked:?} and {plain:?}");
}

#[test]
fn cloth_without_flat_coordinates_is_plain() {
    let mut studio = Studio::new();
    let mut bare = sheet(4, |at: Vec2| Vec3::new(at.x, at.y + 0.6, 0.0));
    bare.flat = [].into();
    bare.look.weave = Weave::Stripes(BLUE, 0.1);
    let plain = sheet(4, |at: Vec2| Vec3::new(at.x, at.y + 0.6, 0.0));
    assert_eq!(plain.look, look());
    let [bare, plain] =
        [bare, plain].map(|s| studio.picture(&scenery(vec![s], vec![]), &VIEW, &OPTIONS).picture);
    assert_eq!(bare, plain);
}
