//! Do two flat things meet? Points, segments and triangles → yes or no, without rounding.
//!
//! Every answer is made of comparisons of coordinates and of signs of determinants, computed exactly
//! (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates").
//! Positions come as f32: products of three of their differences stay within the exponents of f64, so
//! the signs hold for every finite input. All sets are closed: touching is meeting.

use std::cmp::Ordering;

use glam::{DVec3, Vec3};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// A corner, widened from f32.
pub(super) type Point = DVec3;

/// Three corners, in whatever position.
pub(super) type Corners = [Point; 3];

/// The same positions in f64.
pub(super) fn widen(points: [Vec3; 3]) -> Corners {
    points.map(Vec3::as_dvec3)
}

fn sign(value: f64) -> i32 {
    i32::from(value > 0.0) - i32::from(value < 0.0)
}

/// On which side of the plane through `a`, `b`, `c` is `d`? Positive where they look clockwise.
pub(super) fn side_of_plane([a, b, c]: Corners, d: Point) -> i32 {
    // Sheets that lie in a coordinate plane are common, and the arithmetic is slowest at zero.
    let level = |axis: usize| a[axis] == b[axis] && a[axis] == c[axis] && a[axis] == d[axis];
    if level(0) || level(1) || level(2) {
        return 0;
    }
    let [a, b, c, d] = [a, b, c, d].map(|Point { x, y, z }| Coord3D { x, y, z });
    sign(orient3d(a, b, c, d))
}

/// A view along one axis, in which a plane that is not parallel to it is seen without loss.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The axes that are seen.
    axes: [usize; 2],
}

impl View {
    /// Along z, with x to the right and y up.
    pub const ALONG_Z: Self = Self { axes: [0, 1] };
    const ALL: [Self; 3] = [Self::ALONG_Z, Self { axes: [1, 2] }, Self { axes: [2, 0] }];

    /// A view in which the points are not on one line; none if they are on one line in space.
    pub fn onto(corners: Corners) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.turn(corners) != 0)
    }

    /// Positive if the points turn left, zero if they are on one line.
    pub fn turn(self, points: Corners) -> i32 {
        let [a, b, c] = points.map(|p| Coord { x: p[self.axes[0]], y: p[self.axes[1]] });
        sign(orient2d(a, b, c))
    }

    /// Whether two segments, seen from here, meet. They lie in a plane that is seen without loss.
    fn segments_meet(self, [a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
        let (c_side, d_side) = (self.turn([a, b, c]), self.turn([a, b, d]));
        if c_side == 0 && d_side == 0 {
            return intervals_meet([a, b], [c, d]);
        }
        c_side * d_side <= 0 && self.turn([c, d, a]) * self.turn([c, d, b]) <= 0
    }

    /// Whether two triangles, seen from here, meet. If they do not, the line along some edge has its own
    /// triangle on one side and all of the other on the other side.
    fn triangles_meet(self, t: Corners, u: Corners) -> bool {
        let is_parted = |[a, b, c]: Corners, other: Corners| {
            let own = self.turn([a, b, c]);
            let parts = |a, b| other.iter().all(|&corner| self.turn([a, b, corner]) == -own);
            parts(a, b) || parts(b, c) || parts(c, a)
        };
        !is_parted(t, u) && !is_parted(u, t)
    }

    /// Whether triangles `vertex`, `a` and `vertex`, `b`, seen from here, meet besides in the vertex. If
    /// they do, an edge from the vertex of one is in the angle of the other.
    pub fn angles_meet(self, vertex: Point, a: [Point; 2], b: [Point; 2]) -> bool {
        let is_in = |p: Point, [from, to]: [Point; 2], own: i32| {
            self.turn([vertex, from, p]) != -own && self.turn([vertex, p, to]) != -own
        };
        let (a_turn, b_turn) = (self.turn([vertex, a[0], a[1]]), self.turn([vertex, b[0], b[1]]));
        b.iter().any(|&p| is_in(p, a, a_turn)) || a.iter().any(|&p| is_in(p, b, b_turn))
    }

    /// Whether a point, seen from here, is in a triangle that is no line from here.
    fn is_inside(self, p: Point, [a, b, c]: Corners) -> bool {
        let sides = [self.turn([a, b, p]), self.turn([b, c, p]), self.turn([c, a, p])];
        sides.iter().all(|&side| side >= 0) || sides.iter().all(|&side| side <= 0)
    }
}

/// By x, then y, then z. Along a line this order goes from one end to the other.
pub(super) fn along(a: Point, b: Point) -> Ordering {
    // Positions are finite, and −0 equals 0.
    let by = |axis: usize| a[axis].partial_cmp(&b[axis]).unwrap_or(Ordering::Equal);
    by(0).then(by(1)).then(by(2))
}

/// Whether two segments on one line meet.
fn intervals_meet(s: [Point; 2], t: [Point; 2]) -> bool {
    let ([s_low, s_high], [t_low, t_high]) = (ordered(s), ordered(t));
    along(s_low, t_high).is_le() && along(t_low, s_high).is_le()
}

