//! Distances along the cloth from every vertex to its nearest pins.
//!
//! Input: the rest mesh and groups of source vertices. Output: per vertex its nearest groups, in
//! each the nearest source and the length of the shortest path over the surface.
//!
//! Dijkstra's algorithm over edges overestimates such lengths by up to 10 % (it zigzags). Here a
//! front also crosses triangles: two vertices that heard of the same source are laid flat with it,
//! and the third vertex takes the straight line if that passes between them. This is exact on flat
//! cloth, where a straight line passes through a chain of triangles unfolded one by one; over
//! curved rest shapes it is close.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use crate::math::csr::Csr;
use crate::mesh::Topology;

/// A shortest path found so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Path {
    /// Which group of sources.
    pub group: u32,
    /// Which source of the group: an index into `sources`.
    pub source: u32,
    /// Length in metres.
    pub length: f64,
}

/// An improvement must be larger than this fraction to be passed on; stops endless rounding.
const IMPROVEMENT: f64 = 1e-7;

/// For each vertex its paths to the nearest `most` groups, nearest first. `sources` holds
/// (vertex, group) pairs.
pub(super) fn nearest_paths(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    topology: &Topology,
    sources: &[(u32, u32)],
    most: usize,
) -> Csr<Path> {
    let mut fronts = Fronts { paths: vec![Vec::new(); positions.len()], most, queue: BinaryHeap::new() };
    for (source, &(vertex, group)) in sources.iter().enumerate() {
        fronts.offer(vertex, Path { group, source: source as u32, length: 0.0 });
    }
    while let Some(Reverse((bits, vertex, group))) = fronts.queue.pop() {
        let Some(path) = fronts.path(vertex, group) else { continue };
        if path.length.to_bits() != bits {
            continue; // a shorter one has been found since
        }
        let here = positions[vertex as usize];
        for next in topology.neighbours(vertex) {
            let length = path.length + here.distance(positions[next as usize]);
            fronts.offer(next, Path { length, ..path });
        }
        for &t in topology.vertex_triangles.row(vertex as usize) {
            let corners = triangles[t as usize];
            for target in corners {
                let Some(&other) = corners.iter().find(|&&v| v != vertex && v != target) else { continue };
                let Some(beside) = fronts.path(other, group).filter(|p| p.source == path.source) else {
                    continue;
                };
                if target == vertex {
                    continue;
                }
                let corner = |v: u32| positions[v as usize];
                let length =
                    across(corner(vertex), corner(other), corner(target), path.length, beside.length);
                if let Some(length) = length {
                    fronts.offer(target, Path { length, ..path });
                }
            }
        }
    }
    let rows = fronts.paths.iter().enumerate();
    Csr::from_pairs(positions.len(), rows.flat_map(|(v, paths)| paths.iter().map(move |&p| (v as u32, p))))
}

struct Fronts {
    /// Per vertex, sorted by length.
    paths: Vec<Vec<Path>>,
    most: usize,
    /// (length as bits: positive floats sort like their bits, vertex, group).
    queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

impl Fronts {
    fn path(&self, vertex: u32, group: u32) -> Option<Path> {
        self.paths[vertex as usize].iter().find(|p| p.group == group).copied()
    }

