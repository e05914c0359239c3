//! Cases made by hand.

mod random;
mod separation;
mod volumes;

use glam::Vec3;

use super::exact::{Corners, corners_meet, widen};
use super::neighbours::Face;
use super::{self_intersections, self_intersections_among};

type Triangle = [[f32; 3]; 3];

/// x to the right, y up; both legs of length 4.
const BASE: Triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn corners(triangle: Triangle) -> Corners {
    widen(triangle.map(Vec3::from))
}

/// Whether two triangles meet; the answer has to be the same for every order of corners and triangles.
fn meet(a: Triangle, b: Triangle) -> bool {
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let span = |t: Triangle, order: [usize; 3]| corners(order.map(|k| t[k]));
    let answer = corners_meet(span(a, orders[0]), span(b, orders[0]));
    for (first, second) in orders.into_iter().flat_map(|first| orders.map(|second| (first, second))) {
        assert_eq!(corners_meet(span(a, first), span(b, second)), answer, "{a:?} {b:?}");
        assert_eq!(corners_meet(span(b, second), span(a, first)), answer, "{b:?} {a:?}");
    }
    answer
}

#[test]
fn crossing_and_touching() {
    assert!(meet(BASE, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 0.0]]), "an edge through the face");
    assert!(meet(BASE, [[1.0, 1.0, 0.0], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]), "corner on face");
    assert!(meet(BASE, [[2.0, 2.0, 0.0], [5.0, 5.0, 3.0], [5.0, 5.0, -3.0]]), "corner on edge");
    assert!(meet(BASE, [[4.0, 0.0, 0.0], [5.0, 0.0, 3.0], [5.0, 1.0, 3.0]]), "corner on corner");
    assert!(meet(BASE, [[2.0, 0.0, -1.0], [2.0, 0.0, 1.0], [2.0, -3.0, 0.0]]), "edge across edge");
    assert!(meet(BASE, [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, -1.0, 2.0]]), "edge along edge");
    assert!(!meet(BASE, [[1.0, 1.0, 1e-30], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]), "just above");
    assert!(!meet(BASE, [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [9.0, 9.0, 0.0]]), "beside");
    let just_beside = 2.0f32.next_up();
    assert!(!meet(BASE, [[just_beside, 2.0, 0.0], [5.0, 5.0, 3.0], [5.0, 5.0, -3.0]]));
}

#[test]
fn in_one_plane() {
    assert!(meet(BASE, [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]]), "inside");
    assert!(meet(BASE, [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 2.0, 0.0]]), "overlapping");
    assert!(meet(BASE, [[-1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 0.5, 0.0]]), "edges only");
    assert!(meet(BASE, [[4.0, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 1.0, 0.0]]), "corner on corner");
    assert!(meet(BASE, [[2.0, 2.0, 0.0], [5.0, 5.0, 0.0], [5.0, 6.0, 0.0]]), "corner on edge");
    assert!(meet(BASE, [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, -1.0, 0.0]]), "edge along edge");
    assert!(meet(BASE, BASE), "the same");
    assert!(!meet(BASE, [[3.0, 3.0, 0.0], [5.0, 3.0, 0.0], [3.0, 5.0, 0.0]]), "beside");
    assert!(!meet(BASE, [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [7.0, 1.0, 0.0]]), "on a line with an edge");
    // A plane along no axis: x + y + z = 3.
    let tilted = [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]];
    assert!(meet(tilted, [[1.0, 1.0, 1.0], [5.0, -1.0, -1.0], [5.0, -2.0, 0.0]]));
    assert!(!meet(tilted, [[2.0, 2.0, -1.0], [2.0, 3.0, -2.0], [3.0, 2.0, -2.0]]));
}

