//! Solvers: what makes predicted positions a cloth again.
//!
//! A [`SolverConfig`] (plain data) builds a `Box<dyn Solver>` once; a step makes one virtual call.

pub(crate) mod constraint;
pub mod impulse;
pub mod multilevel;
mod own;
pub mod position_based;
pub mod projections;
pub mod radial_matching;
pub(crate) mod resistance;
pub mod shape_matching;
pub(crate) mod sweep;
mod weight;

use glam::{Vec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
pub(crate) use crate::collision::Near;
use crate::diagnostics::timings::Timings;
use crate::execution::Execution;
use crate::simulation::Settings;
use crate::state::{State, Traveller};
use constraint::Passes;
pub use impulse::{ImpulseDirections, ImpulseMethod, ImpulseReport, ImpulseStart, Impulses, SpringDamper};
pub use multilevel::Multilevel;
pub(crate) use own::{Finer, OwnState};
pub use own::{SolverReport, SolverState};
pub use position_based::{Diagonals, PositionBased};
pub use radial_matching::{RadialMatching, RadialRegions, RadialUpdate};
pub use shape_matching::{Cycle, ShapeMatching, Variant};
pub(crate) use weight::Weight;

/// Which solver, with its options.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
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

/// In which order regions or constraints are gone through: not what is computed, but who sees what of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Order {
    /// Each sees what the ones before it did; the order is fixed, whatever the number of threads.
    #[default]
    GaussSeidel,
    /// All see the same positions and are averaged per particle: softer, and without any order.
    Jacobi,
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

/// What never changes of a solver.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// How particles move between constraints.
    pub motion: Motion,
    /// How often a step goes through bending, volume, tethers and [`Solver::solve`].
    pub rounds: u32,
    /// Whether what it does moves no centre of mass, but for rounding, which may then be taken back.
    pub keeps_momentum: bool,
    /// Triangles per level, coarsest first.
    pub level_triangles: Vec<usize>,
}

impl Facts {
    /// For a solver that goes once through a step and leaves the motion of particles to it.
    pub fn new(level_triangles: Vec<usize>) -> Self {
        Self { motion: Motion::Symplectic, rounds: 1, keeps_momentum: true, level_triangles }
    }
}

/// A solver for stretch and shear: four stages of a step, and what only some have, which is nothing unless they say so.
pub(crate) trait Solver: Send + Sync {
    /// What never changes.
    fn facts(&self) -> Facts;

    /// Another of these for a cloth and settings that have changed, if it is not built like the first: its particles may be on a
    /// device.
    fn again(&self, _cloth: &Cloth, _settings: &Settings) -> Option<Result<Box<dyn Solver>, Error>> {
        None
    }

    /// Gravity is another from now on, m/s². For solvers that move particles of their own.
    fn set_gravity(&mut self, _gravity: Vec3) {}

    /// From now on these particles count as heavier, until somebody says something else: nothing, or others. (The cloth's own
    /// mesh has that in its points already.)
    fn weigh(&mut self, _weights: &[Weight]) {}

    /// Changes velocities (m/s) before they move points, in a step of `dt` seconds. For solvers that work by
    /// impulses; others leave them alone.
    fn predict(&mut self, _state: &mut State, _dt: f32, _execution: Execution, _timings: &mut Timings) {}

    /// Moves predicted points (w: relative inverse mass) so that the cloth keeps its shape; `round` counts from 0.
    fn solve(&mut self, round: u32, state: &mut State, execution: Execution, timings: &mut Timings);

    /// Changes the velocities with which particles arrive, after collisions, in a step of `dt` seconds.
    fn settle(&mut self, _state: &mut State, _dt: f64, _execution: Execution, _timings: &mut Timings) {}

    /// A pass (or a few) over the cloth's own mesh only, without coarser levels.
    fn smooth(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings);

    /// Adds what only this solver knows to the report of a step.
    fn report(&self, _report: &mut SolverReport) {}

