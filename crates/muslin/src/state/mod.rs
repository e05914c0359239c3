//! What changes while a cloth moves.

mod carriage;
mod double;
mod drift;
mod fall;
mod point;
mod quarantine;
mod traveller;

pub(crate) use carriage::Carriage;
pub(crate) use double::DoubleState;
pub(crate) use drift::{Drawn, Drift};
pub(crate) use fall::Fall;
use glam::{DVec3, Vec3, Vec4};
pub(crate) use point::{Point, with_points};
pub(crate) use quarantine::Astray;
pub(crate) use traveller::{SHORT, Traveller};

use crate::Error;
use crate::execution::Execution;
use crate::origin::moved;
use crate::solver::SolverState;

/// Positions and velocities in internal order, one 16-byte record each.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// From where positions are counted, metres: see [`origin`](crate::origin).
    pub origin: DVec3,
    /// Position in metres; w holds the inverse mass relative to the mean (0: pinned).
    pub points: Vec<Vec4>,
    /// Positions at the start of the substep.
    pub previous: Vec<Vec4>,
    /// Positions with digits to spare, while a short substep is solved; empty if steps are long.
    pub travellers: Vec<Traveller>,
    /// m/s; w is unused. Of the middle of the last substep, where nothing but gravity acts.
    pub velocities: Vec<Vec4>,
    /// What rounding took from the positions of free particles, metres: their true places are `points` plus this. Without
    /// it gravity would vanish where a substep's fall is less than the last digit of a coordinate.
    pub remainders: Vec<Vec4>,
    /// Seconds of the last substep; 0 at a start.
    pub last_step: f64,
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
        self.remainders.resize(other.remainders.len(), Vec4::ZERO);
        execution.for_each_chunk2(&mut self.points, &mut self.velocities, |first, points, velocities| {
            let range = first..first + points.len();
            points.copy_from_slice(&other.points[range.clone()]);
            velocities.copy_from_slice(&other.velocities[range]);
        });
        execution.for_each_chunk(&mut self.remainders, |first, remainders| {
            remainders.copy_from_slice(&other.remainders[first..first + remainders.len()]);
        });
        self.double.clone_from(&other.double);
        self.origin = other.origin;
        (self.time, self.steps, self.last_step) = (other.time, other.steps, other.last_step);
    }

    /// Where a particle would go by itself, as precisely as it is known, before anything has corrected that.
    pub fn predicted(&self, v: usize, fall: Fall) -> DVec3 {
        if self.double.is_some() || self.points[v].w == 0.0 {
            return self.position(v);
        }
        let way = fall.way(self.velocities[v], self.remainders[v]);
        self.previous[v].truncate().as_dvec3() + way.truncate().as_dvec3()
    }

    /// Moves a particle, as precisely as it is known.
    pub fn shift(&mut self, v: usize, by: DVec3) {
        if let Some(double) = &mut self.double {
            double.positions[v] += by;
            self.points[v] = double.positions[v].as_vec3().extend(self.points[v].w);
        } else if let Some(traveller) = self.travellers.get_mut(v) {
            *traveller = traveller.plus(by.as_vec3().extend(0.0));
            self.points[v] = traveller.position();
        } else {
            self.points[v] += by.as_vec3().extend(0.0);
        }
    }

    /// Makes a particle heavier or lighter: its inverse mass relative to the mean.
    pub fn weigh(&mut self, v: usize, w: f32) {
        self.points[v].w = w;
        if let Some(traveller) = self.travellers.get_mut(v) {
            *traveller = traveller.with_w(w);
        }
    }

    /// Counts all positions from another origin. What rounding takes from a place, which is nothing where it comes nearer
    /// to the origin, is carried; so free particles stay where they are. Relative to each other, what is near does not move
    /// at all, so that what was apart is apart.
    pub fn recentre(&mut self, origin: DVec3) {
        let by = origin - self.origin;
        if by == DVec3::ZERO {
            return;
        }
        self.origin = origin;
        if self.double.is_some() {
            return self.recentre_double(by);
        }
        for (point, remainder) in self.points.iter_mut().zip(&mut self.remainders) {
            let place = point.truncate().as_dvec3() - by;
            *point = place.as_vec3().extend(point.w);
            if point.w > 0.0 {
                *remainder += (place - point.truncate().as_dvec3()).as_vec3().extend(0.0);
            }
        }
        for point in &mut self.previous {
            *point = moved(point.truncate(), by).extend(point.w);
        }
    }

    /// What gravity adds to velocities in a substep of `dt` seconds: velocities are those of the middle of the last one.
    /// So particles fall by ½ g t², whatever the substeps.
    pub fn gained(&self, gravity: Vec3, dt: f64) -> DVec3 {
        gained(gravity, self.last_step, dt)
    }
}

/// As [`State::gained`], after a step of `last_step` seconds.
pub(crate) fn gained(gravity: Vec3, last_step: f64, dt: f64) -> DVec3 {
    gravity.as_dvec3() * (0.5 * (last_step + dt))
}

/// A state to come back to, in the user's numbering: all that a simulation needs to go on with the
/// same bits.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    /// From where positions are counted, metres: see [`origin`](crate::origin).
    #[cfg_attr(feature = "serde", serde(default))]
    pub origin: DVec3,
    /// Metres, from the origin.
    pub positions: Vec<Vec3>,
    /// m/s.
    pub velocities: Vec<Vec3>,
    /// Seconds since the start.
    pub time: f64,
    /// Steps since the start, substeps counted one by one.
    pub steps: u64,
    /// Seconds of the last substep, or 0: velocities are those of its middle, as far as gravity goes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub last_step: f64,
    /// What single precision cannot hold of the positions, metres; empty if that is nothing.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub remainders: Vec<Vec3>,
    /// What only some solvers have of it.
    #[cfg_attr(feature = "serde", serde(flatten, skip_serializing_if = "Option::is_none"))]
    pub solver: Option<SolverState>,
}

/// Positions and velocities as solvers know them that compute in double precision, in the user's numbering.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExactState {
    /// Metres.
    pub positions: Vec<DVec3>,
    /// m/s.
    pub velocities: Vec<DVec3>,
    /// By how much constraints moved particles in the last substep, metres: a next one may begin with that.
    pub corrections: Vec<DVec3>,
}

impl Snapshot {
    /// Looks for what cannot be the state of a simulation.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |what, problem: &str| Err(Error::State { what, problem: problem.into() });
        if !self.time.is_finite() {
            return wrong("snapshot.time", "it is not finite");
        }
        if !self.origin.is_finite() {
            return wrong("snapshot.origin", "it is not finite");
        }
        if !(self.last_step >= 0.0 && self.last_step.is_finite()) {
            return wrong("snapshot.last_step", "it is no length of a step");
        }
        if !self.remainders.is_empty() && self.remainders.len() != self.positions.len() {
            return wrong("snapshot.remainders", "they are of another number of particles");
        }
        if !self.remainders.iter().all(|remainder| remainder.is_finite()) {
            return wrong("snapshot.remainders", "they are not finite");
        }
        self.check_exact()
    }

    /// Looks for a state in double precision that is not the one in single precision.
    fn check_exact(&self) -> Result<(), Error> {
        let Some(SolverState::Exact(exact)) = &self.solver else { return Ok(()) };
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
