//! Cuts a mesh apart where it is not manifold.
//!
//! Around each vertex the triangles are sorted into fans that hang together over edges with
//! exactly two triangles. The first fan keeps the vertex, each other one gets a copy. This needs
//! only one pass: two triangles that share such an edge are in the same fan at both of its ends,
//! so the edge stays whole; and of the triangles at an edge with more, at most two are in one fan
//! at an end, because apart from that edge a fan is a path or a ring.

use crate::math::components::components;
use crate::mesh::Topology;

/// Gives fans their own copies of vertices; `place_of` grows by one entry per copy. Returns how
/// many copies were made.
pub(super) fn split(triangles: &mut [[u32; 3]], place_of: &mut Vec<u32>) -> usize {
    let vertices = place_of.len();
    let topology = Topology::new(vertices, triangles);
    let original = triangles.to_vec();
    for vertex in 0..vertices as u32 {
        let around = topology.vertex_triangles.row(vertex as usize);
        let (fan, count) = fans(vertex, around, &original, &topology);
        for copy in 1..count as u32 {
            let new = place_of.len() as u32;
            place_of.push(place_of[vertex as usize]);
            for (&t, _) in around.iter().zip(&fan).filter(|(_, f)| **f == copy) {
                for (corner, old) in triangles[t as usize].iter_mut().zip(original[t as usize]) {
                    if old == vertex {
                        *corner = new;
                    }
                }
            }
        }
    }
    place_of.len() - vertices
}

/// The fan of each triangle around a vertex, numbered in the order of their first triangles, and how many there are.
fn fans(vertex: u32, around: &[u32], triangles: &[[u32; 3]], topology: &Topology) -> (Vec<u32>, usize) {
    // The edges at the vertex that join two of its triangles, as (edge, position in `around`).
    let mut spokes: Vec<(u32, u32)> = Vec::with_capacity(2 * around.len());
    for (position, &t) in (0..).zip(around) {
        for k in 0..3 {
            let edge = topology.triangle_edges[t as usize][k];
            let ends = [triangles[t as usize][k], triangles[t as usize][(k + 1) % 3]];
            if ends.contains(&vertex) && topology.edge_triangles.row(edge as usize).len() == 2 {
                spokes.push((edge, position));
            }
        }
    }
    spokes.sort_unstable();
    let mut partners: Vec<Vec<u32>> = vec![Vec::new(); around.len()];
    for pair in spokes.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        partners[pair[0].1 as usize].push(pair[1].1);
        partners[pair[1].1 as usize].push(pair[0].1);
    }
    components(around.len(), |triangle| partners[triangle as usize].iter().copied())
}
