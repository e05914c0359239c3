//! Finds out which triangles to turn so that neighbours agree about which side is out.

use crate::mesh::Topology;

/// What [`orient`] found.
pub(super) struct Oriented {
    /// For each triangle whether to turn it.
    pub flip: Vec<bool>,
    /// The first triangle of each piece that cannot be oriented.
    pub non_orientable: Vec<u32>,
}

/// Floods each piece over its edges with exactly two triangles and picks whichever triangles are
/// in the minority; on a tie the first triangle of the piece stays. A piece that cannot be oriented
/// stays as it is. Across edges with more triangles there is no right answer, so they bound the pieces.
pub(super) fn orient(vertices: usize, triangles: &[[u32; 3]]) -> Oriented {
    let topology = Topology::new(vertices, triangles);
    let mut flip = vec![false; triangles.len()];
    let mut visited = vec![false; triangles.len()];
    let mut non_orientable = Vec::new();
    let mut piece: Vec<u32> = Vec::new();
    for seed in 0..triangles.len() {
        if visited[seed] {
            continue;
        }
        visited[seed] = true;
        piece.clear();
        piece.push(seed as u32);
        let mut agrees = true;
        let mut next = 0;
        while let Some(&here) = piece.get(next) {
            next += 1;
            for &edge in &topology.triangle_edges[here as usize] {
                let Some(there) = across(&topology, edge, here) else { continue };
                let same_direction = directed(triangles, here, topology.edges[edge as usize])
                    == directed(triangles, there, topology.edges[edge as usize]);
                let wanted = flip[here as usize] ^ same_direction;
                if !visited[there as usize] {
                    visited[there as usize] = true;
                    flip[there as usize] = wanted;
                    piece.push(there);
                } else if flip[there as usize] != wanted {
                    agrees = false;
                }
            }
        }
        if !agrees {
            // Turning some of them would only move the disagreement elsewhere.
            non_orientable.push(seed as u32);
            piece.iter().for_each(|&t| flip[t as usize] = false);
        }
        let turned = piece.iter().filter(|&&t| flip[t as usize]).count();
        if 2 * turned > piece.len() {
            piece.iter().for_each(|&t| flip[t as usize] ^= true);
        }
    }
    Oriented { flip, non_orientable }
}

/// The other triangle at an edge with exactly two.
fn across(topology: &Topology, edge: u32, triangle: u32) -> Option<u32> {
    match *topology.edge_triangles.row(edge as usize) {
        [a, b] if a == triangle && b != triangle => Some(b),
        [a, b] if b == triangle && a != triangle => Some(a),
        _ => None,
    }
}

/// Whether a triangle names the two vertices of an edge in this order.
fn directed(triangles: &[[u32; 3]], triangle: u32, edge: [u32; 2]) -> bool {
    let corners = triangles[triangle as usize];
    (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == edge)
}
