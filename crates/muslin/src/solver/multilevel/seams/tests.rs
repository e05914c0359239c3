//! Seams of shapes whose stitches can be counted.

use super::*;
use crate::mesh::{TriMesh, generate};
use crate::solver::multilevel::lattice::NEIGHBOURS;
use crate::solver::multilevel::lattice::Stencil;
use crate::solver::multilevel::test_meshes::charts;

fn sewn(mesh: &TriMesh, spacing: f64) -> (Charts, Lattice, Vec<SeamPoint>) {
    let charts = charts(mesh);
    let lattice = Lattice::new(&charts, &mesh.triangles, spacing).unwrap();
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let points = seam_points(&mesh.triangles, &topology, &charts, spacing);
    (charts, lattice, points)
}

/// The chart position (patch 0) that a stencil reads.
fn place(lattice: &Lattice, stencil: &Stencil, level: u32) -> DVec2 {
    let columns = lattice.size[0].div_ceil(1 << level);
    let (column, row) = (stencil.texel as usize % columns, stencil.texel as usize / columns);
    let [x, y] = stencil.fractions.map(f64::from);
    let steps = DVec2::new(column as f64 + x, row as f64 + y) * f64::from(1u32 << level);
    lattice.origins[0] + lattice.spacing * steps
}

#[test]
fn the_seam_of_a_tube_joins_its_two_ends_at_the_same_height() {
    let (charts, lattice, points) = sewn(&generate::tube(0.2, 0.5, 24, 6).unwrap(), 0.02);
    // Edges of 1/12 m make five parts each.
    assert_eq!(points.len(), 6 * 5 + 1);
    let around = std::f64::consts::TAU * 0.2;
    let stitches = stitches(&charts, &lattice, &points).unwrap();
    let mut heights = Vec::new();
    for stitch in &stitches {
        let [a, b] = [0, 1].map(|side| place(&lattice, &stitch.sides[side], 0));
        assert!((a.y - b.y).abs() < 1e-6 && ((a.x - b.x).abs() - around).abs() < 1e-6, "{a} {b}");
        heights.push(a.y);
    }
    heights.sort_by(f64::total_cmp);
    assert!(heights[0].abs() < 1e-6 && (heights[30] - 0.5).abs() < 1e-6);
    assert!(heights.windows(2).all(|pair| (0.01..=0.02).contains(&(pair[1] - pair[0]))));
}

#[test]
fn a_sheet_without_seams_has_no_stitches() {
    assert!(sewn(&generate::grid(5, 5, 1.0, 1.0).unwrap(), 0.05).2.is_empty());
}

#[test]
fn three_panels_that_meet_in_a_vertex_are_sewn_in_pairs() {
    // A corner of a cube unfolded into three separate squares.
    let at = |x: u32, y: u32, z: u32| glam::Vec3::new(x as f32, y as f32, z as f32);
    let positions =
        vec![at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 1, 1), at(0, 0, 1), at(1, 0, 1)];
    let quads = [[0, 3, 2, 1], [0, 5, 4, 3], [0, 1, 6, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mut mesh = TriMesh::new(positions, triangles);
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let uv = |panel: usize, k: usize| glam::Vec2::new(corners[k][0] + 2.0 * panel as f32, corners[k][1]);
    mesh.uvs = Some((0..6).map(|t| [[0, 1, 2], [0, 2, 3]][t % 2].map(|k| uv(t / 2, k))).collect());
    let (charts, lattice, points) = sewn(&mesh, 0.25);
    assert_eq!(charts.patch_count, 3);
    // Three edges of four parts, their ends: three pairs at the common vertex and one at each other end.
    assert_eq!(points.len(), 3 * 3 + 3 + 3);
    assert_eq!(stitches(&charts, &lattice, &points).unwrap().len(), 15);
}

#[test]
fn parts_that_meet_in_one_vertex_are_held_together_there() {
    let grid = generate::grid(2, 2, 1.0, 1.0).unwrap();
    let mesh = crate::solver::multilevel::test_meshes::cut_out(&grid, |p| (p.x < 0.5) == (p.y < 0.5));
    let (charts, lattice, points) = sewn(&mesh, 0.05);
    assert_eq!((charts.patch_count, points.len()), (2, 1));
    assert!(points[0].points.iter().all(|p| p.distance(DVec2::splat(0.5)) < 1e-9));
    assert_eq!(stitches(&charts, &lattice, &points).unwrap().len(), 1);
}

/// Links of the grid of every second texel, where the two lie in one straight run of links.
fn coarse_links(lattice: &Lattice, level: u32) -> ([usize; 2], Vec<u8>) {
    let size = lattice.size.map(|n| n.div_ceil(1 << level));
    let mut links = vec![0u8; size[0] * size[1]];
    for (texel, bits) in links.iter_mut().enumerate() {
        let (column, row) = ((texel % size[0]) << level, (texel / size[0]) << level);
        for (k, [right, up]) in NEIGHBOURS.into_iter().enumerate() {
            let mut at = row * lattice.size[0] + column;
            let linked = (0..1 << level).all(|_| {
                let on = lattice.links[at] >> k & 1 == 1;
                at = at.wrapping_add_signed(up * lattice.size[0] as isize + right);
                on
            });
            *bits |= u8::from(linked) << k;
        }
    }
    (size, links)
}

#[test]
fn coarse_stitches_join_the_same_places_more_sparsely() {
    let (charts, lattice, points) = sewn(&generate::tube(0.2, 0.5, 24, 6).unwrap(), 0.01);
    let fine = stitches(&charts, &lattice, &points).unwrap().len();
    let mut last = fine;
    for level in 1..4 {
        let (size, links) = coarse_links(&lattice, level);
        let coarse = coarse_stitches(&charts, &lattice, &points, level, (size, &links));
        let expected = fine >> level;
        assert!(coarse.len() < last && coarse.len() + 3 >= expected, "{} of {expected}", coarse.len());
        for stitch in &coarse {
            let [a, b] = [0, 1].map(|side| place(&lattice, &stitch.sides[side], level));
            let around = std::f64::consts::TAU * 0.2;
            assert!((a.y - b.y).abs() < 1e-6 && ((a.x - b.x).abs() - around).abs() < 1e-6, "{a} {b}");
            assert!(stitch.sides.iter().all(|side| side.fractions.iter().all(|f| (-1.0..=2.0).contains(f))));
        }
        last = coarse.len();
    }
}
