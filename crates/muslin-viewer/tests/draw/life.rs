//! What is kept, what is dropped, positions that are on the device, and what makes no sense.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use muslin_viewer::draw::{Mark, MarkKind, Options, Places, Scenery, View, Weave};
use wgpu::util::DeviceExt;

use super::device::{OPTIONS, SIZE, Studio, difference};
use super::scenes::{VIEW, cuboid, scenery, sheet, upright};

fn folded(at: Vec2) -> Vec3 {
    Vec3::new(at.x, 0.6 + at.y, 0.08 * (12.0 * at.x).sin())
}

#[test]
fn positions_in_a_buffer_give_the_same_picture() {
    let mut studio = Studio::new();
    // More than a row of a texture.
    let host = sheet(60, folded);
    let Places::Host(places) = &host.places else { unreachable!() };
    let count = places.len();
    // In reverse order, from another origin, with something else between.
    let offset = Vec3::new(3.0, -2.0, 1.0);
    let mut elements = vec![[7.0; 4]; 2 * count];
    for (i, place) in places.iter().enumerate() {
        elements[2 * (count - i) - 1] = (*place - offset).extend(0.5).to_array();
    }
    let buffer = studio.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: bytemuck::cast_slice(&elements),
        usage: wgpu::BufferUsages::COPY_SRC,
    });
    let elements = (0..count).map(|i| (2 * (count - i) - 1) as u32).collect();
    let mut device = host.clone();
    device.places = Places::Device { buffer, elements, offset };
    // Close, so that the shadow map is the same whether the bounds are known or not.
    let view = View { eye: Vec3::new(0.0, 0.7, 1.6), target: Vec3::new(0.0, 0.6, 0.0), ..VIEW };
    let [a, b] = [host, device].map(|s| studio.picture(&scenery(vec![s], vec![]), &view, &OPTIONS).picture);
    let (mean, most) = difference(&a, &b);
    assert!(mean < 0.05 && most < 30, "{mean} {most}");
}

#[test]
fn what_is_no_longer_drawn_is_dropped() {
    let mut studio = Studio::new();
    let mut cloth = upright();
    cloth.values = Some(vec![0.5; 169].into());
    let solid = cuboid(Vec3::ONE, Vec3::ZERO);
    let (triangles, flat, values) =
        (cloth.triangles.clone(), cloth.flat.clone(), cloth.values.clone().unwrap());
    let (box_triangles, vertices) = (solid.triangles.clone(), solid.vertices.clone());
    let scene = scenery(vec![cloth], vec![solid]);
    studio.renderer.draw(&scene, &VIEW, &OPTIONS, SIZE);
    drop(scene);
    let counts = || {
        let strong = [Arc::strong_count(&triangles), Arc::strong_count(&box_triangles)];
        (strong, Arc::strong_count(&flat), Arc::strong_count(&values), Arc::strong_count(&vertices))
    };
    assert!(counts().0.iter().all(|&c| c > 1), "kept alive, so that no other array gets the same address");
    for _ in 0..10 {
        studio.renderer.draw(&scenery(vec![], vec![]), &VIEW, &OPTIONS, SIZE);
    }
    assert_eq!(counts(), ([1, 1], 1, 1, 1));
}

#[test]
fn a_surface_that_moves_is_drawn_where_it_is_now() {
    let mut studio = Studio::new();
    let mut scene = scenery(vec![upright()], vec![]);
    let first = studio.picture(&scene, &VIEW, &OPTIONS).picture;
    let Places::Host(start) = scene.sheets[0].places.clone() else { unreachable!() };
    scene.sheets[0].places = Places::Host(start.iter().map(|p| *p + 0.3 * Vec3::X).collect());
    let moved = studio.picture(&scene, &VIEW, &OPTIONS).picture;
    assert!(difference(&first, &moved).0 > 2.0);
    scene.sheets[0].places = Places::Host(start.to_vec().into());
    assert_eq!(studio.picture(&scene, &VIEW, &OPTIONS).picture, first);
    // The same again, on another renderer: nothing depends on what was drawn before.
    assert_eq!(Studio::new().picture(&scene, &VIEW, &OPTIONS).picture, first);
}

#[test]
fn sizes_and_options_may_change_from_picture_to_picture() {
    let mut studio = Studio::new();
    let scene = scenery(vec![upright()], vec![cuboid(Vec3::splat(0.3), Vec3::new(0.7, 0.15, 0.3))]);
    for (i, size) in [[64, 48], [1, 1], [0, 7], [300, 20], [100_000, 3]].into_iter().enumerate() {
        for soft_light in [true, false] {
            let options = Options { soft_light, wireframe: i % 2 == 0, ..OPTIONS };
            let texture = studio.renderer.draw(&scene, &VIEW, &options, size).texture().size();
            let expected = size.map(|side| side.clamp(1, 2048));
            assert_eq!([texture.width, texture.height], expected);
        }
    }
    // In between a picture, which has other targets.
    studio.picture(&scene, &VIEW, &Options { soft_light: false, ..OPTIONS });
    studio.renderer.draw(&scene, &VIEW, &OPTIONS, SIZE);
    // wgpu panics where it is used wrongly, at the latest here.
    studio.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
}

#[test]
fn nonsense_is_drawn_without_a_panic() {
    let mut studio = Studio::new();
    let empty = Scenery { up: Vec3::ZERO, sheets: vec![], solids: vec![], ground: None, marks: vec![] };
    let nowhere = View { eye: Vec3::ZERO, target: Vec3::ZERO, up: Vec3::ZERO, fov_degrees: 0.0 };
    studio.picture(&empty, &nowhere, &OPTIONS);
    let mut odd = upright();
    odd.triangles = [[0, 1, 13], [0, 1, 4_000_000], [5, 5, 5], [u32::MAX; 3]].into();
    odd.values = Some([f32::NAN].into());
    odd.look.weave = Weave::Image { width: 0, pixels: [1, 2, 3].into(), period: 0.0 };
    let mut broken = upright();
    broken.places = Places::Host(vec![Vec3::NAN; 169].into());
    broken.look.weave = Weave::Threads(f32::INFINITY);
    let mut none = upright();
    none.places = Places::Host([].into());
    let mut solid = cuboid(Vec3::splat(f32::INFINITY), Vec3::NAN);
    solid.pose.rotation = glam::Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut scene = scenery(vec![odd, broken, none], vec![solid]);
    scene.marks = vec![Mark { place: Vec3::NAN, kind: MarkKind::Hold }];
    for view in [VIEW, nowhere] {
        studio.picture(&scene, &view, &Options { wireframe: true, ..OPTIONS });
    }
}