    fn offer(&mut self, vertex: u32, path: Path) {
        let paths = &mut self.paths[vertex as usize];
        if let Some(known) = paths.iter().position(|p| p.group == path.group) {
            if path.length >= paths[known].length * (1.0 - IMPROVEMENT) {
                return;
            }
            paths.remove(known);
        } else if paths.len() == self.most {
            if paths.last().is_none_or(|worst| path.length >= worst.length) {
                return;
            }
            paths.pop();
        }
        let place = paths.partition_point(|p| p.length <= path.length);
        paths.insert(place, path);
        self.queue.push(Reverse((path.length.to_bits(), vertex, path.group)));
    }
}

/// The straight path to c through the edge a–b, laid flat, given the paths to a and b.
fn across(a: DVec3, b: DVec3, c: DVec3, to_a: f64, to_b: f64) -> Option<f64> {
    let edge = b - a;
    let l = edge.length();
    if l <= 0.0 {
        return None;
    }
    // a at the origin, b at (l, 0), c above, the source below at (sx, −sy).
    let cx = (c - a).dot(edge) / l;
    let cy = ((c - a).length_squared() - cx * cx).max(0.0).sqrt();
    let sx = (to_a * to_a - to_b * to_b + l * l) / (2.0 * l);
    let sy_sq = to_a * to_a - sx * sx;
    if sy_sq < -1e-9 * l * l || cy <= 0.0 {
        return None;
    }
    let sy = sy_sq.max(0.0).sqrt();
    let crossing = sx + (cx - sx) * sy / (sy + cy);
    (0.0..=l).contains(&crossing).then(|| (cx - sx).hypot(cy + sy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{TriMesh, generate};

    fn paths(mesh: &TriMesh, sources: &[(u32, u32)], most: usize) -> (Vec<DVec3>, Csr<Path>) {
        let positions: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let topology = Topology::new(positions.len(), &mesh.triangles);
        let paths = nearest_paths(&positions, &mesh.triangles, &topology, sources, most);
        (positions, paths)
    }

    #[test]
    fn flat_cloth_gives_straight_lines() {
        let mesh = generate::delaunay_rectangle(2.0, 1.0, 3_000, 4).unwrap();
        let (positions, paths) = paths(&mesh, &[(17, 0)], 1);
        for (v, position) in positions.iter().enumerate() {
            let straight = position.distance(positions[17]);
            let ours = paths.row(v)[0].length;
            assert!(ours >= straight * (1.0 - 1e-6) && ours <= straight * 1.002, "{v}: {ours} {straight}");
        }
    }

    #[test]
    fn paths_go_around_a_notch_and_not_through_the_air() {
        // A U: the upper middle is cut out down to a quarter of the height.
        let full = generate::delaunay_rectangle(3.0, 4.0, 6_000, 4).unwrap();
        let inside = |t: &[u32; 3]| {
            let c = t.iter().map(|&v| full.positions[v as usize]).sum::<glam::Vec3>() / 3.0;
            !(c.x > 1.0 && c.x < 2.0 && c.y > 1.0)
        };
        let triangles: Vec<[u32; 3]> = full.triangles.iter().copied().filter(inside).collect();
        let mesh = TriMesh::new(full.positions.clone(), triangles);
        let left = mesh.nearest_vertex(glam::Vec3::new(0.0, 4.0, 0.0)).unwrap();
        let right = mesh.nearest_vertex(glam::Vec3::new(3.0, 4.0, 0.0)).unwrap();
        let (_, paths) = paths(&mesh, &[(left, 0)], 1);
        // From one corner to the notch's lower corner, across, and up again.
        let around = 2.0 * (1.0f64 + 9.0).sqrt() + 1.0;
        let ours = paths.row(right as usize)[0].length;
        assert!((ours / around - 1.0).abs() < 0.02, "{ours} {around}");
    }

    #[test]
    fn paths_follow_a_tube_around() {
        let mesh = generate::tube(0.5, 1.0, 60, 20).unwrap();
        let (positions, paths) = paths(&mesh, &[(0, 0)], 1);
        let opposite = DVec3::new(-positions[0].x, positions[0].y, -positions[0].z);
        let far = (0..positions.len())
            .min_by(|&a, &b| positions[a].distance(opposite).total_cmp(&positions[b].distance(opposite)));
        let ours = paths.row(far.unwrap())[0].length;
        assert!((ours / (0.5 * std::f64::consts::PI) - 1.0).abs() < 0.01, "{ours}");
    }

    #[test]
    fn each_group_is_named_once_nearest_first() {
        let mesh = generate::grid(10, 1, 10.0, 1.0).unwrap();
        let (_, paths) = paths(&mesh, &[(0, 7), (10, 8), (5, 9)], 2);
        for v in 0..mesh.positions.len() {
            let row = paths.row(v);
            assert!(row.len() == 2 && row[0].group != row[1].group && row[0].length <= row[1].length);
        }
        assert_eq!(paths.row(1)[0].group, 7);
    }
}
