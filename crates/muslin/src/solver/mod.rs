//! Solvers: what makes predicted positions a cloth again.
//!
//! A [`SolverConfig`] (plain data) builds a `Box<dyn Solver>` once; a step makes one virtual call.

pub(crate) mod constraint;
pub mod impulse;
pub mod multilevel;
pub mod position_based;
pub mod projections;
pub mod radial_matching;
pub(crate) mod resistance;
pub mod shape_matching;
pub(crate) mod sweep;

use glam::{DVec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::cloth::Cloth;
pub(crate) use crate::collision::Near;
use crate::diagnostics::timings::Timings;
use crate::execution::Execution;
use crate::simulation::{Settings, StepReport};
use crate::state::State;
use constraint::Passes;
pub use impulse::{ImpulseDirections, ImpulseMethod, ImpulseReport, ImpulseStart, Impulses, SpringDamper};
pub use multilevel::Multilevel;
use multilevel::MultilevelSolver;
pub use position_based::{Diagonals, Order, PositionBased};
pub use radial_matching::{RadialMatching, RadialRegions, RadialUpdate};
pub use shape_matching::{Cycle, ShapeMatching, Variant};

/// Which solver, with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SolverConfig {
    /// Multi-resolution shape matching \[Bender2013\].
    ShapeMatching(ShapeMatching),
    /// Radial shape matching \[Anonymous\].
    RadialMatching(RadialMatching),
    /// Position-based dynamics, as \[Kelager2010\] uses it.
    PositionBased(PositionBased),
    /// Inextensible cloth by impulses \[Bender2009\].
    Impulses(Impulses),
    /// A coarse mesh that collides, with a fine grid that folds \[Schmitt2013\].
    Multilevel(Multilevel),
}

impl Default for SolverConfig {
    fn default() -> Self {
        Self::ShapeMatching(ShapeMatching::default())
    }
}

/// How particles move under gravity between two constraint solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// Symplectic Euler; velocities are the change of positions.
    Symplectic,
    /// By the exact formula, in double precision; velocities are those at the end of the step.
    Exact,
    /// As the solver says: it moves particles of its own and the cloth's with them.
    OfSolver,
}

/// A solver for stretch and shear.
pub(crate) trait Solver: Send {
    /// Says, for the next [`Solver::solve`], which points lie on something: `normals` point away from it, are
    /// of length one, and zero for all others.
    fn touch(&mut self, normals: &[Vec4]);

    /// How far from its particles (metres) a solver wants to know of colliders, by [`Solver::near`] instead of
    /// [`Solver::touch`].
    fn reach(&self) -> Option<f32> {
        None
    }

    /// Says, for the next [`Solver::solve`], what is near each particle.
    fn near(&mut self, _near: Vec<Near>) {}

    /// How particles move between constraints.
    fn motion(&self) -> Motion {
        Motion::Symplectic
    }

    /// Changes velocities (m/s) before they move points, in a step of `dt` seconds. For solvers that work by
    /// impulses; others leave them alone.
    fn push(&mut self, _state: &mut State, _dt: f32, _execution: Execution, _timings: &mut Timings) {}

    /// Whether what it does moves no centre of mass, but for rounding, which may then be taken back.
    fn keeps_momentum(&self) -> bool {
        true
    }

    /// How often a step goes through bending, volume, tethers and [`Solver::solve`].
    fn rounds(&self) -> u32 {
        1
    }

    /// Moves predicted points (w: relative inverse mass) so that the cloth keeps its shape; `round` counts from 0.
    fn solve(&mut self, round: u32, state: &mut State, execution: Execution, timings: &mut Timings);

    /// Changes the velocities with which particles arrive, after collisions, in a step of `dt` seconds.
    fn settle(&mut self, _state: &mut State, _dt: f64, _execution: Execution, _timings: &mut Timings) {}

    /// A pass (or a few) over the cloth's own mesh only, without coarser levels.
    fn smooth(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings);

