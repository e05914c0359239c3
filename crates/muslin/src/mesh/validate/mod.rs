//! Looks a mesh over and says everything that is wrong with it.
//!
//! Input: any [`TriMesh`], however broken. Output: a [`MeshReport`] whose issues name the elements
//! by index and by place, so that a user can find them in a modelling program.

mod connections;
mod elements;
mod issue;

use std::collections::BTreeMap;
use std::fmt;

pub use issue::{IssueKind, MeshIssue};

use super::{Topology, TriMesh};
pub(crate) use elements::is_degenerate;
pub(super) use elements::places;

/// A triangle whose height is less than this fraction of its longest edge counts as degenerate:
/// single precision cannot tell it from a line.
pub const DEGENERATE_RATIO: f64 = 1e-7;

/// A triangle whose height is less than this fraction of its longest edge is a sliver.
pub const SLIVER_RATIO: f64 = 1e-3;

/// How many issues of a kind the text of a report writes out.
const SHOWN_ISSUES: usize = 3;

/// What [`validate`] found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshReport {
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Triangles of the mesh.
    pub triangles: usize,
    /// Edges of the triangles that name three different, existing vertices.
    pub edges: usize,
    /// Edges with exactly one triangle.
    pub boundary_edges: usize,
    /// Closed loops of boundary edges.
    pub boundary_loops: usize,
    /// Whether every edge has exactly two triangles: there is an inside.
    pub closed: bool,
    /// Pieces that hang together, without isolated vertices.
    pub components: usize,
    /// Everything found, sorted by kind and within a kind by index.
    pub issues: Vec<MeshIssue>,
}

/// Looks a mesh over. Never fails: whatever is wrong is in the report.
pub fn validate(mesh: &TriMesh) -> MeshReport {
    let mut issues = Vec::new();
    elements::check_mesh(mesh, &mut issues);
    elements::check_vertices(mesh, &mut issues);
    elements::check_triangles(mesh, &mut issues);
    elements::check_duplicate_triangles(mesh, &mut issues);

    // Only triangles over three different, existing vertices have a topology.
    let sound: Vec<u32> = (0..mesh.triangles.len() as u32).filter(|&t| has_topology(mesh, t)).collect();
    let triangles: Vec<[u32; 3]> = sound.iter().map(|&t| mesh.triangles[t as usize]).collect();
    let topology = Topology::new(mesh.positions.len(), &triangles);
    connections::check_edges(mesh, &topology, &triangles, &sound, &mut issues);
    connections::check_vertices(mesh, &topology, &triangles, &mut issues);

    issues.sort_by_key(MeshIssue::kind); // stable: keeps the indices ascending
    MeshReport {
        vertices: mesh.positions.len(),
        triangles: mesh.triangles.len(),
        edges: topology.edges.len(),
        boundary_edges: (0..topology.edges.len()).filter(|&e| topology.is_boundary_edge(e)).count(),
        boundary_loops: topology.boundary_loops().len(),
        closed: topology.is_closed(),
        components: connections::component_count(&topology),
        issues,
    }
}

/// Whether a triangle names three different vertices that exist.
fn has_topology(mesh: &TriMesh, triangle: u32) -> bool {
    let [a, b, c] = mesh.triangles[triangle as usize];
    a != b && b != c && c != a && (a.max(b).max(c) as usize) < mesh.positions.len()
}

impl MeshReport {
    /// Whether nothing stands in the way of simulating the mesh; there may still be warnings.
    pub fn is_usable(&self) -> bool {
        !self.issues.iter().any(MeshIssue::is_fatal)
    }

    /// Whether nothing at all was found.
    pub fn is_clean(&self) -> bool {
        self.issues.is_empty()
    }

    /// The issues of one kind.
    pub fn of_kind(&self, kind: IssueKind) -> impl Iterator<Item = &MeshIssue> {
        self.issues.iter().filter(move |issue| issue.kind() == kind)
    }

    /// How many issues of a kind there are.
    pub fn count(&self, kind: IssueKind) -> usize {
        self.of_kind(kind).count()
    }

    /// How many issues of each kind there are, kinds without issues left out.
    pub fn counts(&self) -> BTreeMap<IssueKind, usize> {
        let mut counts = BTreeMap::new();
        for issue in &self.issues {
            *counts.entry(issue.kind()).or_insert(0) += 1;
        }
        counts
    }

    /// How many vertices could be saved by welding those at exactly the same place.
    pub fn surplus_vertices(&self) -> usize {
        let surplus = |issue: &MeshIssue| match issue {
            MeshIssue::DuplicateVertices { vertices, .. } => vertices.len() - 1,
            _ => 0,
        };
        self.issues.iter().map(surplus).sum()
    }
}

impl fmt::Display for MeshReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { vertices, triangles, edges, boundary_loops, components, .. } = self;
        let counted = |count: usize, one: &str, several: &str| {
            format!("{count} {}", if count == 1 { one } else { several })
        };
        let vertices = counted(*vertices, "vertex", "vertices");
        let triangles = counted(*triangles, "triangle", "triangles");
        writeln!(f, "{vertices}, {triangles}, {}", counted(*edges, "edge", "edges"))?;
        let closed = if self.closed { ", closed" } else { "" };
        write!(f, "components: {components}, boundary loops: {boundary_loops}{closed}")?;
        if self.is_clean() {
            return write!(f, "\nno problems found");
        }
        for (kind, count) in self.counts() {
            let severity = if kind.is_fatal() { "error" } else { "warning" };
            write!(f, "\n{severity}: {count} {}", kind.words(count != 1))?;
            for issue in self.of_kind(kind).take(SHOWN_ISSUES) {
                write!(f, "\n  {issue}")?;
            }
            if count > SHOWN_ISSUES {
                write!(f, "\n  … and {} more", count - SHOWN_ISSUES)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
