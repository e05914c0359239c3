//! Seams: places of the charts that are the same place of the cloth ([Schmitt2013] §7 leaves stitching to the solver).

#[cfg(test)]
mod tests;

pub(crate) mod stitch;

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
    points.extend(loose_vertices(charts, &joined));
    points
}

/// Places of one vertex that no sewn edge joins: panels, or parts of one, that hang together in a single point.
fn loose_vertices(charts: &Charts, joined: &BTreeSet<[u32; 2]>) -> Vec<SeamPoint> {
    let corners = charts.place_corners();
    let mut points = Vec::new();
    let mut first = 0;
    for places in charts.place_vertex.chunk_by(|a, b| a == b) {
        // Groups of joined places, each named by its first.
        let mut group: Vec<usize> = (0..places.len()).collect();
        for a in 0..places.len() {
            for b in a + 1..places.len() {
                if joined.contains(&[first + a as u32, first + b as u32]) {
                    let (old, new) = (group[a].max(group[b]), group[a].min(group[b]));
                    group.iter_mut().filter(|name| **name == old).for_each(|name| *name = new);
                }
            }
        }
        for (k, _) in group.iter().enumerate().filter(|&(k, &name)| k > 0 && name == k) {
            let sides = [first, first + k as u32].map(|place| corners[place as usize]);
            let points_of = sides.map(|(t, corner)| charts.uvs[t as usize][corner]);
            points.push(SeamPoint { triangles: sides.map(|(t, _)| t), points: points_of });
        }
        first += places.len() as u32;
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
        stitches.push(Stitch { sides: [first, second], gap: 0.0 });
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
            stitches.push(Stitch { sides: [first, second], gap: 0.0 });
        }
    }
    stitches
}
