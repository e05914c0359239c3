//! Small flaps on a surface: which triangles are surplus where more than two share an edge.
//!
//! Triangles → which of them to keep. A sheet is what hangs together over edges with two triangles. Where
//! a few triangles with a free border stand on an edge that two others share already, nothing but dropping
//! them makes the surface manifold again without moving anything. Scans that were simplified have such
//! flaps, often two triangles back to back, of which one is dropped as a duplicate before.

use super::Workpiece;
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
        let sheet = sheet[t as usize];
        open[sheet] && sizes[sheet] <= MOST_TRIANGLES
    };
    let mut dropped = vec![false; sizes.len()];
    for edge in 0..topology.edges.len() {
        let around = topology.edge_triangles.row(edge);
        // With fewer than two others it is not clear which are surplus, with more what belongs together.
        if around.len() > 2 && around.iter().filter(|&&t| !is_small(t)).count() == 2 {
            around.iter().filter(|&&t| is_small(t)).for_each(|&t| dropped[sheet[t as usize]] = true);
        }
    }
    sheet.iter().map(|&sheet| !dropped[sheet]).collect()
}

/// For each triangle its sheet; of each sheet the number of triangles, and whether it has a border.
pub(super) fn sheets(topology: &Topology, triangles: usize) -> (Vec<usize>, Vec<usize>, Vec<bool>) {
    const UNKNOWN: usize = usize::MAX;
    let mut sheet = vec![UNKNOWN; triangles];
    let (mut sizes, mut open) = (Vec::new(), Vec::new());
    let mut stack = Vec::new();
    for seed in 0..triangles {
        if sheet[seed] != UNKNOWN {
            continue;
        }
        let number = sizes.len();
        sheet[seed] = number;
        sizes.push(0);
        open.push(false);
        stack.push(seed);
        while let Some(here) = stack.pop() {
            sizes[number] += 1;
            for &edge in &topology.triangle_edges[here] {
                let around = topology.edge_triangles.row(edge as usize);
                open[number] |= around.len() == 1;
                for &there in around.iter().filter(|_| around.len() == 2) {
                    if sheet[there as usize] == UNKNOWN {
                        sheet[there as usize] = number;
                        stack.push(there as usize);
                    }
                }
            }
        }
    }
    (sheet, sizes, open)
}
