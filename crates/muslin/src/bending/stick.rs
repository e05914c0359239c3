//! Sticks (Jakobsen 2001; [Kelager2010] §2): vertices two edges apart keep their distance.
//!
//! Input: bends over vertices, or pairs of triangles. Output: pairs of vertices with their distances at rest, for the
//! constraint [`Distance`](crate::solver::constraint::length::Distance).
//!
//! The cheapest model, and the crudest: near flat a distance hardly changes with the fold, so sticks resist small bends
//! little, and they resist stretch as much as bending.

use glam::DVec3;

use crate::mesh::Topology;

/// Each pair of ends once, without those that are joined by an edge: these are stretch, not bending.
pub(super) fn sticks(ends: impl Iterator<Item = [u32; 2]>, topology: &Topology) -> Vec<[u32; 2]> {
    let mut pairs: Vec<[u32; 2]> = ends
        .map(|[a, b]| [a.min(b), a.max(b)])
        .filter(|pair| pair[0] != pair[1] && topology.edges.binary_search(pair).is_err())
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The distance of two vertices at rest, metres.
pub(super) fn rest_length(rest: &[DVec3], [a, b]: [u32; 2]) -> [f32; 1] {
    [rest[a as usize].distance(rest[b as usize]) as f32]
}
