//! What is inside of a plane, a ball or a capsule. Positions in metres → indices.
//!
//! In f64, by plain enumeration: the closest point is a corner, lies on an edge, or in the face, and
//! each is tried. Slow beside the clamped coordinates of a detector, and independent of them.

use glam::{DVec3, Vec3};

use super::exact::{Corners, Simplex, widen};

/// The vertices strictly below the plane through `point`, on the side that `normal` points away from.
/// The normal may have any length.
pub fn beyond_plane(positions: &[Vec3], point: Vec3, normal: Vec3) -> Vec<u32> {
    let (point, normal) = (point.as_dvec3(), normal.as_dvec3());
    let is_below = |position: &Vec3| (position.as_dvec3() - point).dot(normal) < 0.0;
    indices(positions, is_below)
}

/// The triangles that come closer to the centre than the radius (m).
pub fn within_sphere(positions: &[Vec3], triangles: &[[u32; 3]], center: Vec3, radius: f32) -> Vec<u32> {
    within_capsule(positions, triangles, center, center, radius)
}

/// The triangles that come closer to the segment between two points than the radius (m).
pub fn within_capsule(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    from: Vec3,
    to: Vec3,
    radius: f32,
) -> Vec<u32> {
    let axis = [from.as_dvec3(), to.as_dvec3()];
    let radius_sq = f64::from(radius.max(0.0)).powi(2);
    indices(triangles, |triangle| {
        let corners = widen(triangle.map(|vertex| positions[vertex as usize]));
        segment_to_triangle_sq(axis, corners) < radius_sq
    })
}

fn indices<T>(values: &[T], is_wanted: impl Fn(&T) -> bool) -> Vec<u32> {
    values.iter().zip(0..).filter(|(value, _)| is_wanted(value)).map(|(_, index)| index).collect()
}

/// Where a triangle and a segment that do not meet are closest, one of the two is at an end of the
/// segment or on an edge of the triangle.
fn segment_to_triangle_sq([p, q]: [DVec3; 2], corners: Corners) -> f64 {
    if Simplex::between(p, q).meets(Simplex::spanned_by(corners)) {
        return 0.0;
    }
    let edges = edges(corners).map(|edge| segment_to_segment_sq([p, q], edge));
    let ends = [p, q].map(|end| point_to_triangle_sq(end, corners));
    least(edges.into_iter().chain(ends))
}

fn point_to_triangle_sq(p: DVec3, corners: Corners) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    // Above the face: inside of the three planes through the edges that stand on it.
    let is_above = edges(corners).into_iter().all(|[from, to]| normal.cross(to - from).dot(p - from) >= 0.0);
    let to_face = (p - a).dot(normal).powi(2) / normal.length_squared();
    let to_edges = edges(corners).map(|edge| point_to_segment_sq(p, edge));
    // A face without area is all edges.
    let face = (is_above && normal.length_squared() > 0.0).then_some(to_face);
    least(to_edges.into_iter().chain(face))
}

fn point_to_segment_sq(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let t = (p - a).dot(along) / along.length_squared();
    let inner = (t > 0.0 && t < 1.0).then(|| p.distance_squared(a + t * along));
    least([p.distance_squared(a), p.distance_squared(b)].into_iter().chain(inner))
}

fn segment_to_segment_sq(s: [DVec3; 2], t: [DVec3; 2]) -> f64 {
    let ends = [
        point_to_segment_sq(s[0], t),
        point_to_segment_sq(s[1], t),
        point_to_segment_sq(t[0], s),
        point_to_segment_sq(t[1], s),
    ];
    // Inside of both, the line between the closest points is perpendicular to both. Where
    // s0 + x u + h n = t0 + y v with n = u × v, a cross product with each direction leaves one unknown.
    let (u, v, between) = (s[1] - s[0], t[1] - t[0], t[0] - s[0]);
    let n = u.cross(v);
    let (x, y) = (between.cross(v).dot(n) / n.length_squared(), between.cross(u).dot(n) / n.length_squared());
    let inner =
        (x > 0.0 && x < 1.0 && y > 0.0 && y < 1.0).then(|| (s[0] + x * u).distance_squared(t[0] + y * v));
    least(ends.into_iter().chain(inner))
}

fn edges([a, b, c]: Corners) -> [[DVec3; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

fn least(distances: impl Iterator<Item = f64>) -> f64 {
    distances.fold(f64::INFINITY, f64::min)
}
