//! Coarse levels in bisection order, so that the solver's sweeps can halve them.

use super::{Hierarchy, Interpolation};
use crate::math::csr::Csr;
use crate::mesh::reorder::{Permutation, bisection_order};

impl Hierarchy {
    /// Renumbers the vertices of every level but the finest by recursive bisection
    /// ([`reorder`](crate::mesh::reorder)). `finer_vertex` is then no longer ascending.
    #[must_use]
    pub fn in_bisection_order(mut self) -> Self {
        for coarse in 0..self.levels.len().saturating_sub(1) {
            let order = bisection_order(&self.levels[coarse].positions);
            self.renumber(coarse, &order);
        }
        self
    }

    /// Renumbers one coarse level everywhere it is named.
    fn renumber(&mut self, number: usize, order: &Permutation) {
        let level = &mut self.levels[number];
        level.positions = order.to_new(&level.positions);
        level.triangles = order.rename(&level.triangles);
        level.finer_vertex = order.to_new(&level.finer_vertex);
        level.fixed = order.to_new(&level.fixed);

        // As the coarse side of the transfer upwards: columns of the one, rows of the other.
        let up = &mut self.transfers[number];
        for Interpolation { vertices, .. } in &mut up.prolongation {
            *vertices = vertices.map(|v| order.old_to_new[v as usize]);
        }
        up.restriction = permuted_rows(&up.restriction, order);

        // As the fine side of the transfer downwards: rows of the one, columns of the other.
        if let Some(below) = number.checked_sub(1) {
            let down = &mut self.transfers[below];
            down.prolongation = order.to_new(&down.prolongation);
            let renamed = down.restriction.iter().enumerate().flat_map(|(row, entries)| {
                entries.iter().map(move |&(v, weight)| (row as u32, (order.old_to_new[v as usize], weight)))
            });
            down.restriction = Csr::from_pairs(down.restriction.rows(), renamed);
            for v in &mut self.levels[below].finer_vertex {
                *v = order.old_to_new[*v as usize];
            }
        }
    }
}

fn permuted_rows(rows: &Csr<(u32, f32)>, order: &Permutation) -> Csr<(u32, f32)> {
    let pairs = order
        .new_to_old
        .iter()
        .enumerate()
        .flat_map(|(new, &old)| rows.row(old as usize).iter().map(move |&entry| (new as u32, entry)));
    Csr::from_pairs(rows.rows(), pairs)
}
