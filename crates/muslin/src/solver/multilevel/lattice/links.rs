//! Which neighbours of the grid belong together ([Schmitt2013] §7: "a separate connectivity texture").

use super::clip::Square;
use super::cover::Cover;
use super::walk::Walk;
use super::{Lattice, NEIGHBOURS, OPPOSITE};
use crate::solver::multilevel::charts::{Charts, NONE};

/// Per texel a bit for each neighbour that is covered and hangs together with it inside the box around both cells.
///
/// Where neither cell is of the rim nothing separates them: neither a side that the cells share nor a corner that they
/// meet in can lie on an outline. So the walk over triangles is needed along outlines only.
pub(super) fn links(charts: &Charts, lattice: &Lattice, cover: &Cover) -> Vec<u8> {
    let [columns, rows] = lattice.size;
    let mut links = vec![0u8; columns * rows];
    let mut walk = Walk::new(charts);
    for texel in (0..columns * rows).filter(|&texel| cover.owner[texel] != NONE) {
        let (column, row) = (texel % columns, texel / columns);
        // Four of the eight directions; the others are these seen from the neighbour.
        for k in [0, 1, 4, 5] {
            let [right, up] = NEIGHBOURS[k];
            let (Some(x), y) = (column.checked_add_signed(right), row.wrapping_add_signed(up)) else {
                continue;
            };
            if x >= columns || y >= rows {
                continue;
            }
            let other = y * columns + x;
            if cover.owner[other] == NONE {
                continue;
            }
            let inner = cover.rim[texel] == NONE && cover.rim[other] == NONE;
            let around = |texel: usize| Square::cell(lattice.centre(texel as u32));
            let both = around(texel).around(around(other));
            if inner || walk.connected(lattice, cover.owner[texel], cover.owner[other], both) {
                links[texel] |= 1 << k;
                links[other] |= 1 << OPPOSITE[k];
            }
        }
    }
    links
}
