//! Bending resistance. Each model is one file.
//!
//! The quadratic model ([`quadratic`], [`gather`], [`explicit`]) has a physical stiffness and acts once per step.
//! [`triangle`] with [`signed`], [`dihedral`] and [`stick`] are constraints, placed by [`placement`], and projected in every round of
//! the solver ([`constraints`]).

use crate::execution::Execution;
use crate::state::Point;

pub(crate) mod constraints;
pub(crate) mod dihedral;
pub(crate) mod explicit;
pub(crate) mod gather;
pub(crate) mod hinges;
pub(crate) mod placement;
pub(crate) mod quadratic;
mod signed;
mod stick;
pub(crate) mod triangle;

#[cfg(test)]
mod signed_tests;
#[cfg(test)]
mod tests;

/// Bending as a correction of positions, in one of two orders.
#[derive(Clone, Debug)]
pub(crate) enum PositionBending {
    /// Each hinge sees what the ones before it did.
    Sweep(quadratic::QuadraticBending),
    /// All hinges see the same positions.
    Gather(gather::GatherBending),
}

impl PositionBending {
    /// From now on these vertices have so much (up to one) of the inverse masses that they were prepared with, and all others theirs.
    pub fn weigh(&mut self, shares: impl Iterator<Item = (u32, f32)>) {
        if let Self::Gather(bending) = self {
            bending.weigh(shares);
        }
    }

    /// One pass over all hinges.
    pub fn apply<P: Point>(&mut self, points: &mut [P], execution: Execution) {
        match self {
            Self::Sweep(bending) => bending.apply(points, execution),
            Self::Gather(bending) => bending.apply(points, execution),
        }
    }
}
