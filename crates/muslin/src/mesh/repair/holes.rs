//! Fills small holes.
//!
//! Triangles that agree about their orientation → triangles over the vertices of each small hole. Of all
//! ways to span a hole the one with the least area is taken (Barequet and Sharir 1995, by the usual dynamic
//! programme over the hole's vertices), without edges that the mesh has already and without triangles that
//! have no area. A hole for which there is none, or whose border touches itself, stays.

use glam::DVec3;

use super::Workpiece;
use super::flaps::sheets;
use crate::mesh::validate::is_degenerate;
use crate::mesh::{Topology, TriMesh};

/// A border with more edges is taken for one that somebody wants.
const MOST_EDGES: usize = 16;

/// A piece with fewer triangles per edge of the hole is a patch with a border, not a body with a hole.
const LEAST_TRIANGLES_PER_EDGE: usize = 4;

impl Workpiece<'_> {
    pub(super) fn fill_holes(&mut self) {
        let proper = self.proper();
        let triangles: Vec<_> = proper.iter().map(|&t| self.triangles[t]).collect();
        for filling in fill(self.mesh, &self.place_of, &triangles) {
            self.report.filled_holes += 1;
            for corners in filling.triangles {
                // Every vertex is on the border, where a triangle of the mesh has it too.
                let continued = corners.map(|v| {
                    let at = filling.border.iter().find(|(vertex, _)| *vertex == v);
                    let t = at.map_or(0, |(_, t)| proper[*t as usize]);
                    (t as u32, self.triangles[t].iter().position(|&u| u == v).unwrap_or(0))
                });
                self.triangles.push(corners);
                self.origin.push(self.origin[continued[0].0 as usize]);
                self.filled.push(continued);
            }
        }
    }
}

/// What was spanned over one hole, in the orientation of its surroundings.
struct Filling {
    triangles: Vec<[u32; 3]>,
    /// The vertices of the border, each with a triangle at it.
    border: Vec<(u32, u32)>,
}

/// Fillings of the small holes of triangles over working vertices, which are at these places of a mesh.
fn fill(mesh: &TriMesh, place_of: &[u32], triangles: &[[u32; 3]]) -> Vec<Filling> {
    let topology = Topology::new(place_of.len(), triangles);
    // Over edges: a triangle that only touches a body is not part of it.
    let (sheet, sizes, _) = sheets(&topology, triangles.len());
    let mut fillings = Vec::new();
    for border in borders(&topology, triangles) {
        let size = sizes[sheet[border[0].1 as usize] as usize];
        if border.len() > MOST_EDGES || size < LEAST_TRIANGLES_PER_EDGE * border.len() {
            continue;
        }
        let ring: Vec<u32> = border.iter().map(|(v, _)| *v).collect();
        let is_edge = |a: u32, b: u32| topology.neighbours(a).any(|v| v == b);
        fillings.extend(span(mesh, place_of, &ring, is_edge).map(|triangles| Filling { triangles, border }));
    }
    fillings
}

/// Simple closed borders as (vertex, triangle at the edge before it), in the direction in which a filling
/// runs along them.
fn borders(topology: &Topology, triangles: &[[u32; 3]]) -> Vec<Vec<(u32, u32)>> {
    // For each vertex where the border leads, with the triangle there; the triangle itself runs the other way.
    let mut next: Vec<Vec<(u32, u32)>> = vec![Vec::new(); topology.vertex_edges.rows()];
    for (edge, &[a, b]) in topology.edges.iter().enumerate().filter(|(e, _)| topology.is_boundary_edge(*e)) {
        let triangle = topology.edge_triangles.row(edge)[0];
        let corners = triangles[triangle as usize];
        let runs = (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == [a, b]);
        let (from, to) = if runs { (b, a) } else { (a, b) };
        next[from as usize].push((to, triangle));
    }
    let mut seen = vec![false; next.len()];
    let mut found = Vec::new();
    for start in 0..next.len() as u32 {
        let mut border = Vec::new();
        let mut here = start;
        // A vertex where several borders meet, or none goes on, ends the search.
        while let (false, [(to, triangle)]) = (seen[here as usize], next[here as usize].as_slice()) {
            seen[here as usize] = true;
            border.push((*to, *triangle));
            here = *to;
        }
        if border.len() > 2 && here == start {
            found.push(border);
        }
    }
    found
}

/// The triangles of least area over a ring of vertices.
fn span(
    mesh: &TriMesh,
    place_of: &[u32],
    ring: &[u32],
    is_edge: impl Fn(u32, u32) -> bool,
) -> Option<Vec<[u32; 3]>> {
    let n = ring.len();
    let place = |i: usize| place_of[ring[i] as usize];
    let at = |i: usize| -> DVec3 { mesh.positions[place(i) as usize].as_dvec3() };
    let cost = |i: usize, m: usize, k: usize| match is_degenerate(mesh, [place(i), place(m), place(k)]) {
        true => f64::INFINITY,
        false => 0.5 * (at(m) - at(i)).cross(at(k) - at(i)).length(),
    };
    // least[i][k]: of the part from i to k, with the triangle at the edge from i to k in the middle.
    let mut least = vec![vec![(0.0, 0); n]; n];
    for length in 2..n {
        for i in 0..n - length {
            let k = i + length;
            // The edge from the last to the first is the ring's own.
            if length < n - 1 && is_edge(ring[i], ring[k]) {
                least[i][k] = (f64::INFINITY, i);
                continue;
            }
            let area = |m: usize| least[i][m].0 + least[m][k].0 + cost(i, m, k);
            let best = (i + 1..k).map(|m| (area(m), m)).min_by(|a, b| a.0.total_cmp(&b.0));
            least[i][k] = best.unwrap_or((f64::INFINITY, i));
        }
    }
    if !least[0][n - 1].0.is_finite() {
        return None;
    }
    let mut triangles = Vec::new();
    let mut parts = vec![(0, n - 1)];
    while let Some((i, k)) = parts.pop() {
        if k - i > 1 {
            let m = least[i][k].1;
            triangles.push([ring[i], ring[m], ring[k]]);
            parts.extend([(i, m), (m, k)]);
        }
    }
    Some(triangles)
}