fn ordered([a, b]: [Point; 2]) -> [Point; 2] {
    if along(a, b).is_le() { [a, b] } else { [b, a] }
}

/// What corners span: no two points of a segment are equal, no three of a triangle on one line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Simplex {
    /// All corners are equal.
    Point(Point),
    /// All corners are on one line; its ends.
    Segment([Point; 2]),
    /// The corners have a plane.
    Triangle(Corners),
}

use Simplex::{Point as P, Segment as S, Triangle as T};

impl Simplex {
    /// What three corners span.
    pub fn spanned_by(corners: Corners) -> Self {
        if View::onto(corners).is_some() {
            return T(corners);
        }
        let [a, b, c] = corners;
        let lowest = ordered([ordered([a, b])[0], c])[0];
        let highest = ordered([ordered([a, b])[1], c])[1];
        if lowest == highest { P(lowest) } else { S([lowest, highest]) }
    }

    /// What two points span.
    pub fn between(a: Point, b: Point) -> Self {
        if a == b { P(a) } else { S([a, b]) }
    }

    /// Whether two simplices have a point in common.
    pub fn meets(self, other: Self) -> bool {
        match (self, other) {
            (P(p), P(q)) => p == q,
            (P(p), S(s)) | (S(s), P(p)) => is_on_segment(p, s),
            (P(p), T(t)) | (T(t), P(p)) => is_on_triangle(p, t),
            (S(s), S(t)) => segments_meet(s, t),
            (S(s), T(t)) | (T(t), S(s)) => segment_meets_triangle(s, t),
            (T(t), T(u)) => triangles_meet(t, u),
        }
    }
}

fn is_on_segment(p: Point, [a, b]: [Point; 2]) -> bool {
    View::onto([a, b, p]).is_none() && intervals_meet([a, b], [p, p])
}

fn is_on_triangle(p: Point, t: Corners) -> bool {
    side_of_plane(t, p) == 0 && View::onto(t).is_some_and(|view| view.is_inside(p, t))
}

fn segments_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    if side_of_plane([a, b, c], d) != 0 {
        return false;
    }
    match View::onto([a, b, c]).or_else(|| View::onto([a, b, d])) {
        Some(view) => view.segments_meet([a, b], [c, d]),
        None => intervals_meet([a, b], [c, d]),
    }
}

fn segment_meets_triangle([p, q]: [Point; 2], t: Corners) -> bool {
    segment_meets_triangle_from_sides([p, q], [side_of_plane(t, p), side_of_plane(t, q)], t)
}

/// As the name says, where it is known on which sides of the triangle's plane the segment ends.
fn segment_meets_triangle_from_sides([p, q]: [Point; 2], sides: [i32; 2], t: Corners) -> bool {
    let [a, b, c] = t;
    match sides {
        [0, 0] => View::onto(t).is_some_and(|view| {
            let edges = [[a, b], [b, c], [c, a]];
            view.is_inside(p, t) || edges.into_iter().any(|edge| view.segments_meet([p, q], edge))
        }),
        // The line crosses the plane in one point. It is in the triangle if the line passes all edges
        // on the same side.
        [x, y] if x != y => {
            let first = side_of_plane([p, q, a], b);
            let second = side_of_plane([p, q, b], c);
            first * second >= 0 && {
                let third = side_of_plane([p, q, c], a);
                second * third >= 0 && third * first >= 0
            }
        }
        _ => false,
    }
}

/// Two triangles meet if and only if an edge of one meets the other: what they have in common is convex
/// and has its corners on edges.
fn triangles_meet(t: Corners, u: Corners) -> bool {
    let sides = |corners: Corners, plane: Corners| corners.map(|corner| side_of_plane(plane, corner));
    let (t_sides, u_sides) = (sides(t, u), sides(u, t));
    if u_sides == [0; 3] {
        return View::onto(t).is_some_and(|view| view.triangles_meet(t, u));
    }
    let edge_meets = |edge: Corners, sides: [i32; 3], other: Corners| {
        [(0, 1), (1, 2), (2, 0)]
            .into_iter()
            .any(|(i, j)| segment_meets_triangle_from_sides([edge[i], edge[j]], [sides[i], sides[j]], other))
    };
    edge_meets(u, u_sides, t) || edge_meets(t, t_sides, u)
}

/// Whether what two times three corners span has a point in common.
pub(super) fn corners_meet(t: Corners, u: Corners) -> bool {
    // This settles nearly all pairs of a cloth. Corners without a plane are on no side.
    !(is_beside_plane(t, &u) || is_beside_plane(u, &t))
        && Simplex::spanned_by(t).meets(Simplex::spanned_by(u))
}

/// Whether all points are strictly on one side of a plane.
pub(super) fn is_beside_plane(plane: Corners, points: &[Point]) -> bool {
    let side = side_of_plane(plane, points[0]);
    side != 0 && points[1..].iter().all(|&point| side_of_plane(plane, point) == side)
}
