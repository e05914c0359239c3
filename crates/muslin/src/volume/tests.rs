use glam::Affine3A;

use super::*;
use crate::cloth::Cloth;
use crate::mesh::{TriMesh, generate};

fn points(cloth: &Cloth) -> Vec<Vec4> {
    let unequal = |v: usize| 0.5 + (v % 3) as f32;
    cloth.rest.iter().enumerate().map(|(v, p)| p.as_vec3().extend(unequal(v))).collect()
}

fn volume(cloth: &Cloth, points: &[Vec4]) -> f64 {
    let place = |v: u32| points[v as usize].truncate().as_dvec3();
    let triangles = cloth.mesh.triangles.iter();
    triangles.map(|t| t.map(place)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

#[test]
fn a_ball_takes_the_volume_that_is_asked_for_and_keeps_its_momentum() {
    let mesh = generate::sphere(0.5, 3).unwrap();
    let cloth =
        Cloth::builder(mesh.transformed(Affine3A::from_translation(Vec3::splat(3.0)))).build().unwrap();
    let mut keeper = VolumeKeeper::new(&cloth).unwrap();
    let rest = volume(&cloth, &points(&cloth));
    assert!((keeper.rest_volume() / rest - 1.0).abs() < 1e-5);
    for pressure in [1.0f32, 1.5, 0.6] {
        let start = points(&cloth);
        let mut moved = start.clone();
        for _ in 0..6 {
            keeper.hold(pressure, &cloth, &mut moved, Execution::default());
        }
        let ours = volume(&cloth, &moved) / rest;
        assert!((ours - f64::from(pressure)).abs() < 1e-4, "{pressure}: {ours}");
        let (mut linear, mut angular, mut size) = (DVec3::ZERO, DVec3::ZERO, 1e-9);
        for (before, after) in start.iter().zip(&moved) {
            let impulse = (*after - *before).truncate().as_dvec3() / f64::from(before.w);
            linear += impulse;
            angular += before.truncate().as_dvec3().cross(impulse);
            size += impulse.length();
        }
        // Single precision at 3 m: 2⁻²² m per particle and projection, against movements of centimetres.
        assert!(linear.length() < 1e-3 * size + 1e-4 && angular.length() < 6e-3 * size + 6e-4);
    }
}

#[test]
fn what_is_held_stays_and_the_others_make_up_for_it() {
    let cloth = Cloth::builder(generate::sphere(0.5, 3).unwrap()).build().unwrap();
    let mut keeper = VolumeKeeper::new(&cloth).unwrap();
    let mut start = points(&cloth);
    start.iter_mut().filter(|point| point.y > 0.2).for_each(|point| point.w = 0.0);
    let mut moved = start.clone();
    for _ in 0..10 {
        keeper.hold(1.3, &cloth, &mut moved, Execution::default());
    }
    let ours = volume(&cloth, &moved) / volume(&cloth, &start);
    assert!((ours - 1.3).abs() < 1e-4, "{ours}");
    assert!(start.iter().zip(&moved).all(|(before, after)| before.w > 0.0 || before == after));
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let cloth = Cloth::builder(generate::cuboid(Vec3::new(1.0, 0.7, 0.4), 2).unwrap()).build().unwrap();
    let mut keeper = VolumeKeeper::new(&cloth).unwrap();
    let start = points(&cloth);
    keeper.hold(1.0, &cloth, &mut start.clone(), Execution::default());
    for v in 0..start.len() {
        for axis in [Vec4::X, Vec4::Y, Vec4::Z] {
            let moved = |by: f32| {
                let mut points = start.clone();
                points[v] += axis * by;
                volume(&cloth, &points)
            };
            let difference = (moved(0.01) - moved(-0.01)) / 0.02;
            assert!((difference - f64::from(keeper.gradients[v].dot(axis.truncate()))).abs() < 1e-5);
        }
    }
}

#[test]
fn parts_have_volumes_of_their_own() {
    let ball = generate::sphere(0.5, 1).unwrap();
    let mut two = ball.transformed(Affine3A::from_translation(Vec3::X * 2.0));
    let first = two.positions.len() as u32;
    two.positions.extend(&ball.positions);
    two.triangles.extend(ball.triangles.iter().map(|t| t.map(|v| v + first)));
    let cloth = Cloth::builder(two).build().unwrap();
    let mut keeper = VolumeKeeper::new(&cloth).unwrap();
    assert_eq!(keeper.parts.len(), 2);
    // One ball half as large: only it is inflated.
    let mut points = points(&cloth);
    let small = |point: &Vec4| point.x < 1.0;
    let start = points.clone();
    points.iter_mut().filter(|p| small(p)).for_each(|p| *p = (*p * 0.9).with_w(p.w));
    keeper.hold(1.0, &cloth, &mut points, Execution::default());
    for (before, after) in start.iter().zip(&points).filter(|(before, _)| !small(before)) {
        assert!((*before - *after).length() < 1e-6);
    }
}

#[test]
fn open_and_flat_and_turned_cloth_is_refused() {
    let refuse = |mesh: TriMesh| match VolumeKeeper::new(&Cloth::builder(mesh).build().unwrap()) {
        Err(Error::NotClosed { problem }) => problem,
        other => panic!("{:?}", other.map(|_| ())),
    };
    assert!(refuse(generate::grid(2, 2, 1.0, 1.0).unwrap()).contains("8 of its 16 edges"));
    let mut turned = generate::sphere(1.0, 1).unwrap();
    turned.triangles[3].swap(0, 1);
    assert!(refuse(turned).contains("outside"));
    let mut flat = generate::grid(2, 2, 1.0, 1.0).unwrap();
    let back: Vec<[u32; 3]> = flat.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    flat.triangles.extend(back);
    flat.uvs = None;
    // Front and back over the same vertices: edges inside have four triangles.
    assert!(refuse(flat).contains("do not have two triangles"));
}
