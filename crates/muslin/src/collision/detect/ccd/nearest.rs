//! The vector from the origin to the nearest point of a triangle or parallelogram, made for use as a
//! separating axis.
//!
//! Close to contact the vector is small and its direction mostly rounding error. So it is cleared of
//! what lies along the sides to which it must be perpendicular: without that, two parallel edges of
//! 1 m that pass each other at 3·10⁻¹¹ m count as touching.

use glam::DVec3;

use crate::math::proximity;

/// To the triangle with these corners.
pub(super) fn to_triangle(corners: &[DVec3; 3]) -> DVec3 {
    let [a, b, c] = *corners;
    let weights = proximity::point_triangle(DVec3::ZERO, *corners);
    let nearest = weights[0] * a + weights[1] * b + weights[2] * c;
    match weights.map(|weight| weight > 0.0) {
        [true, true, true] => along(nearest, (b - a).cross(c - a)),
        [true, true, false] => across(nearest, b - a),
        [true, false, true] => across(nearest, c - a),
        [false, true, true] => across(nearest, c - b),
        _ => nearest,
    }
}

/// To the parallelogram of the differences of the ends of two edges, a0 − b0, a1 − b0, a0 − b1,
/// a1 − b1.
pub(super) fn to_parallelogram(corners: &[DVec3; 4]) -> DVec3 {
    let (first, second) = (corners[1] - corners[0], corners[0] - corners[2]);
    let parameters = proximity::edge_edge([corners[0], corners[1]], [DVec3::ZERO, second]);
    let [s, t] = parameters;
    let nearest = (1.0 - t) * corners[0].lerp(corners[1], s) + t * corners[2].lerp(corners[3], s);
    match parameters.map(|parameter| parameter > 0.0 && parameter < 1.0) {
        [true, true] => along(nearest, first.cross(second)),
        [true, false] => across(nearest, first),
        [false, true] => across(nearest, second),
        [false, false] => nearest,
    }
}

/// The part of a vector along a direction.
fn along(vector: DVec3, direction: DVec3) -> DVec3 {
    direction * (vector.dot(direction) / direction.length_squared())
}

/// The part of a vector across a direction.
fn across(vector: DVec3, direction: DVec3) -> DVec3 {
    let scale = 1.0 / direction.length_squared();
    let once = vector - direction * (scale * vector.dot(direction));
    once - direction * (scale * once.dot(direction)) // what rounding left, if little else is
}