    /// Draws threads back that are strained beyond where they lock, if they can be. Whether there was nothing to do.
    fn lock(&mut self, _points: &mut [Vec4], _execution: Execution, _timings: &mut Timings) -> bool {
        true
    }

    /// Whether the solver promises a strain, which contacts must not spoil.
    fn promises_strain(&self) -> bool {
        false
    }

    /// Whether points, as contacts have left them, are strained no more than the solver promises.
    fn strain_holds(&self, _points: &[Vec4]) -> bool {
        true
    }

    /// Adds what only this solver knows to the report of a step.
    fn report(&self, _report: &mut StepReport) {}

    /// What went wrong in the last step elsewhere (on a device), once.
    fn take_fault(&mut self) -> Option<Error> {
        None
    }

    /// Counts the positions of what it has beyond the cloth's particles from another origin, `by` from the last.
    fn recentre(&mut self, _by: DVec3) {}

    /// Keeps what a solver has of a state beyond the cloth's, under a small number.
    fn keep(&mut self, _number: usize) {}

    /// Goes back to what was kept.
    fn bring_back(&mut self, _number: usize) {}

    /// Triangles per level, coarsest first.
    fn level_triangles(&self) -> Vec<usize>;

    /// The solver of multilevel cloth, if it is that.
    fn multilevel(&self) -> Option<&MultilevelSolver> {
        None
    }

    /// The solver of multilevel cloth, to be changed.
    fn multilevel_mut(&mut self) -> Option<&mut MultilevelSolver> {
        None
    }
}

/// Stands in for a solver where the work is done on another device.
#[cfg(feature = "gpu")]
pub(crate) struct Elsewhere {
    /// Triangles per level, coarsest first.
    pub level_triangles: Vec<usize>,
}

#[cfg(feature = "gpu")]
impl Solver for Elsewhere {
    fn touch(&mut self, _: &[Vec4]) {
        unreachable!("cloth on the GPU does not collide");
    }

    fn solve(&mut self, _: u32, _: &mut State, _: Execution, _: &mut Timings) {
        unreachable!("the host's copy of a cloth on the GPU takes no steps");
    }

    fn smooth(&mut self, _: &mut Vec<Vec4>, _: Execution, _: &mut Timings) {
        unreachable!("the host's copy of a cloth on the GPU takes no steps");
    }

    fn level_triangles(&self) -> Vec<usize> {
        self.level_triangles.clone()
    }
}

impl SolverConfig {
    /// Whether all regions see the same positions and are averaged per vertex. Bending and damping
    /// then do likewise, so that the whole step is the twin of the GPU's.
    pub(crate) fn averages(&self) -> bool {
        match self {
            Self::ShapeMatching(config) => config.variant == Variant::Gather,
            Self::RadialMatching(_) | Self::Impulses(_) | Self::Multilevel(_) => false,
            Self::PositionBased(config) => config.order == Order::Jacobi,
        }
    }

    /// How constraints around the solver (bending) are gone through.
    pub(crate) fn passes(&self) -> Passes {
        match self {
            Self::ShapeMatching(config) if config.variant == Variant::Gather => {
                Passes::Jacobi { over_relaxation: 1.0 }
            }
            Self::ShapeMatching(_) | Self::RadialMatching(_) | Self::Impulses(_) | Self::Multilevel(_) => {
                Passes::GaussSeidel
            }
            Self::PositionBased(config) => config.passes(),
        }
    }

    /// Builds the solver for a cloth under settings.
    pub(crate) fn build(&self, cloth: &Cloth, settings: &Settings) -> Result<Box<dyn Solver>, Error> {
        let dt = settings.substep_length();
        match self {
            Self::ShapeMatching(config) => Ok(Box::new(config.build(cloth, dt)?)),
            Self::RadialMatching(config) => Ok(Box::new(config.build(cloth)?)),
            Self::PositionBased(config) => Ok(Box::new(config.build(cloth, dt)?)),
            Self::Impulses(config) => Ok(Box::new(config.build(cloth, dt)?)),
            Self::Multilevel(config) => Ok(Box::new(config.build(cloth, settings)?)),
        }
    }
}
