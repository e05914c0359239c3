//! Planes, balls, capsules and closed meshes.

use glam::{Mat3, Vec3};
use proptest::prelude::*;

use crate::collision::intersections::{beyond_plane, inside_closed_mesh, within_capsule, within_sphere};
use crate::mesh::generate;

#[test]
fn below_a_plane() {
    let positions =
        [Vec3::ZERO, Vec3::new(5.0, -1e-30, 0.0), Vec3::Y, Vec3::new(f32::NAN, 0.0, 0.0), -Vec3::Y];
    assert_eq!(beyond_plane(&positions, Vec3::X, 3.0 * Vec3::Y), [1, 4]);
    assert_eq!(beyond_plane(&positions, 0.5 * Vec3::Y, -Vec3::Y), [2]);
}

#[test]
fn around_one_triangle() {
    let positions = [Vec3::ZERO, 4.0 * Vec3::X, 4.0 * Vec3::Y];
    let is_within = |from: [f32; 3], to: [f32; 3], distance: f32| {
        let within = |radius: f32| {
            !within_capsule(&positions, &[[0, 1, 2]], from.into(), to.into(), radius).is_empty()
        };
        assert_eq!(within(distance * 1.0001), distance > 0.0, "{from:?} {to:?} {distance}");
        assert!(!within(distance * 0.9999), "{from:?} {to:?} {distance}");
    };
    is_within([1.0, 1.0, 2.0], [1.0, 1.0, 2.0], 2.0); // above the face
    is_within([2.0, -3.0, 0.0], [2.0, -3.0, 0.0], 3.0); // beside an edge
    is_within([-3.0, -4.0, 0.0], [-3.0, -4.0, 0.0], 5.0); // beside a corner
    is_within([1.0, 1.0, 5.0], [1.0, 1.0, 2.0], 2.0); // an end of the axis
    is_within([-9.0, 1.0, 0.5], [9.0, 1.0, 0.5], 0.5); // along the face
    is_within([-1.0, -3.0, 9.0], [-1.0, -3.0, -9.0], 10f32.sqrt()); // beside a corner
    is_within([2.0, -3.0, 9.0], [2.0, -3.0, -9.0], 3.0); // across an edge
    let pierced =
        |radius| within_capsule(&positions, &[[0, 1, 2]], Vec3::new(1.0, 1.0, -9.0), Vec3::ONE, radius);
    assert_eq!((pierced(1e-6), pierced(0.0)), (vec![0], vec![]));
    let line = [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X];
    assert_eq!(within_sphere(&line, &[[0, 1, 2], [1, 1, 1]], Vec3::new(1.8, 0.5, 0.0), 0.6), [0]);
}

fn point() -> impl Strategy<Value = Vec3> {
    [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0].prop_map(Vec3::from)
}

proptest! {
    /// The least distance of many samples is an upper bound, and at most half a step too large.
    #[test]
    fn distances_are_those_of_samples(corners in [point(), point(), point()], from in point(), to in point()) {
        const STEPS: usize = 40;
        let part = |i: usize| i as f32 / STEPS as f32;
        let mut least = f32::INFINITY;
        for (i, j, k) in (0..=STEPS).flat_map(|i| (0..=STEPS - i).flat_map(move |j| (0..=STEPS).map(move |k| (i, j, k)))) {
            let [a, b, c] = corners;
            let sample = a + part(i) * (b - a) + part(j) * (c - a);
            least = least.min(sample.distance(from + part(k) * (to - from)));
        }
        let within = |radius: f32| !within_capsule(&corners, &[[0, 1, 2]], from, to, radius).is_empty();
        prop_assert!(within(least + 1e-5));
        // Edges and axis are shorter than 3.5; three parameters are off by half a step each.
        prop_assert!(!within(least - 1.5 * 3.5 / STEPS as f32));
    }

    #[test]
    fn inside_a_turned_cuboid(points in proptest::collection::vec(point(), 50), angle in 0.0f32..6.0) {
        let mesh = generate::cuboid(Vec3::new(1.0, 0.8, 1.2), 4).unwrap();
        let turn = Mat3::from_rotation_z(angle) * Mat3::from_rotation_x(2.0 * angle);
        let positions: Vec<Vec3> = mesh.positions.iter().map(|&p| turn * p).collect();
        let found = inside_closed_mesh(&points, &positions, &mesh.triangles);
        for (i, &point) in points.iter().enumerate() {
            let depth = (Vec3::new(0.5, 0.4, 0.6) - (turn.transpose() * point).abs()).min_element();
            if depth.abs() > 1e-5 {
                prop_assert_eq!(found.contains(&(i as u32)), depth > 0.0);
            }
        }
    }
}

/// Rays through corners and along edges, faces that contain the ray, points on the surface.
#[test]
fn inside_a_cuboid_on_its_own_lattice() {
    let mesh = generate::cuboid(Vec3::splat(2.0), 4).unwrap();
    let lattice = |i: i32| Vec3::new((i % 7 - 3) as f32, (i / 7 % 7 - 3) as f32, (i / 49 - 3) as f32) * 0.5;
    let points: Vec<Vec3> = (0..343).map(lattice).collect();
    let inside = |p: &Vec3| p.abs().max_element() < 1.0;
    let expected: Vec<u32> = (0..343).filter(|&i| inside(&points[i as usize])).collect();
    assert_eq!(expected.len(), 27);
    assert_eq!(inside_closed_mesh(&points, &mesh.positions, &mesh.triangles), expected);
    let reversed: Vec<[u32; 3]> = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert_eq!(inside_closed_mesh(&points, &mesh.positions, &reversed), expected);
}

#[test]
fn inside_bodies_that_overlap() {
    let ball = generate::sphere(1.0, 3).unwrap();
    let shift = Vec3::new(0.7, 0.0, 0.0);
    let moved: Vec<Vec3> = ball.positions.iter().map(|&p| p + shift).collect();
    let (positions, triangles) = super::random::join(&ball, &moved);
    let points = [Vec3::ZERO, 0.35 * Vec3::X, 1.6 * Vec3::X, 1.8 * Vec3::X, Vec3::Z * -2.0, Vec3::NAN];
    assert_eq!(inside_closed_mesh(&points, &positions, &triangles), [0, 1, 2]);
    assert_eq!(inside_closed_mesh(&points, &[], &[]), [0u32; 0]);
}
