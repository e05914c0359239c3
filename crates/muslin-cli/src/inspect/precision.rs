//! Whether a mesh is too far from the origin for its detail.

use std::fmt;

use glam::Vec3;
use muslin::mesh::{Topology, TriMesh};

/// An edge shorter than this many steps of single precision at its place has a length that is wrong by
/// about a per cent.
const STEPS: f64 = 100.0;

/// The same for the median of all edges: then strains below a thousandth, which are what cloth shows, are noise.
const MEDIAN_STEPS: f64 = 1000.0;

/// Edges whose lengths single precision rounds by about a per cent or more.
pub struct CoarseEdges {
    /// How many.
    pub edges: usize,
    /// The largest coordinate of any of them, metres.
    farthest: f64,
    /// Whether it rounds the median edge by a thousandth or more.
    pub most: Option<CoarseMedian>,
}

/// The median edge of a mesh that is too far away for most of its edges, in metres.
pub struct CoarseMedian {
    length: f64,
    coordinate: f64,
    unit: f64,
}

/// Looks for such edges. Those of no length at all are not among them: they may be so in the file. `places` is where the
/// vertices are.
pub fn coarse_edges(mesh: &TriMesh, places: &[Vec3]) -> CoarseEdges {
    let mut found = CoarseEdges { edges: 0, farthest: 0.0, most: None };
    if mesh.check().is_err() {
        return found;
    }
    let sound = mesh.triangles.iter().copied().filter(|[a, b, c]| a != b && b != c && c != a);
    let topology = Topology::new(mesh.positions.len(), &sound.collect::<Vec<_>>());
    let mut edges: Vec<(f64, f64)> = Vec::with_capacity(topology.edges.len());
    for ends in &topology.edges {
        let [a, b] = ends.map(|v| mesh.positions[v as usize].as_dvec3());
        let coordinate =
            ends.map(|v| f64::from(places[v as usize].abs().max_element())).into_iter().fold(0.0, f64::max);
        let length = a.distance(b);
        if length > 0.0 && length < STEPS * f64::from(f32::EPSILON) * coordinate {
            found.edges += 1;
            found.farthest = found.farthest.max(coordinate);
        }
        edges.push((length, coordinate));
    }
    edges.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let median = edges.get(edges.len() / 2).filter(|(length, _)| *length > 0.0);
    found.most = median.and_then(|&(length, coordinate)| {
        let place = coordinate as f32;
        let unit = f64::from(place.next_up()) - f64::from(place);
        (length < MEDIAN_STEPS * unit).then_some(CoarseMedian { length, coordinate, unit })
    });
    found
}

impl fmt::Display for CoarseMedian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "single precision is too coarse for it: {:.0} m from the origin positions are rounded by {:.1e} m, and half of the \
             edges are {:.1e} m long or shorter, so that strains below {:.1e} are noise; move the mesh to the origin before it is exported",
            self.coordinate,
            self.unit,
            self.length,
            self.unit / self.length
        )
    }
}

impl fmt::Display for CoarseEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(most) = &self.most {
            write!(f, "\nwarning: {most}")?;
        }
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
