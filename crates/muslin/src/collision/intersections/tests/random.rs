//! Random triangles against an independent answer, random meshes against all pairs one by one, and how
//! long it takes.

use std::time::Instant;

use glam::Vec3;
use proptest::prelude::*;

use super::separation::{Lattice, are_apart, between};
use super::{Face, corners_meet, meet, neighbours_meet, widen};
use crate::collision::intersections::{intersections_between, self_intersections};
use crate::mesh::{TriMesh, generate};

/// Positions on a coarse lattice, so that touching, coplanar and degenerate triangles are common.
fn lattice() -> impl Strategy<Value = Lattice> {
    [-2i128..=2, -2i128..=2, -1i128..=1]
}

fn to_f32<const N: usize>(points: [Lattice; N]) -> [[f32; 3]; N] {
    points.map(|point| point.map(|x| x as f32))
}

fn is_triangle([a, b, c]: [Lattice; 3]) -> bool {
    super::separation::cross(between(a, b), between(a, c)) != [0; 3]
}

/// Closer to an edge or a vertex than this part of a triangle, corners on the lattice cannot make two
/// triangles end: it is a quotient of small determinants.
const FINE: i128 = 1 << 12;

/// The point `part / FINE` of the way, in a lattice finer by [`FINE`].
fn on_the_way(from: Lattice, to: Lattice, part: i128) -> Lattice {
    [0, 1, 2].map(|k| FINE * from[k] + part * (to[k] - from[k]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn triangles_meet_where_nothing_separates_them(t in [lattice(), lattice(), lattice()],
                                                   u in [lattice(), lattice(), lattice()]) {
        prop_assert_eq!(meet(to_f32(t), to_f32(u)), !are_apart(&t, &u));
    }

    /// Without a little of one triangle around the common vertex, what is left has to be apart.
    #[test]
    fn fans_meet_where_nothing_separates_them(p in [lattice(), lattice(), lattice(), lattice(), lattice()]) {
        let answer = neighbours_meet(&to_f32(p), [0, 1, 2], [0, 3, 4]);
        let [v, a, b, c, d] = p;
        if is_triangle([v, a, b]) {
            let far = [on_the_way(v, a, 1), on_the_way(v, b, 1), on_the_way(a, a, 0), on_the_way(b, b, 0)];
            prop_assert_eq!(answer, !are_apart(&far, &[v, c, d].map(|q| on_the_way(q, q, 0))));
        }
    }

    #[test]
    fn folds_meet_where_nothing_separates_them(p in [lattice(), lattice(), lattice(), lattice()]) {
        let answer = neighbours_meet(&to_f32(p), [0, 1, 2], [0, 1, 3]);
        let [v, w, a, b] = p;
        if is_triangle([v, w, a]) {
            let far = [on_the_way(v, a, 1), on_the_way(w, a, 1), on_the_way(a, a, 0)];
            prop_assert_eq!(answer, !are_apart(&far, &[v, w, b].map(|q| on_the_way(q, q, 0))));
        }
    }
}

fn mesh() -> impl Strategy<Value = (Vec<Vec3>, Vec<[u32; 3]>)> {
    let position = [-6i8..=6, -6i8..=6, -6i8..=6].prop_map(|p| Vec3::from(p.map(|x| 0.3 * f32::from(x))));
    let positions = proptest::collection::vec(position, 40);
    (positions, proptest::collection::vec([0u32..40, 0u32..40, 0u32..40], 1..40))
}

fn corners_of(positions: &[Vec3], triangle: [u32; 3]) -> [glam::DVec3; 3] {
    widen(triangle.map(|v| positions[v as usize]))
}

fn self_intersections_one_by_one(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let face = |t: usize| Face { vertices: triangles[t], corners: corners_of(positions, triangles[t]) };
    let all = (0..triangles.len()).flat_map(|a| (a + 1..triangles.len()).map(move |b| [a, b]));
    all.filter(|&[a, b]| face(a).meets(&face(b))).map(|pair| pair.map(|t| t as u32)).collect()
}

fn intersections_one_by_one(a: (&[Vec3], &[[u32; 3]]), b: (&[Vec3], &[[u32; 3]])) -> Vec<[u32; 2]> {
    let corners =
        |(positions, triangles): (&[Vec3], &[[u32; 3]]), t: usize| corners_of(positions, triangles[t]);
    let all = (0..a.1.len()).flat_map(|i| (0..b.1.len()).map(move |j| [i, j]));
    all.filter(|&[i, j]| corners_meet(corners(a, i), corners(b, j)))
        .map(|pair| pair.map(|t| t as u32))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_misses_nothing((p, t) in mesh(), (q, u) in mesh()) {
        prop_assert_eq!(self_intersections(&p, &t), self_intersections_one_by_one(&p, &t));
        prop_assert_eq!(intersections_between(&p, &t, &q, &u), intersections_one_by_one((&p, &t), (&q, &u)));
    }

    #[test]
    fn sheets_that_pass_through_each_other(angle in 0.01f32..3.1, shift in -0.3f32..0.3) {
        let a = generate::grid(12, 9, 1.0, 1.0).unwrap();
        let turn = glam::Mat3::from_rotation_x(angle);
        let b: Vec<Vec3> = a.positions.iter().map(|&p| turn * (p - Vec3::new(shift, 0.5, 0.0)) + Vec3::Y * 0.5).collect();
        let found = intersections_between(&a.positions, &a.triangles, &b, &a.triangles);
        prop_assert!(found.len() > 12);
        prop_assert_eq!(found, intersections_one_by_one((&a.positions, &a.triangles), (&b, &a.triangles)));
        let joined = join(&a, &b);
        prop_assert_eq!(self_intersections(&joined.0, &joined.1), self_intersections_one_by_one(&joined.0, &joined.1));
    }
}

/// A mesh and a copy of it elsewhere, as one.
pub(super) fn join(a: &TriMesh, copy: &[Vec3]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let offset = a.positions.len() as u32;
    let copied = a.triangles.iter().map(|t| t.map(|v| v + offset));
    ([&a.positions, copy].concat(), a.triangles.iter().copied().chain(copied).collect())
}

#[test]
fn positions_that_are_no_numbers_are_left_out() {
    let mut mesh = generate::grid(10, 10, 1.0, 1.0).unwrap();
    mesh.positions[17] = Vec3::new(0.0, f32::NAN, 0.0);
    mesh.positions[60] = Vec3::new(f32::INFINITY, 0.0, 0.0);
    assert_eq!(self_intersections(&mesh.positions, &mesh.triangles), [[0; 2]; 0]);
    assert_eq!(self_intersections(&[], &[]), [[0; 2]; 0]);
}

#[test]
fn many_triangles_do_not_take_long() {
    let mut mesh = generate::grid(250, 200, 2.5, 2.0).unwrap();
    for flat in [true, false] {
        if !flat {
            mesh.positions.iter_mut().for_each(|p| p.z = 0.1 * (7.0 * p.x + 3.0 * p.y).sin());
        }
        let start = Instant::now();
        assert!(self_intersections(&mesh.positions, &mesh.triangles).is_empty());
        println!("{} triangles, flat {flat}: {:?}", mesh.triangles.len(), start.elapsed());
    }
}
