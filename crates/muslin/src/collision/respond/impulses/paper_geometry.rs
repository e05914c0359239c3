//! The geometry checks of [Anonymous] §3.4.2, corrected, against the closest points that this module uses.
//!
//! The collision module has one way to find closest points (`proximity`): exact for every shape. The paper's
//! formulas, with errata 2 and 3 and one of our own, lead to the same points. They stand here to show it.

use glam::DVec3;
use proptest::prelude::*;

use crate::math::proximity;

/// Squared sine below which edges are collinear: relative (errata 3), where eq. 20 compares with a length.
const COLLINEAR: f64 = 1e-16;

/// Eq. 16–19: the signed distance to the plane and the weights of the foot.
fn point_plane(p: DVec3, [x1, x2, x3]: [DVec3; 3]) -> (f64, [f64; 3]) {
    let normal = (x2 - x1).cross(x3 - x1).normalize();
    let distance = normal.dot(p - x1);
    let foot = p - distance * normal;
    // Eq. 18 with x_ij = x_j − x_i; what it calls x_31 and x_32 are seen from the third corner.
    let (x31, x32, r) = (x1 - x3, x2 - x3, foot - x3);
    let (a, b, c) = (x31.dot(x31), x31.dot(x32), x32.dot(x32));
    let determinant = a * c - b * b;
    let w1 = (c * x31.dot(r) - b * x32.dot(r)) / determinant;
    let w2 = (a * x32.dot(r) - b * x31.dot(r)) / determinant;
    (distance, [w1, w2, 1.0 - w1 - w2])
}

/// The parameter of the projection of a point on a line: eq. 21 and 24 by errata 3.
fn along([from, to]: [DVec3; 2], p: DVec3) -> f64 {
    (to - from).dot(p - from) / (to - from).length_squared()
}

/// Eq. 20–24: the distance of two edges. `by_length` says whether what was clamped farthest is told by lengths or,
/// as printed, by parameters.
fn edge_distance(e: [DVec3; 2], f: [DVec3; 2], by_length: bool) -> f64 {
    let at = |[from, to]: [DVec3; 2], s: f64| from + s * (to - from);
    let (x12, x34, x13) = (e[1] - e[0], f[1] - f[0], f[0] - e[0]);
    let (ll, mm, lm) = (x12.length_squared(), x34.length_squared(), x12.dot(x34));
    if x12.cross(x34).length_squared() <= COLLINEAR * ll * mm {
        // Cases a and b of figure 2: an end and its projection, clamped; all four, the nearest.
        let to = |p: DVec3, line: [DVec3; 2]| p.distance(at(line, along(line, p).clamp(0.0, 1.0)));
        return to(e[0], f).min(to(e[1], f)).min(to(f[0], e)).min(to(f[1], e));
    }
    // Eq. 23; the second row's first entry is −x12·x34 (errata 2).
    let determinant = ll * mm - lm * lm;
    let (r1, r2) = (x12.dot(x13), -x34.dot(x13));
    let (a, b) = ((mm * r1 + lm * r2) / determinant, (lm * r1 + ll * r2) / determinant);
    let (a_in, b_in) = (a.clamp(0.0, 1.0), b.clamp(0.0, 1.0));
    let (mut a_off, mut b_off) = ((a - a_in).abs(), (b - b_in).abs());
    if by_length {
        a_off *= ll.sqrt();
        b_off *= mm.sqrt();
    }
    if a_off >= b_off {
        let p = at(e, a_in);
        p.distance(at(f, along(f, p).clamp(0.0, 1.0)))
    } else {
        let p = at(f, b_in);
        p.distance(at(e, along(e, p).clamp(0.0, 1.0)))
    }
}

fn exact_edge_distance(e: [DVec3; 2], f: [DVec3; 2]) -> f64 {
    let [s, t] = proximity::edge_edge(e, f);
    e[0].lerp(e[1], s).distance(f[0].lerp(f[1], t))
}

/// The least distance over a fine lattice of both edges, and how far that may be off.
fn brute_force(e: [DVec3; 2], f: [DVec3; 2]) -> (f64, f64) {
    let steps = 60;
    let lattice =
        |[from, to]: [DVec3; 2]| (0..=steps).map(move |i| from.lerp(to, f64::from(i) / f64::from(steps)));
    let least = lattice(e).flat_map(|p| lattice(f).map(move |q| p.distance(q))).fold(f64::MAX, f64::min);
    (least, (e[0].distance(e[1]) + f[0].distance(f[1])) / f64::from(steps))
}

fn vector() -> impl Strategy<Value = DVec3> {
    let coordinate = || prop_oneof![(-2i8..=2).prop_map(f64::from), -2.0..2.0];
    (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

proptest! {
    #[test]
    fn a_point_over_a_triangle_is_found_by_equations_16_to_19(p in vector(), a in vector(), b in vector(), c in vector()) {
        prop_assume!((b - a).cross(c - a).length() > 1e-3);
        let (distance, weights) = point_plane(p, [a, b, c]);
        let exact = proximity::point_triangle(p, [a, b, c]);
        let exact_distance = p.distance(a * exact[0] + b * exact[1] + c * exact[2]);
        // The plane is never farther than the triangle, and as far if the foot is inside.
        prop_assert!(distance.abs() < exact_distance + 1e-9);
        if weights.iter().all(|&w| w >= 0.0) {
            prop_assert!((distance.abs() - exact_distance).abs() < 1e-6);
            prop_assert!(weights.iter().zip(exact).all(|(w, exact)| (w - exact).abs() < 1e-5));
        }
    }

    #[test]
    fn the_distance_of_edges_is_found_by_equations_20_to_24(a in vector(), b in vector(), c in vector(), d in vector()) {
        prop_assume!(a.distance(b) > 1e-3 && c.distance(d) > 1e-3);
        let exact = exact_edge_distance([a, b], [c, d]);
        prop_assert!((edge_distance([a, b], [c, d], true) - exact).abs() < 1e-6);
        let (least, off) = brute_force([a, b], [c, d]);
        prop_assert!(exact <= least + 1e-9 && least <= exact + off);
    }
}

/// "The clamped point that is the most distant from its original value" must be told in metres. With a short edge
/// beside a long one, parameters choose the wrong one.
#[test]
fn what_was_clamped_farthest_is_a_matter_of_lengths() {
    // The lines are nearest 1 m beyond the long edge's end and 0.82 m beyond the short one's, of 0.1 m.
    let long = [DVec3::ZERO, DVec3::new(10.0, 0.0, 0.0)];
    let direction = DVec3::new(0.75f64.sqrt(), 0.5, 0.0);
    let from = DVec3::new(11.0, 0.0, 0.02) - 0.92 * direction;
    let short = [from, from + 0.1 * direction];
    let exact = exact_edge_distance(long, short);
    let (metres, parameters) = (edge_distance(long, short, true), edge_distance(long, short, false));
    assert!((metres - exact).abs() < 1e-12, "{metres} {exact}");
    assert!(parameters > exact + 1e-4, "{parameters} {exact}");
}
