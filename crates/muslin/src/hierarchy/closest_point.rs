//! The point of a triangle nearest to a given point, in barycentric coordinates.
//!
//! Works for triangles of any shape, a line or a point included.

use glam::DVec3;

/// A point of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClosestPoint {
    /// Weights of the three corners, none negative, of sum 1.
    pub(super) weights: [f64; 3],
    /// Squared distance to the point asked for, in m².
    pub(super) distance_sq: f64,
}

/// The point of the triangle (a, b, c) nearest to `point`.
pub(super) fn closest_point(point: DVec3, [a, b, c]: [DVec3; 3]) -> ClosestPoint {
    // Foot of the perpendicular a + s·ab + t·ac, from the normal equations
    //   |ab|² s + (ab·ac) t = ab·ap,   (ab·ac) s + |ac|² t = ac·ap.
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (g11, g12, g22) = (ab.length_squared(), ab.dot(ac), ac.length_squared());
    let (r1, r2) = (ab.dot(ap), ac.dot(ap));
    let determinant = g11 * g22 - g12 * g12;
    // Below this the plane of the triangle is lost in rounding; its sides say all.
    if determinant > 1e-14 * g11 * g22 {
        let s = (g22 * r1 - g12 * r2) / determinant;
        let t = (g11 * r2 - g12 * r1) / determinant;
        if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
            return ClosestPoint {
                weights: [(1.0 - s - t).max(0.0), s, t], // s + t may have been rounded down to 1
                distance_sq: (ap - s * ab - t * ac).length_squared(),
            };
        }
    }
    let corners = [a, b, c];
    let mut best = ClosestPoint { weights: [1.0, 0.0, 0.0], distance_sq: f64::INFINITY };
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (s, distance_sq) = closest_on_segment(point, corners[k], corners[next]);
        if distance_sq < best.distance_sq {
            best.weights = [0.0; 3];
            best.weights[k] = 1.0 - s;
            best.weights[next] = s;
            best.distance_sq = distance_sq;
        }
    }
    best
}

/// The fraction of the way from `a` to `b` where the segment is nearest to `point`, and how near,
/// squared.
fn closest_on_segment(point: DVec3, a: DVec3, b: DVec3) -> (f64, f64) {
    let (ab, ap) = (b - a, point - a);
    let length_sq = ab.length_squared();
    let s = if length_sq > 0.0 { (ab.dot(ap) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (s, (ap - s * ab).length_squared())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn at(weights: [f64; 3], corners: [DVec3; 3]) -> DVec3 {
        weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2]
    }

    #[test]
    fn inside_beside_and_beyond() {
        let above = closest_point(DVec3::new(0.25, 0.5, 2.0), RIGHT);
        assert_eq!(above, ClosestPoint { weights: [0.25, 0.25, 0.5], distance_sq: 4.0 });
        assert_eq!(closest_point(DVec3::new(0.5, -1.0, 0.0), RIGHT).weights, [0.5, 0.5, 0.0]);
        assert_eq!(closest_point(DVec3::new(3.0, -1.0, 0.0), RIGHT).weights, [0.0, 1.0, 0.0]);
        assert_eq!(closest_point(DVec3::new(1.0, 1.0, 0.0), RIGHT).weights, [0.0, 0.5, 0.5]);
    }

    #[test]
    fn a_line_and_a_point_are_triangles_too() {
        let line = [DVec3::ZERO, DVec3::X, 3.0 * DVec3::X];
        let found = closest_point(DVec3::new(2.0, 1.0, 0.0), line);
        assert_eq!(found.distance_sq, 1.0);
        assert!((at(found.weights, line) - 2.0 * DVec3::X).length() < 1e-12);
        assert_eq!(closest_point(DVec3::Y, [DVec3::ZERO; 3]).distance_sq, 1.0);
    }

    #[test]
    fn agrees_with_dense_sampling() {
        let corners = [DVec3::new(0.3, 0.1, -0.4), DVec3::new(1.0, -0.7, 0.2), DVec3::new(-0.2, 0.9, 0.6)];
        for k in 0..50 {
            let angle = f64::from(k);
            let point = 1.5 * DVec3::new(angle.sin(), (2.3 * angle).cos(), (1.7 * angle).sin());
            let found = closest_point(point, corners);
            assert!((at(found.weights, corners).distance_squared(point) - found.distance_sq).abs() < 1e-9);
            for i in 0..=40 {
                for j in 0..=40 - i {
                    let (s, t) = (f64::from(i) / 40.0, f64::from(j) / 40.0);
                    let sample = at([1.0 - s - t, s, t], corners);
                    assert!(found.distance_sq <= sample.distance_squared(point) + 1e-12);
                }
            }
        }
    }
}
