//! Which triangles hang together in the plane: neighbours, patches, and the chart's own vertices.

use crate::math::components::components;
use crate::mesh::{Topology, TriMesh};

/// No triangle.
pub(crate) const NONE: u32 = u32::MAX;

/// See the fields of [`Charts`](super::Charts).
pub(super) struct Connections {
    pub neighbours: Vec<[u32; 3]>,
    pub patch_of: Vec<u32>,
    pub patch_count: usize,
    pub places: Vec<[u32; 3]>,
    pub place_vertex: Vec<u32>,
}

impl Connections {
    /// Two triangles are neighbours if they alone share an edge and `joined(first corner, second corner)` holds for
    /// both ends, a corner being (triangle, 0…2).
    pub fn new(
        mesh: &TriMesh,
        topology: &Topology,
        joined: impl Fn((usize, usize), (usize, usize)) -> bool,
    ) -> Self {
        let triangles = &mesh.triangles;
        let mut neighbours = vec![[NONE; 3]; triangles.len()];
        for (e, ends) in topology.edges.iter().enumerate() {
            let &[s, t] = topology.edge_triangles.row(e) else { continue };
            let corner =
                |t: u32, v: u32| triangles[t as usize].iter().position(|&w| w == v).map(|k| (t as usize, k));
            let same = |&v: &u32| corner(s, v).zip(corner(t, v)).is_some_and(|(a, b)| joined(a, b));
            if s != t && ends.iter().all(same) {
                for (here, there) in [(s, t), (t, s)] {
                    for k in (0..3).filter(|&k| topology.triangle_edges[here as usize][k] == e as u32) {
                        neighbours[here as usize][k] = there;
                    }
                }
            }
        }
        // Numbered by their first triangles.
        let beside = |t: u32| neighbours[t as usize].into_iter().filter(|&next| next != NONE);
        let (patch_of, patch_count) = components(triangles.len(), beside);
        let (places, place_vertex) = places(triangles, topology, &neighbours);
        Self { neighbours, patch_of, patch_count, places, place_vertex }
    }
}

/// The fans of triangles around each vertex: one place each.
fn places(triangles: &[[u32; 3]], topology: &Topology, neighbours: &[[u32; 3]]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let mut places = vec![[NONE; 3]; triangles.len()];
    let mut place_vertex = Vec::new();
    let mut stack = Vec::new();
    for (v, around) in topology.vertex_triangles.iter().enumerate() {
        for &seed in around {
            stack.push(seed as usize);
            let place = place_vertex.len() as u32;
            let mut new = false;
            while let Some(t) = stack.pop() {
                let Some(k) = (0..3).find(|&k| triangles[t][k] == v as u32) else { continue };
                if places[t][k] != NONE {
                    continue;
                }
                places[t][k] = place;
                new = true;
                // The two sides that meet in corner k.
                let beyond = [neighbours[t][k], neighbours[t][(k + 2) % 3]];
                stack.extend(beyond.iter().filter(|&&next| next != NONE).map(|&next| next as usize));
            }
            if new {
                place_vertex.push(v as u32);
            }
        }
    }
    (places, place_vertex)
}
