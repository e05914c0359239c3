//! What changes while a cloth moves.

mod double;
mod quarantine;

pub(crate) use double::DoubleState;
use glam::{DVec3, Vec3, Vec4};
pub(crate) use quarantine::Astray;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::execution::Execution;

/// Positions and velocities in internal order, one 16-byte record each.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Position in metres; w holds the inverse mass relative to the mean (0: pinned).
    pub points: Vec<Vec4>,
    /// Positions at the start of the substep.
    pub previous: Vec<Vec4>,
    /// m/s; w is unused.
    pub velocities: Vec<Vec4>,
    /// The same in double precision, for solvers that need it.
    pub double: Option<DoubleState>,
    /// Seconds since the start.
    pub time: f64,
    /// Steps taken, substeps counted one by one.
    pub steps: u64,
}

impl State {
    /// Becomes a copy of what a step starts from; takes no memory if the sizes are the same.
    pub fn copy_start_of(&mut self, other: &State, execution: Execution) {
        self.points.resize(other.points.len(), Vec4::ZERO);
        self.velocities.resize(other.velocities.len(), Vec4::ZERO);
        execution.for_each_chunk2(&mut self.points, &mut self.velocities, |first, points, velocities| {
            let range = first..first + points.len();
            points.copy_from_slice(&other.points[range.clone()]);
            velocities.copy_from_slice(&other.velocities[range]);
        });
        self.double.clone_from(&other.double);
        (self.time, self.steps) = (other.time, other.steps);
    }
}

/// A state to come back to, in the user's numbering: all that a simulation needs to go on with the
/// same bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// m/s.
    pub velocities: Vec<Vec3>,
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start, substeps counted one by one.
    pub steps: u64,
    /// The same in double precision, of solvers that compute in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactState>,
    /// The grid of multilevel cloth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fine: Option<FineState>,
}

/// The grid of multilevel cloth, texel by texel; zero where there is no particle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FineState {
    /// Metres.
    pub points: Vec<Vec3>,
    /// Where they were a substep ago, metres.
    pub previous: Vec<Vec3>,
    /// How long that substep was, seconds.
    pub last_step: f64,
    /// Iterations on the finest level of the next substep.
    pub iterations: u32,
}

impl FineState {
    /// Looks for what cannot be the state of a grid of so many texels.
    pub(crate) fn check(&self, texels: usize) -> Result<(), Error> {
        let wrong = |problem: &str| Err(Error::State { what: "snapshot.fine", problem: problem.into() });
        if self.points.len() != texels || self.previous.len() != texels {
            return wrong("it is of another grid");
        }
        if !self.points.iter().chain(&self.previous).all(|point| point.is_finite()) {
            return wrong("it is not finite");
        }
        if !(self.last_step.is_finite() && self.last_step > 0.0) || self.iterations == 0 {
            return wrong("its last step is no step");
        }
        Ok(())
    }
}

/// Positions and velocities as solvers know them that compute in double precision, in the user's numbering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactState {
    /// Metres.
    pub positions: Vec<DVec3>,
    /// m/s.
    pub velocities: Vec<DVec3>,
    /// By how much constraints moved particles in the last substep, metres: a next one may begin with that.
    pub corrections: Vec<DVec3>,
}

impl Snapshot {
    /// Looks for a state in double precision that is not the one in single precision.
    pub(crate) fn check_exact(&self) -> Result<(), Error> {
        let Some(exact) = &self.exact else { return Ok(()) };
        let wrong = |problem: &str| Err(Error::State { what: "snapshot.exact", problem: problem.into() });
        let lengths = [&exact.positions, &exact.velocities, &exact.corrections].map(Vec::len);
        if lengths != [self.positions.len(); 3] || self.velocities.len() != self.positions.len() {
            return wrong("it has another number of particles");
        }
        let same = |(exact, single): (&DVec3, &Vec3)| exact.as_vec3() == *single;
        if !exact.positions.iter().zip(&self.positions).all(same)
            || !exact.velocities.iter().zip(&self.velocities).all(same)
        {
            return wrong("it is not the state that the snapshot holds in single precision");
        }
        if !exact.corrections.iter().all(|correction| correction.is_finite()) {
            return wrong("its corrections are not finite");
        }
        Ok(())
    }
}
