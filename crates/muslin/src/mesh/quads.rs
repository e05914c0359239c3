//! What the quads of a mesh say about its edges: which are diagonals.

use super::Topology;
use crate::math::csr::Csr;

/// The diagonals of quads that are made of two triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagonals {
    /// Per edge of the topology whether it divides a quad.
    pub is_diagonal: Vec<bool>,
    /// Per such edge, in order: its number, and the two other corners of its quad.
    pub crossed: Vec<(u32, [u32; 2])>,
}

impl Diagonals {
    /// Looks for the diagonals. A quad that is not made of two triangles (any more) says nothing.
    pub fn new(topology: &Topology, quads: &[[u32; 4]]) -> Self {
        let edge = |a: u32, b: u32| topology.edges.binary_search(&[a.min(b), a.max(b)]).ok();
        let mut crossed: Vec<(u32, [u32; 2])> = Vec::with_capacity(quads.len());
        for &[a, b, c, d] in quads {
            if [(a, b), (b, c), (c, d), (d, a)].into_iter().any(|(from, to)| edge(from, to).is_none()) {
                continue;
            }
            match (edge(a, c), edge(b, d)) {
                (Some(diagonal), None) => crossed.push((diagonal as u32, [b, d])),
                (None, Some(diagonal)) => crossed.push((diagonal as u32, [a, c])),
                _ => {}
            }
        }
        crossed.sort_unstable();
        crossed.dedup_by_key(|(diagonal, _)| *diagonal);
        let mut is_diagonal = vec![false; topology.edges.len()];
        crossed.iter().for_each(|&(diagonal, _)| is_diagonal[diagonal as usize] = true);
        Self { is_diagonal, crossed }
    }
}

/// Colours vertices like a chess board, as far as quads allow: along an edge of a quad the colour changes. Odd
/// circles (a tube of an odd number of quads) leave edges between equal colours.
pub(crate) fn two_colours(vertices: usize, quads: &[[u32; 4]]) -> Vec<bool> {
    let sides = quads.iter().flat_map(|&[a, b, c, d]| [[a, b], [b, c], [c, d], [d, a]]);
    let neighbours = Csr::from_pairs(vertices, sides.flat_map(|[a, b]| [(a, b), (b, a)]));
    let mut colours: Vec<Option<bool>> = vec![None; vertices];
    let mut reached = Vec::new();
    for first in 0..vertices {
        if colours[first].is_none() {
            colours[first] = Some(true);
            reached.push(first);
        }
        while let Some(vertex) = reached.pop() {
            let other = colours[vertex].map(|colour| !colour);
            for &next in neighbours.row(vertex) {
                if colours[next as usize].is_none() {
                    colours[next as usize] = other;
                    reached.push(next as usize);
                }
            }
        }
    }
    colours.into_iter().map(|colour| colour == Some(true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn every_cell_has_a_diagonal_and_crosses_it() {
        for mesh in [
            generate::grid(3, 2, 1.0, 1.0).unwrap(),
            generate::alternating_grid(3, 2, 1.0, 1.0).unwrap(),
            generate::tube(1.0, 1.0, 3, 2).unwrap(),
        ] {
            let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
            let diagonals = Diagonals::new(&topology, &mesh.quads);
            assert_eq!(diagonals.crossed.len(), 6);
            for &(edge, [a, b]) in &diagonals.crossed {
                assert!(diagonals.is_diagonal[edge as usize]);
                let [c, d] = topology.edges[edge as usize];
                assert!(mesh.quads.iter().any(|quad| [a, b, c, d].iter().all(|v| quad.contains(v))));
            }
        }
        let triangle = Topology::new(3, &[[0, 1, 2]]);
        assert!(Diagonals::new(&triangle, &[[0, 1, 2, 2]]).crossed.is_empty());
    }
}