    /// What it wants to know of colliders before a step.
    fn senses(&mut self) -> Senses<'_> {
        Senses::Nothing
    }

    /// What it knows of strain that contacts must not spoil.
    fn strain_limit(&mut self) -> StrainLimit<'_> {
        StrainLimit::None
    }

    /// What of a state only it knows: particles of its own, beyond the cloth's.
    fn own_state(&mut self) -> Option<&mut dyn OwnState> {
        None
    }

    /// A copy of that, for a snapshot; also `None` if it cannot be read.
    fn save(&self) -> Option<SolverState> {
        None
    }

    /// A finer cloth than the mesh, if it has one.
    fn finer(&self) -> Option<&dyn Finer> {
        None
    }

    /// Takes a step of its own particles alone with the time of each kernel measured; `None` where that cannot be.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    fn profile(&mut self, _state: &State) -> Result<Option<crate::gpu::Profile>, Error> {
        Ok(None)
    }
}

/// What a solver wants to know of colliders, for the next [`Solver::solve`].
pub(crate) enum Senses<'a> {
    /// Nothing.
    Nothing,
    /// Which points lie on something.
    Touch(&'a mut dyn Touch),
    /// What is near each particle, at most so far from it (metres).
    Near(f32, &'a mut Vec<Near>),
}

/// Solvers that know of what points lie on.
pub(crate) trait Touch {
    /// `normals` point away from what points lie on, are of length one, and zero for all others.
    fn touch(&mut self, normals: &[Vec4]);
}

/// A strain that contacts must not spoil.
pub(crate) enum StrainLimit<'a> {
    /// There is none.
    None,
    /// Threads lock.
    Locks(&'a mut dyn Locks),
    /// The solver promises one.
    Promised(&'a dyn Promise),
}

/// Threads that let no edge be strained beyond a limit.
pub(crate) trait Locks {
    /// Draws threads back that are strained beyond where they lock, if they can be. Whether there was nothing to do.
    fn lock(&mut self, points: &mut [Vec4], execution: Execution, timings: &mut Timings) -> bool;
}

/// A strain that a solver promises.
pub(crate) trait Promise {
    /// Whether points, as contacts have left them, are strained no more than that.
    fn holds(&self, points: &[Vec4]) -> bool;
}

impl SolverConfig {
    /// How particles move under the solver.
    pub(crate) fn motion(&self) -> Motion {
        match self {
            Self::Impulses(_) => Motion::Exact,
            Self::Multilevel(_) => Motion::OfSolver,
            _ => Motion::Symplectic,
        }
    }

    /// How constraints around the solver (bending) are gone through on the CPU: as the solver goes through its own, so
    /// that a step in which all is averaged is the twin of the GPU's.
    pub(crate) fn passes(&self) -> Passes {
        match self {
            Self::ShapeMatching(config) if config.averages() => Passes::Jacobi { over_relaxation: 1.0 },
            Self::PositionBased(config) => config.passes(),
            _ => Passes::GaussSeidel,
        }
    }

    /// Builds the solver for a cloth under settings.
    pub(crate) fn build(&self, cloth: &Cloth, settings: &Settings) -> Result<Box<dyn Solver>, Error> {
        let dt = settings.substep_length();
        match self {
            Self::ShapeMatching(config) => Ok(match settings.has_short_steps() {
                true => Box::new(config.build::<Traveller>(cloth, dt)?),
                false => Box::new(config.build::<Vec4>(cloth, dt)?),
            }),
            Self::RadialMatching(config) => Ok(Box::new(config.build(cloth)?)),
            Self::PositionBased(config) => Ok(Box::new(config.build(cloth, dt)?)),
            Self::Impulses(config) => Ok(Box::new(config.build(cloth, dt)?)),
            Self::Multilevel(config) => Ok(Box::new(config.build(cloth, settings)?)),
        }
    }
}
