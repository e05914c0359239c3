//! What only some solvers have: a state, a finer cloth and a report of their own.

use glam::{DVec3, Vec3};

use super::impulse::ImpulseReport;
use super::multilevel::{FineState, GridLayout, GridReport};
use crate::Error;
use crate::diagnostics::energy::Momentum;
use crate::diagnostics::strain::Strain;
use crate::simulation::ShownMesh;
use crate::state::{Carriage, ExactState, State};

/// What a solver says of a step beyond what all say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum SolverReport {
    /// Nothing.
    #[default]
    Nothing,
    /// What the impulse solver did.
    Impulses(ImpulseReport),
    /// What the grid of multilevel cloth did.
    Grid(GridReport),
}

impl SolverReport {
    /// That of the impulse solver, if it is one.
    pub fn impulses(&self) -> Option<&ImpulseReport> {
        if let Self::Impulses(report) = self { Some(report) } else { None }
    }

    /// That of a grid, if it is one.
    pub fn grid(&self) -> Option<&GridReport> {
        if let Self::Grid(report) = self { Some(report) } else { None }
    }
}

/// What a solver adds to a state to come back to.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SolverState {
    /// Positions and velocities in double precision, of solvers that compute in it.
    Exact(ExactState),
    /// The grid of multilevel cloth.
    #[cfg_attr(feature = "serde", serde(rename = "fine"))]
    Grid(FineState),
}

/// What a solver has of a state beyond the cloth's own particles.
pub(crate) trait OwnState {
    /// Keeps it under a small number.
    fn keep(&mut self, number: usize);

    /// Goes back to what was kept.
    fn bring_back(&mut self, number: usize);

    /// Counts places from another origin, `by` from the last.
    fn recentre(&mut self, by: DVec3);

    /// Becomes what belongs to the cloth's state, and moves as that does.
    fn follow(&mut self, state: &State);

    /// Takes over what has been added to the velocities of the cloth's own particles, at once.
    fn push(&mut self, state: &State);

    /// Moves as a whole, as the cloth's own particles have: `state` is theirs.
    fn carry(&mut self, by: &Carriage, state: &State) -> Result<(), Error>;

    /// Goes back to what was [saved](Solver::save), if it is of this cloth; `state` is the cloth's.
    fn restore(&mut self, saved: &SolverState, state: &State) -> Result<(), Error>;

    /// What went wrong in the last step elsewhere (on a device), once.
    fn take_fault(&mut self) -> Option<Error>;
}

/// A finer cloth than the mesh, which has the mass, and is shown and measured in its place.
pub(crate) trait Finer {
    /// The mesh that is shown of it.
    fn shown_mesh(&self) -> ShownMesh<'_>;

    /// Where its vertices are, from the origin.
    fn shown_positions(&self) -> Result<Vec<Vec3>, Error>;

    /// Along threads; `None` if it cannot be read.
    fn strain(&self, gravity: Vec3) -> Option<Strain>;

    /// The largest stretch along a thread after the last substep, as a fraction.
    fn thread_stretch(&self) -> f64;

    /// About the origin, for a cloth of so many kg; `None` if it cannot be read.
    fn momentum(&self, mass: f64) -> Option<Momentum>;

    /// How far the two sides of a seam are apart, metres; `None` if it cannot be read.
    fn seam_gap(&self) -> Option<f64>;

    /// How it is laid out.
    fn layout(&self) -> &GridLayout;
}
