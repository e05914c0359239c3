//! Closest points of a point and a triangle, and of two segments, in double precision.
//!
//! In: positions in m. Out: weights of the corners, or fractions of the way along the segments.
//! Every shape is valid: triangles that are a line or a point, segments that are parallel or a
//! point.
//!
//! Both functions first try the inside (the foot of the perpendicular in the plane of the triangle,
//! the common perpendicular of the two lines). If that lies outside, the closest point is on the
//! border, the distance being a convex function: then the sides, or the four ends, decide.
//!
//! # Accuracy
//!
//! The distance between the points found is at most about 100 ε·size too large (ε = 1.1·10⁻¹⁶; size:
//! the extent of all that is asked for), however thin the shapes are. With σ the sine of the angle
//! between two sides or edges, formulas for two unknowns at once leave errors of ε·size/σ (cross
//! products) or ε·size/σ² (normal equations) in *each* of them, and errors of two unknowns do not
//! cancel: edges that cross at σ = 10⁻⁹ came out 2·10⁻⁷ apart. So where σ is small one unknown is
//! taken from the formula, and the other is computed from it, by projecting onto a segment. The
//! error that is left moves the point along both shapes at once, which changes its distance by
//! σ times the error only: ε·size.

use glam::DVec3;

/// Squared sine of the corner angle below which the normal equations of a triangle lose too much:
/// their error is ε·size/σ², here 32 ε·size.
const SLIVER: f64 = 1.0 / 32.0;

/// Squared sine below which two edges are nearly parallel: the error of cross products is ε·size/σ,
/// here 32 ε·size.
const NEARLY_PARALLEL: f64 = 1e-3;

/// Squared sine below which a triangle is a line and two segments are parallel: the direction of
/// the cross product is lost in rounding then.
const LINE: f64 = 1e-28;

/// A point of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClosestPoint {
    /// Weights of the three corners, none negative, of sum 1.
    pub(crate) weights: [f64; 3],
    /// Squared distance to the point asked for, in m².
    pub(crate) distance_sq: f64,
}

/// The weights of the corners, none negative and of sum 1, that give the point of the triangle
/// nearest to `point`.
pub fn point_triangle(point: DVec3, triangle: [DVec3; 3]) -> [f64; 3] {
    closest_in_triangle(point, triangle).weights
}

/// The point of a triangle nearest to `point`.
#[inline]
pub(crate) fn closest_in_triangle(point: DVec3, triangle: [DVec3; 3]) -> ClosestPoint {
    // Foot of the perpendicular a + s·ab + t·ac, from the normal equations
    //   |ab|² s + (ab·ac) t = ab·ap,   (ab·ac) s + |ac|² t = ac·ap.
    let [a, b, c] = triangle;
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (g11, g12, g22) = (ab.length_squared(), ab.dot(ac), ac.length_squared());
    let determinant = g11 * g22 - g12 * g12;
    if determinant <= SLIVER * g11 * g22 {
        return closest_in_sliver(point, triangle);
    }
    let (r1, r2) = (ab.dot(ap), ac.dot(ap));
    let s = (g22 * r1 - g12 * r2) / determinant;
    let t = (g11 * r2 - g12 * r1) / determinant;
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        inside(ab, ac, ap, s, t)
    } else {
        closest_on_sides(point, triangle)
    }
}

/// The same for a triangle with a small angle, also for one that is a line or a point.
#[cold]
fn closest_in_sliver(point: DVec3, corners: [DVec3; 3]) -> ClosestPoint {
    let on_sides = closest_on_sides(point, corners);
    let length_sq = |k: usize| corners[k].distance_squared(corners[(k + 1) % 3]);
    let first = (0..3).fold(0, |longest, k| if length_sq(k) > length_sq(longest) { k } else { longest });
    let [second, tip] = [(first + 1) % 3, (first + 2) % 3];
    let [a, b, c] = [first, second, tip].map(|k| corners[k]); // ab is the longest side
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let normal = ab.cross(ac);
    let normal_sq = normal.length_squared();
    if normal_sq <= LINE * ab.length_squared() * ac.length_squared() {
        return on_sides;
    }
    let height = ab.cross(ap).dot(normal) / normal_sq; // the weight of the tip
    if !(0.0..=1.0).contains(&height) {
        return on_sides;
    }
    // How far along, on the parallel to the longest side at this height.
    let (along, distance_sq) = closest_on_segment(point, [a.lerp(c, height), b.lerp(c, height)]);
    // The height is uncertain, and means nothing beyond the ends of the parallel: the sides are a check on it.
    if distance_sq >= on_sides.distance_sq {
        return on_sides;
    }
    let mut weights = [0.0; 3];
    weights[first] = (1.0 - height) * (1.0 - along);
    weights[second] = (1.0 - height) * along;
    weights[tip] = height;
    ClosestPoint { weights, distance_sq }
}

