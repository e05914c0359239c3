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

/// How much too large a distance may be: 100 ε·size (the module's accuracy) for what lies in a box of side 4 m, which
/// is up to 8 m across.
const ERROR: f64 = 1e-13;

/// How far apart the points are that were found on two edges.
fn found_distance(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let [s, t] = edge_edge(a, b);
    a[0].lerp(a[1], s).distance(b[0].lerp(b[1], t))
}

/// Two fractions that were each right to 10⁻⁷ gave points that far apart, of edges that cross.
#[test]
fn edges_that_cross_at_a_billionth_of_a_radian_came_out_apart() {
    let cases = [
        (
            [[1.0, 0.0, -2.0], [-2.000000000000008, 1.0, -1.0]],
            [[-1.999999999999992, 1.0, -1.0], [0.999999999999997, -2e-9, -2.0]],
        ),
        (
            [[-2.0, -2.0, 1.999999999], [1.999999999999994, -2.000000001, -2.0]],
            [[1.0, -2.0, -1.000000001], [-1.0, -2.0, 1.000000000000002]],
        ),
        ([[0.0, 0.0, 1.0], [1.0, -0.999999996, 2.0]], [[-2.0, 2.0, -1.0], [1.000000000000005, -1.0, 2.0]]),
    ];
    for (a, b) in cases {
        let distance = found_distance(a.map(DVec3::from), b.map(DVec3::from));
        assert!(distance < 1e-9, "{distance:e} for {a:?} {b:?}"); // the second are 5e-10 apart; 3e-8 to 3e-7 were found
    }
}

/// The normal equations were trusted down to angles of 10⁻³, where they are wrong by 10⁻¹⁰, and the two weights of a
/// sliver each by themselves.
#[test]
fn points_in_thin_triangles_came_out_beside_them() {
    let cases = [
        (
            [5e-15, 0.0, 2.0],
            [[0.4032323508187221, 0.0, 0.31195124466087165], [1.0, 1e-9, -2.0], [0.0, -4e-15, 2.0]],
        ),
        (
            [0.4047712323078625, 0.3810557942985362, 0.3498584895546763],
            [
                [1.0, -2.0, 1.999999999999993],
                [0.0, 2.0, -0.7721889122478838],
                [1.4771813414960309, -3.897475654433575, 3.3184463810205087],
            ],
        ),
        (
            [1.0876601541658688, 0.42536582039461474, 0.7076132103632473],
            [
                [4.332336375669024, 1.0864764710514871, 0.2531807866187877],
                [2.0, 0.611257277032605, 0.5798356513239433],
                [-1.000000000000009, 0.0, 1.0],
            ],
        ),
    ];
    for (point, corners) in cases {
        let found = closest_in_triangle(point.into(), corners.map(DVec3::from));
        assert!(found.distance_sq.sqrt() < ERROR, "{:e} for {point:?}", found.distance_sq.sqrt());
    }
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

/// Zero, or a number of any magnitude from 10⁻¹⁶ to 1.
fn small() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 3 => (-16.0..0.0).prop_map(|exponent: f64| 10f64.powf(exponent))]
}

/// An end, near one, or anywhere between.
fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), small(), small().prop_map(|rest| 1.0 - rest), 0.0..1.0]
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
        prop_assert!(distance <= brute + ERROR, "{distance} is more than {brute}");
    }

    #[test]
    fn no_points_of_the_edges_are_nearer(a in [vector(), vector()], b in [vector(), vector()]) {
        let [s, t] = edge_edge(a, b);
        prop_assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
        let distance = |s: f64, t: f64| a[0].lerp(a[1], s).distance(b[0].lerp(b[1], t));
        let brute = least(distance);
        prop_assert!(distance(s, t) <= brute + ERROR, "{} is more than {brute}", distance(s, t));
    }

    #[test]
    fn edges_that_meet_at_any_angle_are_found_to_meet(
        place in vector(), (u, aside) in (vector(), vector()), ratio in -1.0..1.0,
        (angle, gap) in (small(), small()), fractions in [fraction(), fraction()],
    ) {
        let v = ratio * u + angle * aside;
        let from = |place: DVec3, edge: DVec3, fraction: f64| [place - fraction * edge, place + (1.0 - fraction) * edge];
        let a = from(place, u, fractions[0]);
        let b = from(place + gap * u.cross(aside), v, fractions[1]);
        // Where they were made to be nearest; rounding moves that by ε·size.
        let made = a[0].lerp(a[1], fractions[0]).distance(b[0].lerp(b[1], fractions[1]));
        prop_assert!(found_distance(a, b) <= made + ERROR, "{} is more than {made}", found_distance(a, b));
    }

    #[test]
    fn points_over_triangles_of_any_thinness_are_found_over_them(
        (a, b, aside) in (vector(), vector(), vector()), tip in -1.0..2.0,
        (angle, gap) in (small(), small()), place in [fraction(), fraction()], turn in 0usize..3,
    ) {
        let mut corners = [a, b, a.lerp(b, tip) + angle * aside];
        let point = at([1.0 - place[0], place[0] * (1.0 - place[1]), place[0] * place[1]], corners);
        let point = point + gap * (b - a).cross(aside);
        let made = gap * (b - a).cross(aside).length();
        corners.rotate_left(turn);
        let distance = closest_in_triangle(point, corners).distance_sq.sqrt();
        prop_assert!(distance <= made + ERROR, "{distance} is more than {made}");
    }
}
