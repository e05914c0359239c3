//! Plain contact, built so that it is exact: all coordinates are small multiples of a power of two.

use glam::DVec3;
use proptest::prelude::*;

use super::{edge_edge, point_triangle};

fn vector(size: i32) -> impl Strategy<Value = DVec3> {
    [-size..=size, -size..=size, -size..=size].prop_map(|v| DVec3::from_array(v.map(f64::from)))
}

/// Small integers, so that corners coincide, motions are parallel and shapes degenerate, or large
/// ones, whose products are rounded.
fn vectors<const K: usize>() -> impl Strategy<Value = [DVec3; K]> {
    prop_oneof![Just(1), Just(2), Just(3), Just(7), Just(100), Just(1 << 20)]
        .prop_flat_map(|size| proptest::array::uniform(vector(size)))
}

/// Start and end of a motion that has the corners at `halfway` at time ½, moved to some place.
fn motion(halfway: [DVec3; 4], steps: [DVec3; 4], place: DVec3) -> [[DVec3; 4]; 2] {
    let moved = |sign: f64| std::array::from_fn(|k| halfway[k] + sign * steps[k] + place);
    [moved(-1.0), moved(1.0)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_point_that_meets_a_triangle_is_noticed(
        corners in vectors::<3>(), steps in vectors::<4>(), place in vector(1 << 20),
        weight in [0..=8i32, 0..=8i32], scale in -60..60i32,
    ) {
        let weights = [weight[0], (8 - weight[0]).min(weight[1]), (8 - weight[0] - weight[1]).max(0)];
        let point = (0..3).map(|k| f64::from(weights[k]) / 8.0 * corners[k]).sum();
        let unit = f64::powi(2.0, scale);
        let [start, end] = motion([point, corners[0], corners[1], corners[2]], steps, place);
        let time = point_triangle(&start.map(|v| unit * v), &end.map(|v| unit * v), 0.0);
        prop_assert!(time.is_some_and(|time| (0.0..=0.5).contains(&time)), "{time:?}");
    }

    #[test]
    fn edges_that_meet_are_noticed(
        ends in vectors::<3>(), steps in vectors::<4>(), place in vector(1 << 20),
        s in 0..=8i32, inverse_t in 0..=3, scale in -60..60i32,
    ) {
        // The second edge goes from b0 through a point of the first, a power of two times as far.
        let [a0, a1, b0] = ends;
        let meeting = a0 + f64::from(s) / 8.0 * (a1 - a0);
        let b1 = b0 + f64::powi(2.0, inverse_t) * (meeting - b0);
        let unit = f64::powi(2.0, scale);
        let [start, end] = motion([a0, a1, b0, b1], steps, place);
        let time = edge_edge(&start.map(|v| unit * v), &end.map(|v| unit * v), 0.0);
        prop_assert!(time.is_some_and(|time| (0.0..=0.5).contains(&time)), "{time:?}");
    }

    /// A step of one unit in the last place of 1 beside it is no contact.
    #[test]
    fn a_hair_apart_is_apart(sideways in 1..9i32, step in 1..9i32, place in vector(4)) {
        let hair = f64::from(sideways) * f64::EPSILON * 8.0;
        let edge = [DVec3::ZERO, DVec3::X];
        let other = DVec3::new(1.0 + hair, 0.0, 0.0);
        let halfway = [edge[0], edge[1], other, other + DVec3::Y];
        let fall = f64::from(step) * DVec3::Z;
        let [start, end] = motion(halfway, [DVec3::ZERO, DVec3::ZERO, fall, fall], place);
        prop_assert_eq!(edge_edge(&start, &end, 0.0), None);
    }
}

#[test]
fn without_motion() {
    let touching = [DVec3::new(0.25, 0.25, 0.0), DVec3::ZERO, DVec3::X, DVec3::Y];
    assert_eq!(point_triangle(&touching, &touching, 0.0), Some(0.0));
    let mut apart = touching;
    apart[0].z = 1e-12;
    assert_eq!(point_triangle(&apart, &apart, 0.0), None);
    assert_eq!(point_triangle(&apart, &apart, 1e-11), Some(0.0));
    assert_eq!(point_triangle(&[DVec3::X; 4], &[DVec3::X; 4], 0.0), Some(0.0));
    assert_eq!(edge_edge(&[DVec3::X; 4], &[DVec3::X; 4], 0.0), Some(0.0));
}

#[test]
fn what_is_no_number_counts_as_contact() {
    for bad in [f64::NAN, f64::INFINITY, f64::MAX] {
        let start = [DVec3::new(0.2, 0.2, bad), DVec3::ZERO, DVec3::X, DVec3::Y];
        let end = [DVec3::new(0.2, 0.2, -1.0), DVec3::ZERO, DVec3::X, DVec3::Y];
        assert!(point_triangle(&start, &end, 0.0).is_some());
        assert!(edge_edge(&start, &[DVec3::splat(bad); 4], 1e-3).is_some());
    }
}
