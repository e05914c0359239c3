//! Contact at a distance, against the distances at many times.

use glam::DVec3;
use proptest::prelude::*;

use super::{edge_edge, point_triangle};
use crate::math::proximity;

const SAMPLES: u32 = 400;

/// A motion and a separation.
#[derive(Clone, Debug)]
struct Scene {
    start: [DVec3; 4],
    end: [DVec3; 4],
    separation: f64,
}

/// Corners as single precision has them.
fn rounded(v: DVec3) -> DVec3 {
    v.as_vec3().as_dvec3()
}

/// Vectors in a cube of edge 2: any, and on few values so that shapes degenerate.
fn vector() -> impl Strategy<Value = DVec3> {
    let coordinate = || prop_oneof![2 => (-1i8..=1).prop_map(f64::from), 3 => -1.0..1.0];
    (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// Elements of 1 cm that move by up to 1 cm, or hardly, or in parallel; at the origin or 1 km from
/// it; some with a flattened shape.
fn scene() -> impl Strategy<Value = Scene> {
    let corners = proptest::array::uniform4(vector());
    let steps = proptest::array::uniform4(vector());
    let flat = prop_oneof![3 => Just(1.0), 1 => Just(0.0), 1 => Just(1e-4), 1 => Just(1e-7)];
    let reach =
        prop_oneof![3 => Just(1e-2), 1 => Just(1e-3), 1 => Just(1e-6), 1 => Just(1e-9), 1 => Just(0.0)];
    let place = prop_oneof![Just(DVec3::ZERO), vector().prop_map(|v| 1000.0 * v)];
    let separation = prop_oneof![3 => Just(1e-4), 1 => Just(1e-3), 1 => Just(1e-6)];
    (corners, steps, flat, reach, any::<bool>(), place, separation).prop_map(
        |(corners, steps, flat, reach, rigid, place, separation)| {
            let start = corners.map(|v| rounded(0.01 * v * DVec3::new(1.0, 1.0, flat) + place));
            let step = |k: usize| reach * if rigid && k > 0 { steps[1] } else { steps[k] };
            let end = std::array::from_fn(|k| rounded(start[k] + step(k)));
            Scene { start, end, separation }
        },
    )
}

/// The distance of a point and a triangle.
fn point_triangle_distance([point, a, b, c]: [DVec3; 4]) -> f64 {
    proximity::closest_in_triangle(point, [a, b, c]).distance_sq.sqrt()
}

/// The distance of two edges.
fn edge_edge_distance([a0, a1, b0, b1]: [DVec3; 4]) -> f64 {
    let [s, t] = proximity::edge_edge([a0, a1], [b0, b1]);
    a0.lerp(a1, s).distance(b0.lerp(b1, t))
}

/// Checks an answer.
fn check(scene: &Scene, found: Option<f64>, distance: fn([DVec3; 4]) -> f64) -> Result<(), TestCaseError> {
    let Scene { start, end, separation } = scene;
    // Differences of numbers in single precision are exact: so the samples suffer no rounding from
    // being far from the origin.
    let origin = start[1];
    let distance_at = |time: f64| {
        distance(std::array::from_fn(|k| (1.0 - time) * (start[k] - origin) + time * (end[k] - origin)))
    };
    let last = found.unwrap_or(1.0);
    prop_assert!((0.0..=1.0).contains(&last));
    if distance_at(0.0) <= *separation {
        prop_assert_eq!(found, Some(0.0));
        return Ok(());
    }
    for k in 0..=SAMPLES {
        let time = last * f64::from(k) / f64::from(SAMPLES);
        let least = separation * (1.0 - 1e-9);
        prop_assert!(distance_at(time) >= least, "{} at {time} before {found:?}", distance_at(time));
    }
    if found.is_some() {
        let excess = distance_at(last) / separation - 1.0;
        prop_assert!(excess < 1e-3, "stopped {excess} of the separation too early");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_point_stops_before_a_triangle(scene in scene()) {
        check(&scene, point_triangle(&scene.start, &scene.end, scene.separation), point_triangle_distance)?;
    }

    #[test]
    fn an_edge_stops_before_another(scene in scene()) {
        check(&scene, edge_edge(&scene.start, &scene.end, scene.separation), edge_edge_distance)?;
    }
}
