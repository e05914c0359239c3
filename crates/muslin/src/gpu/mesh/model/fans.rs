//! Fans: for each vertex its neighbours in the order in which its triangles join them.
//!
//! Input: the triangles, edges and rest lengths of a level. Output: [`Fans`].
//!
//! A GPU thread owns a vertex. Walking its fan it meets every edge once and every triangle between two
//! consecutive neighbours, so one list serves 1D and 2D regions, wind and damping, and every
//! neighbour is loaded once. A triangle as seen from the vertex is given by the rest lengths of the two
//! spokes and the tangent of half the angle between them, which keeps its precision for thin
//! triangles, where a cosine would lose it.

use glam::DVec3;

use crate::math::csr::Csr;
use crate::mesh::Topology;

/// Marks the end of a chain of triangles: none lies between this spoke and the next.
pub(super) const NO_TRIANGLE: f32 = -1.0;

/// One neighbour of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spoke {
    /// The neighbour.
    pub vertex: u32,
    /// Rest length of the edge in metres; negative if the edge was already met in this fan.
    pub length: f32,
    /// Tangent of half the angle to the next spoke at rest, or [`NO_TRIANGLE`]. The last spoke's next is
    /// the first: a closed fan ends with a triangle.
    pub half_angle: f32,
}

/// The fans of a level.
pub(super) type Fans = Csr<Spoke>;

/// Builds the fans of a mesh. It need not be manifold: what cannot be put into one chain starts a new one.
pub(super) fn fans(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    topology: &Topology,
    rest_lengths: &[f32],
) -> Fans {
    let mut pairs: Vec<(u32, Spoke)> = Vec::with_capacity(2 * topology.edges.len());
    let mut sides: Vec<[u32; 2]> = Vec::new();
    for v in 0..positions.len() as u32 {
        sides.clear();
        sides.extend(topology.vertex_triangles.row(v as usize).iter().map(|&t| {
            let corners = triangles[t as usize];
            let at = corners.iter().position(|&c| c == v).unwrap_or(0);
            [corners[(at + 1) % 3], corners[(at + 2) % 3]]
        }));
        let length = |u: u32| {
            let edges = topology.vertex_edges.row(v as usize);
            let edge = edges.iter().find(|&&e| topology.edges[e as usize].contains(&u));
            edge.map_or(0.0, |&e| rest_lengths[e as usize])
        };
        let start = pairs.len();
        while !sides.is_empty() {
            chain(v, &mut sides, positions, &mut pairs);
        }
        // Rest lengths; an edge that comes again (a closed chain beside another, an edge of three
        // triangles) is marked.
        for i in start..pairs.len() {
            let u = pairs[i].1.vertex;
            let again = pairs[start..i].iter().any(|(_, spoke)| spoke.vertex == u);
            pairs[i].1.length = if again { -length(u) } else { length(u) };
        }
    }
    Csr::from_pairs(positions.len(), pairs.iter().copied())
}

/// Takes one chain of triangles around `v` out of `sides` (the edges opposite to `v`).
fn chain(v: u32, sides: &mut Vec<[u32; 2]>, positions: &[DVec3], spokes: &mut Vec<(u32, Spoke)>) {
    let only = |u: u32, sides: &[[u32; 2]]| sides.iter().filter(|side| side.contains(&u)).count() == 1;
    let alone = spokes.last().is_none_or(|&(last, _)| last != v);
    // An open chain starts at an end, a closed one anywhere.
    let end = sides.iter().flatten().copied().find(|&u| only(u, sides));
    let first = end.unwrap_or(sides[0][0]);
    let place = |u: u32| positions[u as usize] - positions[v as usize];
    let mut here = first;
    while let Some(next) = sides.iter().position(|side| side.contains(&here)) {
        let [a, b] = sides.remove(next);
        let there = if a == here { b } else { a };
        let (p, q) = (place(here), place(there));
        // tan(θ/2) = sin θ/(1 + cos θ).
        let half_angle = p.cross(q).length() / (p.length() * q.length() + p.dot(q));
        spokes.push((v, Spoke { vertex: here, length: 0.0, half_angle: half_angle as f32 }));
        here = there;
    }
    // A fan that is one closed chain joins its last spoke with its first; everything else ends openly.
    if !(here == first && alone && sides.is_empty()) {
        spokes.push((v, Spoke { vertex: here, length: 0.0, half_angle: NO_TRIANGLE }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(positions: &[DVec3], triangles: &[[u32; 3]]) -> Fans {
        let topology = Topology::new(positions.len(), triangles);
        let lengths: Vec<f32> = topology
            .edges
            .iter()
            .map(|e| positions[e[0] as usize].distance(positions[e[1] as usize]) as f32)
            .collect();
        fans(positions, triangles, &topology, &lengths)
    }

    /// Every triangle is met once from each of its corners, every edge once from each of its ends, and the
    /// angles around an inner vertex of a flat mesh add up to a full turn.
    #[test]
    fn fans_meet_every_edge_and_triangle_once() {
        let mesh = crate::mesh::generate::grid(5, 4, 1.0, 0.7).unwrap();
        let positions: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let fans = of(&positions, &mesh.triangles);
        let topology = Topology::new(positions.len(), &mesh.triangles);
        let boundary = topology.boundary_vertices();
        for (v, &on_boundary) in boundary.iter().enumerate() {
            let fan = fans.row(v);
            let triangles = fan.iter().filter(|s| s.half_angle != NO_TRIANGLE).count();
            assert_eq!(triangles, topology.vertex_triangles.row(v).len());
            assert_eq!(fan.iter().filter(|s| s.length > 0.0).count(), topology.vertex_edges.row(v).len());
            let turn: f32 = fan.iter().map(|s| 2.0 * s.half_angle.max(0.0).atan()).sum();
            if !on_boundary {
                assert!((turn - std::f32::consts::TAU).abs() < 1e-5, "vertex {v}: {turn}");
            }
        }
    }

    #[test]
    fn an_edge_of_three_triangles_counts_once() {
        let positions = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::NEG_Y, DVec3::Z];
        let fans = of(&positions, &[[0, 1, 2], [0, 1, 3], [0, 1, 4]]);
        for v in 0..2 {
            let fan = fans.row(v);
            assert_eq!(fan.iter().filter(|s| s.half_angle != NO_TRIANGLE).count(), 3);
            assert_eq!(fan.iter().filter(|s| s.length > 0.0).count(), 4);
        }
    }

    #[test]
    fn two_fans_that_meet_in_a_vertex_stay_apart() {
        let positions = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
        let fan = of(&positions, &[[0, 1, 2], [0, 3, 4]]).row(0).to_vec();
        let angles: Vec<bool> = fan.iter().map(|s| s.half_angle != NO_TRIANGLE).collect();
        assert_eq!(angles, [true, false, true, false]);
    }
}
