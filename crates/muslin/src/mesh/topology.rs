//! Who touches whom: edges, hinges, adjacency, boundary loops, components.
//!
//! Input: triangles with indices in range (see [`TriMesh::check`](super::TriMesh::check)).
//! Output: arrays in an order that depends only on the input.

use crate::math::components::components;
use crate::math::csr::Csr;

/// Two triangles that share an edge: the unit of bending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hinge {
    /// The shared edge, in the direction in which the first triangle runs through it.
    pub edge: [u32; 2],
    /// The vertices opposite to the edge, in the first and in the second triangle.
    pub opposite: [u32; 2],
    /// The two triangles.
    pub triangles: [u32; 2],
}

/// The topology of a triangle mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// Each edge once, as (smaller, larger) vertex index, sorted.
    pub edges: Vec<[u32; 2]>,
    /// For each triangle its three edges; edge `k` joins corners `k` and `k + 1`.
    pub triangle_edges: Vec<[u32; 3]>,
    /// For each edge its triangles (one on a boundary, two inside, more if not manifold).
    pub edge_triangles: Csr,
    /// One per edge with exactly two triangles, in the order of the edges.
    pub hinges: Vec<Hinge>,
    /// For each vertex its edges.
    pub vertex_edges: Csr,
    /// For each vertex its triangles.
    pub vertex_triangles: Csr,
}

impl Topology {
    /// Builds the topology of triangles over `vertices` vertices. A triangle that names a vertex
    /// twice contributes the edges it still has.
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        // Sorting 64-bit keys is faster than hashing and gives the same order everywhere.
        let mut sides: Vec<(u64, u32)> = Vec::with_capacity(3 * triangles.len());
        for (t, corners) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                let key = (u64::from(a.min(b)) << 32) | u64::from(a.max(b));
                sides.push((key, (3 * t + k) as u32));
            }
        }
        sides.sort_unstable();

        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(sides.len() / 2);
        let mut triangle_edges = vec![[0u32; 3]; triangles.len()];
        let mut last = None;
        for &(key, side) in &sides {
            if last != Some(key) {
                edges.push([(key >> 32) as u32, key as u32]);
                last = Some(key);
            }
            triangle_edges[side as usize / 3][side as usize % 3] = edges.len() as u32 - 1;
        }

        let edge_triangles = Csr::from_pairs(
            edges.len(),
            triangle_edges.iter().enumerate().flat_map(|(t, es)| es.iter().map(move |&e| (e, t as u32))),
        );
        let vertex_edges = Csr::from_pairs(
            vertices,
            edges.iter().enumerate().flat_map(|(e, vs)| vs.iter().map(move |&v| (v, e as u32))),
        );
        let vertex_triangles = Csr::from_pairs(
            vertices,
            triangles.iter().enumerate().flat_map(|(t, vs)| vs.iter().map(move |&v| (v, t as u32))),
        );
        let hinges =
            (0..edges.len()).filter_map(|e| hinge(&edges[e], edge_triangles.row(e), triangles)).collect();
        Self { edges, triangle_edges, edge_triangles, hinges, vertex_edges, vertex_triangles }
    }

    /// Whether an edge has exactly one triangle.
    pub fn is_boundary_edge(&self, edge: usize) -> bool {
        self.edge_triangles.row(edge).len() == 1
    }

    /// Whether there are edges, each with exactly two triangles.
    pub fn is_closed(&self) -> bool {
        !self.edges.is_empty() && (0..self.edges.len()).all(|e| self.edge_triangles.row(e).len() == 2)
    }

    /// For each vertex, whether it lies on a boundary edge.
    pub fn boundary_vertices(&self) -> Vec<bool> {
        let mut on_boundary = vec![false; self.vertex_edges.rows()];
        for (e, &[a, b]) in self.edges.iter().enumerate() {
            if self.is_boundary_edge(e) {
                on_boundary[a as usize] = true;
                on_boundary[b as usize] = true;
            }
        }
        on_boundary
    }

    /// The neighbours of a vertex over its edges.
    pub fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.vertex_edges.row(vertex as usize).iter().map(move |&e| {
            let [a, b] = self.edges[e as usize];
            if a == vertex { b } else { a }
        })
    }

    /// The boundary as closed loops of vertices, each starting at its smallest unused vertex.
    /// Where loops touch in a vertex they are taken apart into edge-disjoint ones.
    pub fn boundary_loops(&self) -> Vec<Vec<u32>> {
        let mut open: Vec<bool> = (0..self.edges.len()).map(|e| self.is_boundary_edge(e)).collect();
        let mut loops = Vec::new();
        for first in 0..self.edges.len() {
            if !open[first] {
                continue;
            }
            open[first] = false;
            let [start, mut here] = self.edges[first];
            let mut ring = vec![start];
            while here != start {
                ring.push(here);
                let Some(&edge) = self.vertex_edges.row(here as usize).iter().find(|&&e| open[e as usize])
                else {
                    break; // an open chain, possible only where the mesh is not manifold
                };
                open[edge as usize] = false;
                let [a, b] = self.edges[edge as usize];
                here = if a == here { b } else { a };
            }
            loops.push(ring);
        }
        loops
    }

    /// For each vertex the number of its connected component, numbered in the order of their
    /// smallest vertex, and how many components there are. An isolated vertex is one of its own.
    pub fn components(&self) -> (Vec<u32>, usize) {
        components(self.vertex_edges.rows(), |vertex| self.neighbours(vertex))
    }
}

/// The hinge over an edge with exactly two proper triangles.
fn hinge(edge: &[u32; 2], around: &[u32], triangles: &[[u32; 3]]) -> Option<Hinge> {
    let &[first, second] = around else { return None };
    let opposite = |t: u32| triangles[t as usize].iter().copied().find(|v| !edge.contains(v));
    let corners = triangles[first as usize];
    let forward = (0..3).any(|k| corners[k] == edge[0] && corners[(k + 1) % 3] == edge[1]);
    let directed = if forward { *edge } else { [edge[1], edge[0]] };
    Some(Hinge {
        edge: directed,
        opposite: [opposite(first)?, opposite(second)?],
        triangles: [first, second],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that share the edge 1–2.
    const PAIR: [[u32; 3]; 2] = [[0, 1, 2], [2, 1, 3]];

    #[test]
    fn a_pair_of_triangles_has_five_edges_one_hinge_and_one_loop() {
        let topology = Topology::new(4, &PAIR);
        assert_eq!(topology.edges, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(topology.hinges, [Hinge { edge: [1, 2], opposite: [0, 3], triangles: [0, 1] }]);
        assert_eq!(topology.boundary_loops(), [vec![0, 1, 3, 2]]);
        assert_eq!(topology.components().1, 1);
        assert_eq!(topology.neighbours(0).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn isolated_vertices_are_components_of_their_own() {
        let topology = Topology::new(6, &PAIR);
        assert_eq!(topology.components(), (vec![0, 0, 0, 0, 1, 2], 3));
    }
}