#[test]
fn without_area() {
    let point = |x: f32, y: f32, z: f32| [[x, y, z]; 3];
    assert!(meet(BASE, point(1.0, 1.0, 0.0)) && meet(BASE, point(2.0, 2.0, 0.0)));
    assert!(meet(BASE, point(4.0, 0.0, 0.0)) && meet(point(1.0, 2.0, 3.0), point(1.0, 2.0, 3.0)));
    assert!(!meet(BASE, point(1.0, 1.0, 0.5)) && !meet(BASE, point(2.0, 2.5, 0.0)));
    let needle = [[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [1.0, 1.0, 1.0]];
    assert!(meet(BASE, needle) && meet(needle, needle) && meet(needle, point(1.0, 1.0, 2.0)));
    assert!(!meet(needle, point(1.0, 1.0, 3.5)) && !meet(needle, point(1.0, 1.5, 2.0)));
    assert!(meet(needle, [[0.0, 0.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0]]), "crossing lines");
    assert!(!meet(needle, [[0.0, 0.0, 4.0], [2.0, 2.0, 4.0], [1.0, 1.0, 4.0]]), "above the end");
    assert!(!meet(needle, [[0.0, 0.0, 1.0], [2.0, 2.5, 1.0], [0.0, 0.0, 1.0]]), "passing by");
    assert!(!meet(needle, [[1.0, 1.0, 4.0], [1.0, 1.0, 5.0], [1.0, 1.0, 4.0]]), "behind each other");
    assert!(meet(BASE, [[-1.0, 1.0, 0.0], [5.0, 1.0, 0.0], [0.0, 1.0, 0.0]]), "through, in the plane");
    assert!(!meet(BASE, [[-1.0, 1.0, 0.0], [-5.0, 1.0, 0.0], [-2.0, 1.0, 0.0]]), "beside, in the plane");
}

/// Whether two triangles of one mesh intersect, for every order of corners and triangles.
fn neighbours_meet(positions: &[[f32; 3]], a: [u32; 3], b: [u32; 3]) -> bool {
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let face = |t: [u32; 3], order: [usize; 3]| {
        let vertices = order.map(|k| t[k]);
        Face { vertices, corners: corners(vertices.map(|v| positions[v as usize])) }
    };
    let answer = face(a, orders[0]).meets(&face(b, orders[0]));
    for (first, second) in orders.into_iter().flat_map(|first| orders.map(|second| (first, second))) {
        assert_eq!(face(a, first).meets(&face(b, second)), answer, "{positions:?} {a:?} {b:?}");
        assert_eq!(face(b, second).meets(&face(a, first)), answer, "{positions:?} {b:?} {a:?}");
    }
    answer
}

#[test]
fn a_common_edge() {
    let [o, x, y] = BASE;
    let folded = |third: [f32; 3]| neighbours_meet(&[o, x, y, third], [0, 1, 2], [0, 1, 3]);
    assert!(!folded([2.0, -3.0, 0.0]), "flat");
    assert!(!folded([2.0, 3.0, 1e-20]), "nearly folded");
    assert!(folded([2.0, 3.0, 0.0]) && folded([9.0, 1.0, 0.0]), "folded flat");
    assert!(folded(y), "a second vertex at the same place");
    assert!(!folded([9.0, 0.0, 0.0]) && !folded([2.0, 0.0, 0.0]), "a line that extends the edge or not");
    let lines = |a: f32, b: f32| neighbours_meet(&[o, x, [a, 0.0, 0.0], [b, 0.0, 0.0]], [0, 1, 2], [0, 1, 3]);
    assert!(lines(5.0, 6.0) && lines(-1.0, -2.0));
    assert!(!lines(5.0, -1.0) && !lines(2.0, 6.0) && !lines(2.0, 3.0) && !lines(4.0, 5.0));
    // An edge of no length.
    let short = |b: [f32; 3]| neighbours_meet(&[o, o, x, b], [0, 1, 2], [0, 1, 3]);
    assert!(short([1.0, 0.0, 0.0]) && !short([-1.0, 0.0, 0.0]) && !short(y) && !short(o));
    assert!(!neighbours_meet(&BASE, [0, 1, 2], [2, 0, 1]), "there twice");
    assert!(!neighbours_meet(&[o, x, y, x], [0, 1, 2], [0, 1, 1]), "one vertex twice");
}

#[test]
fn a_common_vertex() {
    let [o, x, y] = BASE;
    let fan = |c: [f32; 3], d: [f32; 3]| neighbours_meet(&[o, x, y, c, d], [0, 1, 2], [0, 3, 4]);
    assert!(!fan([-4.0, 0.0, 0.0], [0.0, -4.0, 0.0]), "opposite, in one plane");
    assert!(!fan([1.0, 1.0, 1.0], [1.0, 1.0, 2.0]), "above");
    assert!(fan([1.0, 1.0, 1.0], [1.0, 1.0, -1.0]), "crossing");
    assert!(fan([9.0, 9.0, 9.0], [9.0, 9.0, -9.0]), "crossing, larger");
    assert!(!fan([-1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]), "crossing behind");
    assert!(fan([1.0, 1.0, 0.0], [1.0, 2.0, 5.0]), "an edge in the face");
    assert!(fan([9.0, 0.0, 0.0], [9.0, -1.0, 0.0]), "edge along edge, in one plane");
    assert!(fan([9.0, 0.0, 0.0], [9.0, -1.0, 4.0]), "edge along edge");
    assert!(fan([1.0, 3.0, 0.0], [-1.0, 3.0, 0.0]), "overlapping in one plane");
    assert!(fan([2.0, 0.0, 0.0], [5.0, 5.0, 5.0]), "a corner on the edge");
    // Lines: along an edge, through the vertex, beside.
    assert!(fan([1.0, 1.0, 0.0], [2.0, 2.0, 0.0]) && fan([1.0, 1.0, 0.0], [-2.0, -2.0, 0.0]));
    assert!(!fan([-1.0, -1.0, 0.0], [-2.0, -2.0, 0.0]) && !fan([1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]));
    assert!(!fan(o, o) && fan(o, x) && !fan(o, [-1.0, 0.0, 0.0]), "corners where the vertex is");
}

#[test]
fn many_triangles_at_one_vertex_took_minutes() {
    // A polygon of 20,000 corners as a fan: 2·10⁸ pairs of triangles share its vertex.
    let place = |k: u32| Vec3::new((k as f32 * 3e-4).cos(), (k as f32 * 3e-4).sin(), 0.0);
    let positions: Vec<Vec3> = (0..20_000).map(place).collect();
    let fan: Vec<[u32; 3]> = (2..20_000).map(|k| [0, k - 1, k]).collect();
    assert_eq!(self_intersections_among(&positions, &fan, 1_000_000), None);
    // Where there is less, nothing changes.
    let few = &fan[..50];
    assert_eq!(
        self_intersections_among(&positions, few, 50 * 49 / 2),
        Some(self_intersections(&positions, few))
    );
}
