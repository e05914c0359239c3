//! Hulls against what a hull is, and what broke.

use super::*;
use crate::mesh::{Topology, generate};

/// Whether triangles are closed and hold all points, up to rounding.
fn assert_is_hull(points: &[DVec3], triangles: &[[u32; 3]]) {
    assert!(Topology::new(points.len(), triangles).is_closed());
    let size = points.iter().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
    for triangle in triangles {
        let [a, b, c] = triangle.map(|p| points[p as usize]);
        let normal = (b - a).cross(c - a);
        assert!(normal.length() > 0.0);
        let normal = normal.normalize();
        // Twice the tolerance: the point that is left out may be the highest of three planes at a corner.
        let highest = points.iter().map(|p| normal.dot(*p - a)).fold(f64::MIN, f64::max);
        assert!(highest <= 2.0 * f64::from(f32::EPSILON) * size, "{highest}");
    }
}

fn corners(triangles: &[[u32; 3]]) -> usize {
    let mut corners: Vec<u32> = triangles.as_flattened().to_vec();
    corners.sort_unstable();
    corners.dedup();
    corners.len()
}

fn wide(points: &[glam::Vec3]) -> Vec<DVec3> {
    points.iter().map(|p| p.as_dvec3()).collect()
}

#[test]
fn hulls_hold_all_points() {
    let ball = wide(&generate::sphere(0.3, 4).unwrap().positions);
    let found = hull(&ball).unwrap();
    assert_is_hull(&ball, &found);
    assert_eq!((corners(&found), found.len()), (ball.len(), 2 * ball.len() - 4));
    // Points in planes and on edges add nothing.
    let cuboid = wide(&generate::cuboid(glam::Vec3::new(1.0, 2.0, 3.0), 9).unwrap().positions);
    let found = hull(&cuboid).unwrap();
    assert_is_hull(&cuboid, &found);
    assert_eq!((corners(&found), found.len()), (8, 12));
    // Nor do those that single precision has moved out of a plane that is turned.
    let turn = glam::DQuat::from_rotation_y(0.3) * glam::DQuat::from_rotation_x(0.7);
    let turned: Vec<DVec3> = cuboid.iter().map(|p| (turn * *p).as_vec3().as_dvec3()).collect();
    let found = hull(&turned).unwrap();
    assert_is_hull(&turned, &found);
    assert!(corners(&found) < 40, "{}", corners(&found));
    // Inner points and doubled ones are not corners.
    let mut cloud = ball.clone();
    cloud.extend(ball.iter().map(|p| 0.9 * *p));
    cloud.extend_from_slice(&ball);
    assert_eq!(corners(&hull(&cloud).unwrap()), ball.len());
}

#[test]
fn flat_points_have_no_hull() {
    let plane = wide(&generate::disk(1.0, 5).unwrap().positions);
    assert_eq!(hull(&plane).unwrap_err(), "they lie in one plane");
    assert_eq!(
        hull(&[DVec3::ZERO, DVec3::X, 2.0 * DVec3::X, 3.0 * DVec3::X]).unwrap_err(),
        "they lie on one line"
    );
    assert_eq!(hull(&[DVec3::ONE; 5]).unwrap_err(), "they lie at one place");
}

#[test]
fn many_points_on_circles_took_memory_quadratic_in_their_number() {
    // 6,000 took more than 4 GB. Here no more facets are ever kept than a hull of all points has.
    let tube = wide(&generate::tube(0.5, 1.0, 50_000, 1).unwrap().positions);
    let found = hull(&tube).unwrap();
    assert!(Topology::new(tube.len(), &found).is_closed());
    assert!((1000..20_000).contains(&corners(&found)), "{}", corners(&found));
}
