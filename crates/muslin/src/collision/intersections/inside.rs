//! Which points are inside of a closed mesh? A cloth wholly inside of a body intersects nothing.
//!
//! Points, mesh → the points strictly inside, without rounding. A ray goes from the point along +z, and
//! the triangles that it passes are counted, up or down: that is how often the surface goes around the
//! point. Where a ray meets an edge or a corner, it is moved aside by (ε, ε²) with ε as small as needed
//! (Edelsbrunner and Mücke 1990, "Simulation of Simplicity"): then it passes exactly as many of the
//! triangles around as a ray beside it would.

use glam::Vec3;

use super::exact::{Corners, Point, Simplex, View, side_of_plane, widen};
use super::{box_of, tree_of};
use crate::collision::detect::bvh::{Bvh, MovingBox};

/// The points strictly inside of a closed mesh; those on its surface are not.
///
/// Inside is where the surface goes around a point, however often, so parts of a body may overlap. The
/// triangles have to be oriented consistently, outwards or inwards. A hole lets the rays through that
/// happen to meet it.
pub fn inside_closed_mesh(points: &[Vec3], positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<u32> {
    let tree = tree_of(positions, triangles);
    let corners = |t: u32| widen(triangles[t as usize].map(|v| positions[v as usize]));
    let is_inside = |point: &Vec3| times_around(*point, &tree, corners) != 0;
    points.iter().zip(0..).filter(|(point, _)| is_inside(point)).map(|(_, index)| index).collect()
}

/// How often the triangles go around a point: 0 outside, and on the surface.
fn times_around(point: Vec3, tree: &Bvh, corners: impl Fn(u32) -> Corners) -> i32 {
    let mut ray = box_of([point; 3]);
    ray.max.z = f32::INFINITY;
    let point = point.as_dvec3();
    let (mut times, mut is_on_surface) = (0, false);
    tree.visit(&MovingBox::still(ray), |triangle| {
        let corners = corners(triangle);
        let side = side_of_plane(corners, point);
        is_on_surface |= side == 0 && Simplex::spanned_by(corners).meets(Simplex::between(point, point));
        let turn = turn_around(corners, point);
        // A triangle that is counter-clockwise from above has its positive side below.
        times += if side * turn > 0 { turn } else { 0 };
    });
    if is_on_surface { 0 } else { times }
}

/// Seen along the ray: 1 if the triangle goes counter-clockwise around the point, −1 if clockwise, 0 if
/// it does not go around it.
fn turn_around([a, b, c]: Corners, point: Point) -> i32 {
    let turns = [[a, b], [b, c], [c, a]].map(|edge| turn_of_moved(edge, point));
    if turns[0] == turns[1] && turns[1] == turns[2] { turns[0] } else { 0 }
}

/// On which side of an edge is the point, moved by (ε, ε²)? With p = point:
/// turn = (bx − ax)(py − ay) − (by − ay)(px − ax), which the motion changes by (bx − ax) ε² − (by − ay) ε.
fn turn_of_moved([a, b]: [Point; 2], point: Point) -> i32 {
    let compare = |x: f64, y: f64| i32::from(x > y) - i32::from(x < y);
    let exact = View::ALONG_Z.turn([a, b, point]);
    let or = |first: i32, second: i32| if first != 0 { first } else { second };
    or(exact, or(compare(a.y, b.y), compare(b.x, a.x)))
}
