//! Seams: places of the charts that are the same place of the cloth ([Schmitt2013] §7 leaves stitching to the solver).

use std::collections::BTreeSet;

use glam::DVec2;

use super::charts::Charts;
use super::lattice::{Grid, Lattice, LatticeError, Stitch, Walk, find_stencil};
use crate::mesh::Topology;

/// A point of a seam, on its two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeamPoint {
    pub triangles: [u32; 2],
    /// In the charts of the two triangles, metres.
    pub points: [DVec2; 2],
}

/// How far coarse texels may lie from a seam's point, in coarse steps: coarse grids are for smooth corrections, and far
/// extrapolation is not smooth.
const COARSE_REACH: isize = 1;

/// Points along all seams, at most one spacing apart on either side. An edge is sewn if its triangles are not
/// neighbours in the charts; a vertex between two edges of a seam is named once.
pub(crate) fn seam_points(
    triangles: &[[u32; 3]],
    topology: &Topology,
    charts: &Charts,
    spacing: f64,
) -> Vec<SeamPoint> {
    let mut points = Vec::new();
    let mut joined = BTreeSet::new();
    for (e, &[a, b]) in topology.edges.iter().enumerate() {
        for pair in topology.edge_triangles.row(e).windows(2) {
            let &[s, t] = pair else { continue };
            if charts.neighbours[s as usize].contains(&t) {
                continue;
            }
            let corner =
                |t: u32, v: u32| triangles[t as usize].iter().position(|&w| w == v).unwrap_or_default();
            let at = |t: u32, v: u32| charts.uvs[t as usize][corner(t, v)];
            let point = |part: f64| SeamPoint {
                triangles: [s, t],
                points: [s, t].map(|side| at(side, a) + part * (at(side, b) - at(side, a))),
            };
            let longest = at(s, a).distance(at(s, b)).max(at(t, a).distance(at(t, b)));
            let parts = (longest / spacing - 1e-6).ceil().max(1.0) as usize;
            for step in 0..=parts {
                let end = if step == 0 { a } else { b };
                if step == 0 || step == parts {
                    let [p, q] = [s, t].map(|side| charts.places[side as usize][corner(side, end)]);
                    // The tip of a dart is one place: nothing to sew.
                    if p == q || !joined.insert([p.min(q), p.max(q)]) {
                        continue;
                    }
                }
                points.push(point(step as f64 / parts as f64));
            }
        }
    }
    points
}

/// The stitches of the lattice itself.
pub(crate) fn stitches(
    charts: &Charts,
    lattice: &Lattice,
    points: &[SeamPoint],
) -> Result<Vec<Stitch>, LatticeError> {
    let mut walk = Walk::new(charts);
    let mut stitches = Vec::with_capacity(points.len());
    for seam in points {
        let first = lattice.stencil(&mut walk, seam.triangles[0], seam.points[0])?;
        let second = lattice.stencil(&mut walk, seam.triangles[1], seam.points[1])?;
        stitches.push(Stitch { sides: [first, second] });
    }
    Ok(stitches)
}

/// The stitches of a coarse grid, every 2^level-th texel of the lattice, whose size and links are given: one point per
/// pair of coarse cells, and none where coarse texels are missing.
pub(crate) fn coarse_stitches(
    charts: &Charts,
    lattice: &Lattice,
    points: &[SeamPoint],
    level: u32,
    (size, links): ([usize; 2], &[u8]),
) -> Vec<Stitch> {
    let mut walk = Walk::new(charts);
    let grid = Grid { level, size, links, reach: COARSE_REACH };
    let mut taken = BTreeSet::new();
    let mut stitches = Vec::new();
    for seam in points {
        let cell = |side: usize| {
            let patch = charts.patch_of[seam.triangles[side] as usize];
            let here = lattice.coordinates(patch, seam.points[side]) / f64::from(1u32 << level);
            [here.x.floor() as i64, here.y.floor() as i64]
        };
        let cells = [cell(0), cell(1)];
        if taken.contains(&cells) {
            continue;
        }
        let mut side = |k: usize| find_stencil(&mut walk, lattice, grid, seam.triangles[k], seam.points[k]);
        if let Some((first, second)) = side(0).zip(side(1)) {
            taken.insert(cells);
            stitches.push(Stitch { sides: [first, second] });
        }
    }
    stitches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{TriMesh, generate};
    use crate::solver::multilevel::lattice::NEIGHBOURS;
    use crate::solver::multilevel::test_meshes::charts;

    fn sewn(mesh: &TriMesh, spacing: f64) -> (Charts, Lattice, Vec<SeamPoint>) {
        let charts = charts(mesh);
        let lattice = Lattice::new(&charts, &mesh.triangles, spacing).unwrap();
        let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
        let points = seam_points(&mesh.triangles, &topology, &charts, spacing);
        (charts, lattice, points)
    }

    /// The chart position (patch 0) that a stencil reads.
    fn place(lattice: &Lattice, stencil: &crate::solver::multilevel::lattice::Stencil, level: u32) -> DVec2 {
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
                assert!(
                    stitch.sides.iter().all(|side| side.fractions.iter().all(|f| (-1.0..=2.0).contains(f)))
                );
            }
            last = coarse.len();
        }
    }
}
