//! Forces and impulses at single vertices.
//!
//! A force acts during the next step, the same in all of its substeps. Half of what it does in a substep is added to the velocity
//! before the particle moves and half after it has (Verlet), so what is free moves as the force says, x = x0 + v0 t + ½ a t²,
//! whatever the substeps. Gravity is added by the integration in the same way.

use glam::{DVec3, Vec3, Vec4};

use super::finite;
use crate::Error;
use crate::diagnostics::energy::Momentum;
use crate::simulation::{Pushes, Simulation};
use crate::solver::Motion;

/// Forces on particles during the next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forces {
    /// Per internal vertex, N; w is one where there is something. Empty until somebody asks for a force.
    all: Vec<Vec4>,
    /// Where there is something.
    vertices: Vec<u32>,
    /// What the next step begins with, where velocities are elsewhere.
    pub pushes: Pushes,
}

impl PartialEq for Forces {
    /// The same forces in the same order; whether there is memory for others makes no difference.
    fn eq(&self, other: &Self) -> bool {
        let force = |forces: &Self, v: &u32| forces.all[*v as usize];
        self.vertices == other.vertices
            && self.vertices.iter().all(|v| force(self, v) == force(other, v))
            && self.pushes == other.pushes
    }
}

impl Forces {
    /// There are none any more.
    pub fn forget(&mut self) {
        for v in self.vertices.drain(..) {
            self.all[v as usize] = Vec4::ZERO;
        }
        self.pushes.forget();
    }

    /// Internal vertices with what acts on them, N.
    #[cfg(feature = "gpu")]
    pub fn iter(&self) -> impl Iterator<Item = (u32, Vec3)> {
        self.vertices.iter().map(|&v| (v, self.all[v as usize].truncate()))
    }

    fn add(&mut self, vertex: u32, force: Vec3, vertices: usize) {
        self.all.resize(vertices, Vec4::ZERO);
        let own = &mut self.all[vertex as usize];
        if own.w == 0.0 {
            self.vertices.push(vertex);
        }
        *own = (own.truncate() + force).extend(1.0);
    }

    /// Becomes another; its memory is used again.
    pub fn copy_from(&mut self, other: &Self) {
        self.all.clone_from(&other.all);
        self.vertices.clone_from(&other.vertices);
        self.pushes.copy_from(&other.pushes);
    }

    /// Takes over what another has; of a cloth of as many vertices.
    pub fn set(&mut self, other: &Self, vertices: usize) {
        self.forget();
        for &v in &other.vertices {
            self.add(v, other.all[v as usize].truncate(), vertices);
        }
        self.pushes.set(&other.pushes);
    }
}

impl Simulation {
    /// Pulls at a vertex with a force (N) during the next step, with all of its substeps; then it is forgotten. Several at one
    /// vertex are added. A pinned vertex takes it without moving.
    pub fn add_force(&mut self, vertex: u32, force: Vec3) -> Result<(), Error> {
        let (internal, force) = (self.internal(vertex)?, finite(vertex, "the force", force)?);
        self.forces.add(internal, force, self.cloth.vertex_count());
        Ok(())
    }

    /// Pushes a vertex: its velocity changes at once, by the impulse (N·s) over its mass. A pinned vertex takes it without
    /// moving. (Of multilevel cloth the grid takes it over at once, all of it for every call.)
    pub fn push(&mut self, vertex: u32, impulse: Vec3) -> Result<(), Error> {
        let (v, impulse) = (self.internal(vertex)? as usize, finite(vertex, "the impulse", impulse)?);
        if !self.is_pinned(vertex) {
            self.change_velocity(v, impulse.as_dvec3() / self.cloth.masses[v]);
            self.hand_on_pushes();
        }
        Ok(())
    }

    /// Tells a solver with particles of its own what has been added to velocities.
    pub(super) fn hand_on_pushes(&mut self) {
        // One that is to be replaced by another, which begins with the cloth's own particles, does not care.
        let Self { solver, state, .. } = self;
        if let Some(own) = solver.as_mut().and_then(|solver| solver.own_state()) {
            own.push(state);
        }
    }

    /// Half of what forces do in a substep of `dt` seconds, before particles have moved and after.
    pub(crate) fn apply_half_of_forces(&mut self, dt: f64, has_moved: bool) {
        let Self { forces, state, cloth, .. } = self;
        if forces.vertices.is_empty() {
            return;
        }
        let mut given = Momentum::default();
        for v in forces.vertices.iter().map(|&v| v as usize) {
            if state.points[v].w == 0.0 {
                continue;
            }
            let impulse = 0.5 * dt * forces.all[v].truncate().as_dvec3();
            state.set_velocity(v, state.velocity(v) + impulse / cloth.masses[v]);
            given.linear += impulse;
            given.angular += state.position(v).cross(impulse);
        }
        self.book(given, dt, has_moved);
        if has_moved && self.facts.motion == Motion::OfSolver {
            self.hand_on_pushes();
        }
    }

    /// Counts what was given from outside in a substep of `dt` seconds, if anybody asks. Angular momentum is counted with the
    /// places where particles are then: those of the start, unless they have moved.
    pub(crate) fn book(&mut self, given: Momentum, dt: f64, has_moved: bool) {
        let Some(sum) = &mut self.air_impulse else { return };
        // Who asks adds what gravity makes of an impulse that came before the motion (`world/momentum.rs`).
        let after = has_moved && self.facts.motion == Motion::Exact;
        let fall = if after { self.settings.gravity.as_dvec3() * dt } else { DVec3::ZERO };
        let unmade = Momentum { linear: DVec3::ZERO, angular: 0.5 * dt * given.linear.cross(fall) };
        *sum = *sum + given - unmade;
    }
}
