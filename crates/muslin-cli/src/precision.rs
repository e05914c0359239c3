//! Whether a mesh is too far from the origin for its detail.

use std::fmt;

use muslin::mesh::{Topology, TriMesh};

/// An edge shorter than this many steps of single precision at its place has a length that is wrong by
/// about a per cent.
const STEPS: f64 = 100.0;

/// Edges whose lengths single precision rounds by about a per cent or more.
pub struct CoarseEdges {
    /// How many.
    pub edges: usize,
    /// The largest coordinate of any of them, metres.
    farthest: f64,
}

/// Looks for such edges. Those of no length at all are not among them: they may be so in the file.
pub fn coarse_edges(mesh: &TriMesh) -> CoarseEdges {
    let mut found = CoarseEdges { edges: 0, farthest: 0.0 };
    if mesh.check().is_err() {
        return found;
    }
    let sound = mesh.triangles.iter().copied().filter(|[a, b, c]| a != b && b != c && c != a);
    let topology = Topology::new(mesh.positions.len(), &sound.collect::<Vec<_>>());
    for ends in &topology.edges {
        let [a, b] = ends.map(|v| mesh.positions[v as usize].as_dvec3());
        let (length, coordinate) = (a.distance(b), a.abs().max(b.abs()).max_element());
        if length > 0.0 && length < STEPS * f64::from(f32::EPSILON) * coordinate {
            found.edges += 1;
            found.farthest = found.farthest.max(coordinate);
        }
    }
    found
}

impl fmt::Display for CoarseEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, it) = match self.edges {
            0 => return Ok(()),
            1 => ("edge is", "its length"),
            _ => ("edges are", "their lengths"),
        };
        write!(
            f,
            "\nwarning: {} {words} very short for coordinates of up to {:.0} m\n  Positions are kept in single \
             precision, which rounds {it} by 1 % or more there, and can make vertices\n  fall together. Move the \
             mesh to the origin before it is exported, or remove such detail.",
            self.edges, self.farthest
        )
    }
}
