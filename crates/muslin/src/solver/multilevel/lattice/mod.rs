//! The lattice: a regular grid of particles that covers all patches of a cloth, in one atlas ([Schmitt2013] §3, §4.1).
//!
//! A texel is a place (column, row) of the atlas; its particle sits at the texel's centre. Columns run along u, the
//! weft, rows along v, the warp. Which texels are covered, by which triangle, and which neighbours belong together is
//! found once, because charts never change (errata 5).

mod clip;
mod cover;
mod error;
mod links;
mod place;
mod project;
#[cfg(test)]
mod tests;
mod walk;

use glam::{DVec2, Vec3, Vec4, dvec2};

use super::charts::{Charts, NONE};
pub(crate) use clip::Square;
pub use error::LatticeError;
pub(crate) use project::{Grid, Stencils, find_stencil, vertex_stencils};
pub(crate) use walk::Walk;

/// Steps (columns, rows) to a texel's neighbours, in the order of the bits of [`Lattice::links`]: four along threads,
/// then four along diagonals. The neighbour opposite to `k` is `OPPOSITE[k]`.
pub(crate) const NEIGHBOURS: [[isize; 2]; 8] =
    [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];

/// For each of [`NEIGHBOURS`] the one in the other direction.
pub(crate) const OPPOSITE: [usize; 8] = [2, 3, 0, 1, 6, 7, 4, 5];

/// The grid of particles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lattice {
    /// Metres between neighbours along threads.
    pub spacing: f64,
    /// Columns and rows of the atlas.
    pub size: [usize; 2],
    /// Per patch the chart's coordinates (metres) at the centre of texel (0, 0).
    pub origins: Vec<DVec2>,
    /// Per texel (row by row) the neighbours that it is connected with, a bit each.
    pub links: Vec<u8>,
    /// Per texel the share of its cell that the mesh covers; 0 exactly where there is no particle.
    pub coverage: Vec<f32>,
    /// The covered texels in ascending order, and where their data come from.
    pub samples: Vec<Sample>,
}

/// A covered texel: its value is Σ weight·(vertex's value). Weights sum to one; outside the triangle they extrapolate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct Sample {
    /// Row · columns + column.
    pub texel: u32,
    /// Internal vertices of its triangle; of a stouter one near it where that is a sliver (see `cover`).
    pub vertices: [u32; 3],
    pub weights: [f32; 3],
    /// The mesh triangle that covers it, or the nearest that its cell touches: the side of a cut it belongs to.
    pub triangle: u32,
}

/// Reads a value between texels: from the 2×2 texels whose lowest column and row is `texel`, by t0 + f (t1 − t0)
/// along both axes. Fractions outside 0…1 extrapolate ([Schmitt2013] §4.2 as corrected by errata 1: f = r − o).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct Stencil {
    pub texel: u32,
    pub fractions: [f32; 2],
    /// How far the place is above what is read, along the normal of the four texels, metres.
    pub lift: f32,
}

/// One point of a seam: the places on its two sides that lie on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stitch {
    /// On its level.
    pub sides: [Stencil; 2],
    /// How far they are apart at rest, metres; known on the finest level only.
    pub gap: f32,
}

impl Lattice {
    /// Covers the charts of a mesh with a grid of particles `spacing` metres apart.
    pub fn new(charts: &Charts, triangles: &[[u32; 3]], spacing: f64) -> Result<Self, LatticeError> {
        let place::Atlas { size, origins } = place::pack(charts, spacing)?;
        let mut lattice = Self { spacing, size, origins, ..Self::default() };
        let cover = cover::Cover::new(charts, &lattice)?;
        lattice.links = links::links(charts, &lattice, &cover);
        lattice.samples = cover.samples(charts, &lattice, triangles);
        lattice.coverage = cover.coverage;
        Ok(lattice)
    }

    /// A chart's point in steps of the grid: texel (column, row) has its centre at whole numbers.
    pub fn coordinates(&self, patch: u32, point: DVec2) -> DVec2 {
        (point - self.origins[patch as usize]) / self.spacing
    }

    /// The corners of a triangle in steps of the grid.
    pub fn corners(&self, charts: &Charts, triangle: u32) -> [DVec2; 3] {
        let patch = charts.patch_of[triangle as usize];
        charts.uvs[triangle as usize].map(|uv| self.coordinates(patch, uv))
    }

    /// The centre of a texel in steps of the grid: its column and row.
    pub fn centre(&self, texel: u32) -> DVec2 {
        let columns = self.size[0];
        dvec2((texel as usize % columns) as f64, (texel as usize / columns) as f64)
    }

    /// Samples data of the mesh's vertices: the value of each texel, zero where there is no particle.
    pub fn sample(&self, data: &[Vec3]) -> Vec<Vec4> {
        let mut values = vec![Vec4::ZERO; self.size[0] * self.size[1]];
        for Sample { texel, vertices, weights, .. } in &self.samples {
            let [a, b, c] = vertices.map(|v| data[v as usize]);
            // From the first corner on: a value that is the same everywhere stays it.
            values[*texel as usize] = (a + weights[1] * (b - a) + weights[2] * (c - a)).extend(0.0);
        }
        values
    }

    /// The triangle that a texel belongs to; [`NONE`] where there is no particle.
    pub fn triangle_of(&self, texel: u32) -> u32 {
        let found = self.samples.binary_search_by_key(&texel, |sample| sample.texel);
        found.map_or(NONE, |k| self.samples[k].triangle)
    }
}
