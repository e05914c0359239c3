//! Small flaps on a surface: which triangles are surplus where more than two share an edge.
//!
//! Triangles → which of them to keep. A sheet is what hangs together over edges with two triangles. Where
//! a few triangles with a free border stand on an edge that two others share already, nothing but dropping
//! them makes the surface manifold again without moving anything. Scans that were simplified have such
//! flaps, often two triangles back to back, of which one is dropped as a duplicate before.

use super::Workpiece;
use crate::math::components::components;
use crate::mesh::Topology;

/// A sheet with more triangles than this is no flap but something that somebody has made.
const MOST_TRIANGLES: usize = 16;

impl Workpiece<'_> {
    pub(super) fn drop_flaps(&mut self) {
        loop {
            let proper = self.proper();
            let triangles: Vec<_> = proper.iter().map(|&t| self.triangles[t]).collect();
            let mut kept = vec![true; self.triangles.len()];
            for (&t, keep) in proper.iter().zip(without_flaps(self.place_of.len(), &triangles)) {
                kept[t] = keep;
            }
            let mut flags = kept.into_iter();
            match self.retain(|_| flags.next().unwrap_or(false)) {
                0 => return,
                dropped => self.report.dropped_flaps += dropped,
            }
        }
    }
}

/// For each triangle whether it is to be kept. One round: what stood on a flap is seen in the next.
fn without_flaps(vertices: usize, triangles: &[[u32; 3]]) -> Vec<bool> {
    let topology = Topology::new(vertices, triangles);
    let (sheet, sizes, open) = sheets(&topology, triangles.len());
    let is_small = |t: u32| {
        let sheet = sheet[t as usize] as usize;
        open[sheet] && sizes[sheet] <= MOST_TRIANGLES
    };
    let mut dropped = vec![false; sizes.len()];
    for edge in 0..topology.edges.len() {
        let around = topology.edge_triangles.row(edge);
        // With fewer than two others it is not clear which are surplus, with more what belongs together.
        if around.len() > 2 && around.iter().filter(|&&t| !is_small(t)).count() == 2 {
            around.iter().filter(|&&t| is_small(t)).for_each(|&t| dropped[sheet[t as usize] as usize] = true);
        }
    }
    sheet.iter().map(|&sheet| !dropped[sheet as usize]).collect()
}

/// For each triangle its sheet; of each sheet the number of triangles, and whether it has a border.
pub(super) fn sheets(topology: &Topology, triangles: usize) -> (Vec<u32>, Vec<usize>, Vec<bool>) {
    let around =
        |t: u32| topology.triangle_edges[t as usize].map(|edge| topology.edge_triangles.row(edge as usize));
    let beyond = |t: u32| around(t).into_iter().filter(|around| around.len() == 2).flatten().copied();
    let (sheet, count) = components(triangles, beyond);
    let (mut sizes, mut open) = (vec![0; count], vec![false; count]);
    for (t, &sheet) in (0..).zip(&sheet) {
        sizes[sheet as usize] += 1;
        open[sheet as usize] |= around(t).iter().any(|around| around.len() == 1);
    }
    (sheet, sizes, open)
}
