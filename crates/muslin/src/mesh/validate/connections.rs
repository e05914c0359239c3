//! Checks of how triangles hang together: edges, fans around vertices, components.

use super::elements::centre;
use super::{MeshIssue, Topology, TriMesh};
use crate::math::disjoint_sets::DisjointSets;

/// Reports edges with more than two triangles and edges run through twice in one direction.
/// `original` gives for each of `triangles` its index in the mesh.
pub(super) fn check_edges(
    mesh: &TriMesh,
    topology: &Topology,
    triangles: &[[u32; 3]],
    original: &[u32],
    issues: &mut Vec<MeshIssue>,
) {
    for (e, &edge) in topology.edges.iter().enumerate() {
        let around = topology.edge_triangles.row(e);
        if around.len() < 2 {
            continue;
        }
        let originals = |chosen: &[u32]| chosen.iter().map(|&t| original[t as usize]).collect::<Vec<_>>();
        let position = centre(mesh, &edge);
        if around.len() > 2 {
            issues.push(MeshIssue::NonManifoldEdge { edge, triangles: originals(around), position });
        }
        let (forward, backward): (Vec<u32>, Vec<u32>) =
            around.iter().partition(|&&t| runs_through(triangles[t as usize], edge));
        for (edge, chosen) in [(edge, forward), ([edge[1], edge[0]], backward)] {
            if chosen.len() > 1 {
                let triangles = originals(&chosen);
                issues.push(MeshIssue::InconsistentOrientation { edge, triangles, position });
            }
        }
    }
}

/// Whether a triangle names the two vertices of an edge in this order.
fn runs_through(corners: [u32; 3], edge: [u32; 2]) -> bool {
    (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == edge)
}

/// Reports vertices whose triangles form more than one fan.
pub(super) fn check_vertices(
    mesh: &TriMesh,
    topology: &Topology,
    triangles: &[[u32; 3]],
    issues: &mut Vec<MeshIssue>,
) {
    let mut spokes = Vec::new();
    for (v, &position) in mesh.positions.iter().enumerate() {
        let vertex = v as u32;
        let fans = fan_count(vertex, topology.vertex_triangles.row(v), triangles, &mut spokes);
        if fans > 1 {
            issues.push(MeshIssue::NonManifoldVertex { vertex, fans, position });
        }
    }
}

/// How many fans the triangles around a vertex form: they belong to the same fan if they share an
/// edge at the vertex, however many triangles that edge has. `spokes` is scratch.
fn fan_count(vertex: u32, around: &[u32], triangles: &[[u32; 3]], spokes: &mut Vec<(u32, u32)>) -> usize {
    spokes.clear();
    for (local, &t) in (0u32..).zip(around) {
        let others = triangles[t as usize].into_iter().filter(|&other| other != vertex);
        spokes.extend(others.map(|other| (other, local)));
    }
    spokes.sort_unstable();
    let mut sets = DisjointSets::new(around.len());
    let pairs = spokes.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    around.len() - pairs.filter(|pair| sets.join(pair[0].1, pair[1].1)).count()
}

/// Components with at least one triangle.
pub(super) fn component_count(topology: &Topology) -> usize {
    let (label, count) = topology.components();
    let mut has_triangle = vec![false; count];
    for (v, &component) in label.iter().enumerate() {
        if !topology.vertex_triangles.row(v).is_empty() {
            has_triangle[component as usize] = true;
        }
    }
    has_triangle.iter().filter(|&&has| has).count()
}
