//! Which bending a cloth gets: from its material and settings to what a step applies.

use super::Settings;
use crate::Error;
use crate::bending::PositionBending;
use crate::bending::constraints::{BendingList, ConstraintBending};
use crate::bending::explicit::ExplicitBending;
use crate::bending::gather::GatherBending;
use crate::bending::hinges::Hinges;
use crate::bending::quadratic::QuadraticBending;
use crate::cloth::{BendingForm, Cloth};
use crate::solver::constraint::{Enforcement, Passes};

/// How bending enters this simulation.
pub(crate) enum Bending {
    /// Not at all.
    None,
    /// The quadratic model as a correction of positions, once per step.
    Position(PositionBending),
    /// The quadratic model as a force.
    Explicit(ExplicitBending),
    /// Constraints, projected in every round.
    Constraints(ConstraintBending),
}

impl Bending {
    /// Prepares the bending of a cloth with inverse masses relative to the mean, 0 for what is pinned.
    pub fn new(cloth: &Cloth, settings: &Settings, relative: &[f32], rounds: u32) -> Result<Self, Error> {
        let (vertices, dt) = (cloth.vertex_count(), settings.substep_length());
        if let Some(list) = BendingList::new(cloth, Enforcement::new(cloth, rounds, dt)) {
            return Ok(Self::Constraints(list.arrange(vertices, settings.solver.passes())));
        }
        let (stiffness, hinges) = (cloth.material.quadratic_bending(), &cloth.topology.hinges);
        match cloth.material.bending_form {
            _ if stiffness == 0.0 || hinges.is_empty() => Ok(Self::None),
            BendingForm::Position => {
                let hinges = Hinges::new(&cloth.rest, hinges, stiffness, &cloth.masses, dt);
                Ok(Self::Position(if settings.solver.passes() != Passes::GaussSeidel {
                    PositionBending::Gather(GatherBending::new(relative, &hinges))
                } else {
                    PositionBending::Sweep(QuadraticBending::new(vertices, &hinges))
                }))
            }
            BendingForm::Explicit => {
                let inverse = |(w, mass): (&f32, &f64)| if *w > 0.0 { 1.0 / mass } else { 0.0 };
                let inverse: Vec<f64> = relative.iter().zip(&cloth.masses).map(inverse).collect();
                Ok(Self::Explicit(ExplicitBending::new(&cloth.rest, hinges, stiffness, &inverse, dt)?))
            }
        }
    }
}
