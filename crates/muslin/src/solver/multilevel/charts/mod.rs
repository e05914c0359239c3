//! Charts: every triangle of the cloth laid into the plane, in metres, u along the weft ([Schmitt2013] §4).
//!
//! Input: the rest mesh. Output: chart positions of all triangle corners, in patches that hang together. Regular grids
//! have no rest lengths of their own, so a chart must keep lengths: what it distorts is measured and limited.

mod distortion;
mod error;
mod flat;
mod flatten;
mod patches;
#[cfg(test)]
mod tests;
mod uvs;

use glam::DVec2;

pub use distortion::Distortion;
#[cfg(test)]
pub(crate) use distortion::stretches;
pub use error::ChartError;
use patches::Connections;
pub(crate) use patches::NONE;

use crate::mesh::{Topology, TriMesh};

/// Where the flat rest shape of a cloth comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Parameterisation {
    /// The texture coordinates if they keep lengths, else the rest shape itself if it is flat, else flattened.
    #[default]
    Auto,
    /// The texture coordinates of the mesh, which are metres of cloth: panels of a sewing pattern.
    Uvs,
    /// The rest shape, each connected part of which lies in a plane.
    Flat,
    /// Flattened as rigidly as possible, cut where texture coordinates are (if there are any).
    Flatten,
}

/// How charts are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChartOptions {
    pub parameterisation: Parameterisation,
    /// The largest distortion that is accepted (see [`Distortion::largest`]).
    pub most_distortion: f64,
}

impl Default for ChartOptions {
    fn default() -> Self {
        Self { parameterisation: Parameterisation::Auto, most_distortion: 0.1 }
    }
}

/// The charts of a mesh. All triangles run counter-clockwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charts {
    /// Per triangle the places of its corners, metres of cloth.
    pub uvs: Vec<[DVec2; 3]>,
    /// Per triangle its patch.
    pub patch_of: Vec<u32>,
    pub patch_count: usize,
    pub distortion: Distortion,
    /// Per triangle the one beyond side `k` (corners `k`, `k + 1`) in the same chart; [`NONE`] at outlines and seams.
    pub neighbours: Vec<[u32; 3]>,
    /// Per triangle the chart's own vertices: a mesh vertex at a seam is several of them.
    pub places: Vec<[u32; 3]>,
    /// Per place the mesh vertex; ascending, so that the places of a vertex follow each other.
    pub place_vertex: Vec<u32>,
}

impl Charts {
    /// Lays the mesh (in its rest shape) into the plane.
    pub fn new(mesh: &TriMesh, options: &ChartOptions) -> Result<Self, ChartError> {
        mesh.check().map_err(ChartError::Mesh)?;
        let limit = options.most_distortion;
        if limit.is_nan() || limit <= 0.0 {
            return Err(ChartError::Limit(limit));
        }
        let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
        let limited = |charts: Self| charts.limited(mesh, limit);
        match options.parameterisation {
            Parameterisation::Uvs => uvs::charts(mesh, &topology).and_then(limited),
            Parameterisation::Flat => flat::charts(mesh, &topology).and_then(limited),
            Parameterisation::Flatten => flatten::charts(mesh, &topology).and_then(limited),
            Parameterisation::Auto => uvs::charts(mesh, &topology)
                .and_then(limited)
                .or_else(|_| flat::charts(mesh, &topology).and_then(limited))
                .or_else(|_| flatten::charts(mesh, &topology).and_then(limited)),
        }
    }

    /// Charts of given chart positions, their distortion measured.
    fn assembled(mesh: &TriMesh, uvs: Vec<[DVec2; 3]>, connections: Connections) -> Self {
        let Connections { neighbours, patch_of, patch_count, places, place_vertex } = connections;
        let distortion = distortion::measure(mesh, &uvs).0;
        Self { uvs, patch_of, patch_count, distortion, neighbours, places, place_vertex }
    }

    /// Refuses charts that distort more than the limit.
    fn limited(self, mesh: &TriMesh, limit: f64) -> Result<Self, ChartError> {
        let (found, triangle) = distortion::measure(mesh, &self.uvs);
        if found.largest <= limit {
            return Ok(self);
        }
        Err(ChartError::Distorted { triangle, distortion: found.largest, limit })
    }

    /// The same charts with vertices moved within them; `mesh` is the rest shape that goes with it.
    pub fn moved(&self, mesh: &TriMesh, uvs: Vec<[DVec2; 3]>) -> Self {
        let distortion = distortion::measure(mesh, &uvs).0;
        Self { uvs, distortion, ..self.clone() }
    }

    /// The chart position of a point of a triangle given by weights of its corners.
    pub fn point(&self, triangle: u32, weights: [f64; 3]) -> DVec2 {
        let [a, b, c] = self.uvs[triangle as usize];
        a * weights[0] + b * weights[1] + c * weights[2]
    }

    /// Weights of a triangle's corners that give a point of the plane; outside they extrapolate.
    pub fn barycentric(&self, triangle: u32, point: DVec2) -> [f64; 3] {
        let [a, b, c] = self.uvs[triangle as usize];
        let area = (b - a).perp_dot(c - a);
        let (wb, wc) = ((point - a).perp_dot(c - a) / area, (b - a).perp_dot(point - a) / area);
        [1.0 - wb - wc, wb, wc]
    }

    /// For each place one corner of a triangle, the first: (triangle, corner).
    pub fn place_corners(&self) -> Vec<(u32, usize)> {
        let mut first = vec![(NONE, 0); self.place_vertex.len()];
        for (t, places) in self.places.iter().enumerate() {
            for (k, &place) in places.iter().enumerate() {
                if first[place as usize].0 == NONE {
                    first[place as usize] = (t as u32, k);
                }
            }
        }
        first
    }

    /// For each place whether it lies on an outline or a seam.
    pub fn rim_places(&self) -> Vec<bool> {
        let mut rim = vec![false; self.place_vertex.len()];
        for (places, neighbours) in self.places.iter().zip(&self.neighbours) {
            for k in (0..3).filter(|&k| neighbours[k] == NONE) {
                rim[places[k] as usize] = true;
                rim[places[(k + 1) % 3] as usize] = true;
            }
        }
        rim
    }
}
