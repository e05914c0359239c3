//! What a grid is like: figures for those who ask.

use super::charts::{Charts, Distortion};
use super::grid::GridModel;
use super::levels::GridLevel;

/// The grid of a multilevel cloth.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GridLayout {
    /// Metres between particles along threads.
    pub spacing: f64,
    /// Columns and rows of the atlas.
    pub size: [usize; 2],
    /// Pieces of cloth.
    pub patches: usize,
    /// Points at which seams are sewn.
    pub stitches: usize,
    /// Particles per level, finest first.
    pub level_particles: Vec<usize>,
    /// How much the flat shape differs from the rest shape.
    pub distortion: Distortion,
}

impl GridLayout {
    pub(super) fn new(model: &GridModel, charts: &Charts) -> Self {
        Self {
            spacing: model.lattice.spacing,
            size: model.lattice.size,
            patches: charts.patch_count,
            stitches: model.stitches[0].len(),
            level_particles: model.levels.iter().map(GridLevel::particles).collect(),
            distortion: charts.distortion,
        }
    }
}
