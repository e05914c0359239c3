//! Coarsening by half-edge collapses: a vertex goes, its triangles are handed to a neighbour.
//!
//! Input: a mesh, the vertices that must survive, a number of triangles. Output: a mesh on a
//! subset of the vertices, in the order of the input, and for each vertex where it went.
//! [Bender2013] §4.3 names the operator (Kobbelt et al. 1998); cost and rules are ours, see
//! [`collapse`](super::collapse).
//!
//! The rules: collapses keep the topology; a boundary vertex moves along the boundary only, and
//! not where the boundary turns; no triangle flips or becomes a sliver; pinned vertices, corners
//! of the boundary and everything that is not manifold stay.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::collapse::{Collapse, Scorer, boundary_neighbours, is_corner};
use super::working_mesh::{DEAD, Ring, Star, WorkingMesh};

/// How often to look at all vertices again when the queue has run dry before the target.
const SWEEPS: usize = 4;

/// The key of a vertex without a collapse.
const NONE: u32 = u32::MAX;

/// A coarser mesh.
pub(super) struct Decimation {
    /// Triangles between coarse vertices.
    pub(super) triangles: Vec<[u32; 3]>,
    /// For each coarse vertex its fine index, ascending.
    pub(super) finer_vertex: Vec<u32>,
    /// For each fine vertex the coarse vertex that it is or was collapsed into.
    pub(super) coarse_vertex: Vec<u32>,
}

/// Collapses vertices until at most `target` triangles are left, or until no collapse is legal.
pub(super) fn decimate(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    kept: &[bool],
    target: usize,
) -> Decimation {
    let mut mesh = WorkingMesh::new(positions, triangles, kept);
    let mut parents: Vec<u32> = (0..positions.len() as u32).collect();
    for _ in 0..SWEEPS {
        let before = mesh.live;
        let mut queue = Queue::new(&mesh);
        run(&mut mesh, &mut queue, &mut parents, target);
        if mesh.live <= target || mesh.live == before {
            break;
        }
    }
    compact(&mesh, &parents)
}

/// Finds the vertices where the boundary turns sharply, seen over one edge to either side and
/// over two: a zigzag of single edges, as scans and draped hems have it, makes no corner.
///
/// They are looked for on the finest level only: a round hem turns more and more from level to
/// level without having corners.
pub(super) fn boundary_corners(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<bool> {
    let mesh = WorkingMesh::new(positions, triangles, &vec![false; positions.len()]);
    let mut ring = Ring::new();
    let mut along: Vec<[u32; 2]> = (0..positions.len() as u32).map(|v| [v; 2]).collect();
    for vertex in 0..positions.len() as u32 {
        if mesh.star(vertex) == Star::HalfDisc {
            mesh.ring(vertex, &mut ring);
            along[vertex as usize] = boundary_neighbours(&ring).unwrap_or([vertex; 2]);
        }
    }
    let turns = |before: u32, vertex: usize, after: u32| {
        is_corner(mesh.position(before), positions[vertex], mesh.position(after))
    };
    let is_corner = |vertex: usize| {
        let [after, before] = along[vertex];
        let [[second_after, _], [_, second_before]] = [along[after as usize], along[before as usize]];
        turns(before, vertex, after) && turns(second_before, vertex, second_after)
    };
    (0..positions.len()).map(is_corner).collect()
}

/// Collapses in the order of the queue until it is empty or the target is met.
fn run(mesh: &mut WorkingMesh, queue: &mut Queue, parents: &mut [u32], target: usize) {
    let mut scorer = Scorer::default();
    let mut ring = Ring::new();
    let mut touched: Vec<u32> = Vec::new();
    while mesh.live > target {
        let Some((removed, expected)) = queue.pop() else { return };
        // The queue knows neither the topology nor what has happened beyond the direct
        // neighbours, so look again; a dearer collapse waits for its turn.
        let found = scorer.legal(mesh, removed);
        queue.set(removed, key(found));
        let Some(collapse) = found.filter(|_| key(found) == expected) else { continue };
        queue.set(removed, NONE);
        parents[removed as usize] = collapse.target;
        mesh.collapse(removed, collapse.target);

        mesh.ring(collapse.target, &mut ring);
        touched.clear();
        touched.push(collapse.target);
        touched.extend(ring.iter().flatten());
        touched.sort_unstable();
        touched.dedup();
        touched.iter().for_each(|&vertex| queue.set(vertex, key(scorer.likely(mesh, vertex))));
    }
}

/// Vertices by the cost of their best collapse. An entry whose cost is no longer the vertex's is
/// skipped when it surfaces, which is cheaper than finding it in the heap.
///
/// Costs are kept to within 3 %, and equal ones are served in the order of the vertices. So
/// neighbours in memory are often worked on together, which the caches of a large mesh reward.
struct Queue {
    /// Key in the upper, vertex in the lower half.
    heap: BinaryHeap<Reverse<u64>>,
    /// For each vertex the key of its current cost, or [`NONE`].
    keys: Vec<u32>,
}

/// A number that sorts like the (positive) cost: its exponent and five bits of its mantissa.
fn key(collapse: Option<Collapse>) -> u32 {
    collapse.map_or(NONE, |collapse| (collapse.cost.to_bits() >> 47) as u32)
}

fn entry(key: u32, vertex: u32) -> Reverse<u64> {
    Reverse((u64::from(key) << 32) | u64::from(vertex))
}

impl Queue {
    /// All vertices of a mesh that may be collapsed.
    fn new(mesh: &WorkingMesh) -> Self {
        let mut scorer = Scorer::default();
        let keys: Vec<u32> =
            (0..mesh.positions.len() as u32).map(|vertex| key(scorer.likely(mesh, vertex))).collect();
        let entries = keys.iter().zip(0..).filter(|&(&key, _)| key != NONE);
        let heap = entries.map(|(&key, vertex)| entry(key, vertex)).collect::<Vec<_>>().into();
        Self { heap, keys }
    }

    /// The vertex that is cheapest to collapse, and its key.
    fn pop(&mut self) -> Option<(u32, u32)> {
        loop {
            let Reverse(entry) = self.heap.pop()?;
            let (key, vertex) = ((entry >> 32) as u32, entry as u32);
            if self.keys[vertex as usize] == key {
                return Some((vertex, key));
            }
        }
    }

    /// Replaces what is known about a vertex.
    fn set(&mut self, vertex: u32, key: u32) {
        let known = std::mem::replace(&mut self.keys[vertex as usize], key);
        if key != NONE && key != known {
            self.heap.push(entry(key, vertex));
        }
    }
}

/// Numbers what is left.
fn compact(mesh: &WorkingMesh, parents: &[u32]) -> Decimation {
    let mut finer_vertex = Vec::new();
    let mut coarse_vertex = vec![u32::MAX; parents.len()];
    for (vertex, &parent) in parents.iter().enumerate() {
        if parent as usize == vertex {
            coarse_vertex[vertex] = finer_vertex.len() as u32;
            finer_vertex.push(vertex as u32);
        }
    }
    let mut roots = parents.to_vec();
    for vertex in 0..roots.len() {
        let mut last = vertex;
        while roots[last] as usize != last {
            roots[last] = roots[roots[last] as usize]; // halves the path for those that follow
            last = roots[last] as usize;
        }
        coarse_vertex[vertex] = coarse_vertex[last];
    }
    let live = mesh.triangles.iter().filter(|&&corners| corners != DEAD);
    let triangles = live.map(|corners| corners.map(|v| coarse_vertex[v as usize])).collect();
    Decimation { triangles, finer_vertex, coarse_vertex }
}