/// The point a + s·ab + t·ac.
#[inline]
fn inside(ab: DVec3, ac: DVec3, ap: DVec3, s: f64, t: f64) -> ClosestPoint {
    ClosestPoint {
        weights: [(1.0 - s - t).max(0.0), s, t], // s + t may have been rounded down to 1
        distance_sq: (ap - s * ab - t * ac).length_squared(),
    }
}

/// The nearest point on the sides of a triangle.
#[inline]
fn closest_on_sides(point: DVec3, corners: [DVec3; 3]) -> ClosestPoint {
    let mut best = ClosestPoint { weights: [1.0, 0.0, 0.0], distance_sq: f64::INFINITY };
    for k in 0..3 {
        let next = (k + 1) % 3;
        let (s, distance_sq) = closest_on_segment(point, [corners[k], corners[next]]);
        if distance_sq < best.distance_sq {
            best.weights = [0.0; 3];
            best.weights[k] = 1.0 - s;
            best.weights[next] = s;
            best.distance_sq = distance_sq;
        }
    }
    best
}

/// The fractions of the way along the segments `a` and `b`, each in 0 to 1, where they are nearest
/// to each other.
pub fn edge_edge(a: [DVec3; 2], b: [DVec3; 2]) -> [f64; 2] {
    // Common perpendicular: a0 + s·u − b0 − t·v is along n = u × v. With r = b0 − a0, dotting
    // s·u − t·v + λn = r with v × n and u × n leaves s = (r × v)·n / n² and t = (r × u)·n / n².
    let (u, v, r) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let normal = u.cross(v);
    let normal_sq = normal.length_squared();
    let lengths_sq = u.length_squared() * v.length_squared();
    if normal_sq > LINE * lengths_sq {
        let s = r.cross(v).dot(normal) / normal_sq;
        let t = r.cross(u).dot(normal) / normal_sq;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            return if normal_sq < NEARLY_PARALLEL * lengths_sq {
                of_nearly_parallel(a, b, s)
            } else {
                [s, t]
            };
        }
    }
    let mut best = ([0.0, 0.0], f64::INFINITY);
    let mut offer = |parameters: [f64; 2], distance_sq: f64| {
        if distance_sq < best.1 {
            best = (parameters, distance_sq);
        }
    };
    for (end, parameter) in [0.0, 1.0].into_iter().enumerate() {
        let (t, distance_sq) = closest_on_segment(a[end], b);
        offer([parameter, t], distance_sq);
        let (s, distance_sq) = closest_on_segment(b[end], a);
        offer([s, parameter], distance_sq);
    }
    best.0
}

/// Fractions for segments that are nearly parallel, from an uncertain one of the first.
#[cold]
fn of_nearly_parallel(a: [DVec3; 2], b: [DVec3; 2], s: f64) -> [f64; 2] {
    let (t, _) = closest_on_segment(a[0].lerp(a[1], s), b);
    // Back again: where `b` ends, `s` must be the place beside its end, which the formula has missed.
    let (s, _) = closest_on_segment(b[0].lerp(b[1], t), a);
    [s, t]
}

/// The fraction of the way along the segment where it is nearest to `point`, and how near, squared.
#[inline]
fn closest_on_segment(point: DVec3, [a, b]: [DVec3; 2]) -> (f64, f64) {
    let (ab, ap) = (b - a, point - a);
    let length_sq = ab.length_squared();
    let s = if length_sq > 0.0 { (ab.dot(ap) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    (s, (ap - s * ab).length_squared())
}
