//! Closest points, by hand and against brute force, for shapes of all sorts.

use glam::DVec3;
use proptest::prelude::*;

use super::proximity::{ClosestPoint, closest_in_triangle, edge_edge, point_triangle};

const RIGHT: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

fn at(weights: [f64; 3], corners: [DVec3; 3]) -> DVec3 {
    weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2]
}

#[test]
fn inside_beside_and_beyond() {
    let above = closest_in_triangle(DVec3::new(0.25, 0.5, 2.0), RIGHT);
    assert_eq!(above, ClosestPoint { weights: [0.25, 0.25, 0.5], distance_sq: 4.0 });
    assert_eq!(point_triangle(DVec3::new(0.5, -1.0, 0.0), RIGHT), [0.5, 0.5, 0.0]);
    assert_eq!(point_triangle(DVec3::new(3.0, -1.0, 0.0), RIGHT), [0.0, 1.0, 0.0]);
    assert_eq!(point_triangle(DVec3::new(1.0, 1.0, 0.0), RIGHT), [0.0, 0.5, 0.5]);
}

#[test]
fn a_line_and_a_point_are_triangles_too() {
    let line = [DVec3::ZERO, DVec3::X, 3.0 * DVec3::X];
    let found = closest_in_triangle(DVec3::new(2.0, 1.0, 0.0), line);
    assert_eq!(found.distance_sq, 1.0);
    assert!((at(found.weights, line) - 2.0 * DVec3::X).length() < 1e-12);
    assert_eq!(closest_in_triangle(DVec3::Y, [DVec3::ZERO; 3]).distance_sq, 1.0);
}

#[test]
fn edges_cross_pass_and_run_in_parallel() {
    let along_x = [DVec3::ZERO, 4.0 * DVec3::X];
    let crossing = [DVec3::new(1.0, -1.0, 2.0), DVec3::new(1.0, 3.0, 2.0)];
    assert_eq!(edge_edge(along_x, crossing), [0.25, 0.25]);
    let beyond = [DVec3::new(6.0, 1.0, 0.0), DVec3::new(7.0, 5.0, 0.0)];
    assert_eq!(edge_edge(along_x, beyond), [1.0, 0.0]);
    let parallel = [DVec3::new(2.0, 1.0, 0.0), DVec3::new(9.0, 1.0, 0.0)];
    let [s, t] = edge_edge(along_x, parallel);
    assert_eq!(4.0 * s, 2.0 + 7.0 * t);
    let [s, _] = edge_edge(along_x, [DVec3::new(3.0, 1.0, 0.0); 2]);
    assert_eq!(s, 0.75);
    assert_eq!(edge_edge([DVec3::X; 2], [DVec3::Y; 2]), [0.0, 0.0]);
}

/// Vectors of all sorts: a few values, so that shapes degenerate, nearly those, and any.
fn vector() -> impl Strategy<Value = DVec3> {
    let coordinate = || {
        prop_oneof![
            4 => (-2i8..=2).prop_map(f64::from),
            1 => (-2i8..=2, -9i8..=9).prop_map(|(whole, rest)| f64::from(whole) + 1e-9 * f64::from(rest)),
            1 => (-2i8..=2, -9i8..=9).prop_map(|(whole, rest)| f64::from(whole) + 1e-15 * f64::from(rest)),
            2 => -2.0..2.0,
        ]
    };
    (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// The least value of a convex function over the part of [0, 1]² where it is finite: a lattice, then
/// ever finer ones around the best so far.
fn least(value: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut centre, mut reach, mut best) = ((0.5, 0.5), 0.5, f64::INFINITY);
    for _ in 0..24 {
        let around = centre;
        for i in -8..=8 {
            for j in -8..=8 {
                let x = (around.0 + reach * f64::from(i) / 8.0).clamp(0.0, 1.0);
                let y = (around.1 + reach * f64::from(j) / 8.0).clamp(0.0, 1.0);
                let found = value(x, y);
                if found < best {
                    (best, centre) = (found, (x, y));
                }
            }
        }
        reach *= 0.5;
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_point_of_the_triangle_is_nearer(point in vector(), corners in [vector(), vector(), vector()]) {
        let found = closest_in_triangle(point, corners);
        prop_assert!(found.weights.iter().all(|&weight| weight >= 0.0), "{:?}", found.weights);
        prop_assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let distance = at(found.weights, corners).distance(point);
        prop_assert!((distance - found.distance_sq.sqrt()).abs() < 1e-13);
        // The square [0, 1]² onto the triangle.
        let brute = least(|x, y| at([1.0 - x, x * (1.0 - y), x * y], corners).distance(point));
        prop_assert!(distance <= brute + 1e-13, "{distance} is more than {brute}");
    }

    #[test]
    fn no_points_of_the_edges_are_nearer(a in [vector(), vector()], b in [vector(), vector()]) {
        let [s, t] = edge_edge(a, b);
        prop_assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
        let distance = |s: f64, t: f64| a[0].lerp(a[1], s).distance(b[0].lerp(b[1], t));
        let brute = least(distance);
        prop_assert!(distance(s, t) <= brute + 1e-13, "{} is more than {brute}", distance(s, t));
    }
}
