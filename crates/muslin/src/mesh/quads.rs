//! What the quads of a mesh say about its edges: which are diagonals.

use super::Topology;

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
