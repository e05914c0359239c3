//! How much a cloth resists stretch, whether its material or its solver says so.

use super::{PositionBased, SolverConfig};
use crate::cloth::{Material, Stiffness, Stretch};

/// What resists stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Resistance {
    /// A fraction of the deformation, from 0 (nothing resists) to 1, is undone.
    Fraction(f64),
    /// A stiffness in N/m.
    Stiffness(f64),
}

impl Resistance {
    /// The resistance of a material that a solver moves.
    pub fn of(solver: &SolverConfig, material: &Material) -> Self {
        let own = match solver {
            SolverConfig::PositionBased(PositionBased { stretch, .. }) => *stretch,
            // Inextensible, whatever the material.
            SolverConfig::Impulses(_) => Some(Stiffness::Fraction(1.0)),
            _ => None,
        };
        match (own, material.stretch) {
            (Some(Stiffness::Fraction(fraction)), _) => Self::Fraction(fraction.into()),
            (Some(Stiffness::Compliance(compliance)), _) => Self::Stiffness(1.0 / f64::from(compliance)),
            (None, Stretch::Physical { weft, warp, .. }) => Self::Stiffness(weft.min(warp).into()),
            (None, Stretch::Coefficients { alpha, beta }) => match solver {
                // It has no triangles.
                SolverConfig::PositionBased(_) => Self::Fraction(beta.into()),
                _ => Self::Fraction(alpha.max(beta).into()),
            },
        }
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        matches!(self, Self::Fraction(0.0) | Self::Stiffness(0.0))
    }
}

/// How much of its stiffness a pass of Gauss and Seidel brings to bear against a strain that is the same all around, if
/// each region takes the share `taken` out of the strain that it finds.
///
/// A region alone brings 1 − taken: what it takes out no longer pulls. But in a cloth what one takes out, its neighbours get,
/// since the strain of the whole stays. Half of them come before it, so it finds s = 1 + s taken/2, and brings s (1 − taken).
pub(crate) fn brought_to_bear(taken: f64) -> f64 {
    (1.0 - taken) / (1.0 - 0.5 * taken)
}
