//! Why charts cannot be covered by a grid.

/// Why there is no grid of particles for a cloth.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// The spacing is no length.
    #[error("the spacing of the grid is {0} m; it must be a finite number above 0")]
    Spacing(f64),
    /// More particles than are supported.
    #[error(
        "a spacing of {spacing} m makes a grid of {columns:.0} x {rows:.0}; at most {most} texels are supported"
    )]
    TooLarge {
        /// Metres.
        spacing: f64,
        /// Columns of the grid.
        columns: f64,
        /// Rows of the grid.
        rows: f64,
        /// The largest number of texels.
        most: usize,
    },
    /// A panel lies over itself in the plane.
    #[error(
        "panel {patch} lies over itself in the plane: triangles {first} and {second} share a place; \
         cut it into panels that do not"
    )]
    Overlap {
        /// The panel.
        patch: u32,
        /// A triangle, internal numbering.
        first: u32,
        /// Another.
        second: u32,
    },
    /// A place of the cloth has no four particles around it that belong together.
    #[error(
        "a spacing of {spacing} m is too coarse for panel {patch} near triangle {triangle}: \
         it is narrower than two particles there"
    )]
    TooCoarse {
        /// Metres.
        spacing: f64,
        /// The panel.
        patch: u32,
        /// A triangle at that place, internal numbering.
        triangle: u32,
    },
}

impl LatticeError {
    /// The triangles that it is about.
    pub(crate) fn triangles_mut(&mut self) -> Vec<&mut u32> {
        match self {
            Self::Overlap { first, second, .. } => vec![first, second],
            Self::TooCoarse { triangle, .. } => vec![triangle],
            _ => Vec::new(),
        }
    }
}
