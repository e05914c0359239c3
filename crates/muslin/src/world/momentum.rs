//! Momentum that nothing outside takes away.
//!
//! Input: cloths and rigid bodies, before and after a substep. Output: velocities of the cloths, corrected by a
//! common rigid motion such that all of them together have the momentum that they must have.
//!
//! Contacts of cloth and bodies conserve linear and angular momentum exactly (`collision/bodies/rigid.rs`). Solvers keep
//! linear momentum up to rounding, but angular momentum only as steps get small: they pull along edges where these
//! end, and velocities are counted from where they start. Without bodies nobody notices; a body in free cloth would
//! slowly be turned. So where there are bodies, and nothing that could take momentum away without being asked (no pin, no
//! collider), what was lost in a substep is given back to the cloths. What the air takes or gives is known, and counted.

use glam::{DMat3, DVec3};

use super::World;
use crate::Simulation;
use crate::diagnostics::energy::Momentum;
use crate::rigid::RigidSystem;
use crate::solver::Motion;

impl World {
    /// What the momentum of all cloths and bodies must be after a substep, if only gravity and air act from outside;
    /// what the air does is added at the end. Bodies have been moved, cloths have not.
    pub(super) fn momentum_to_keep(&mut self, dt: f64) -> Option<Momentum> {
        let closed = !self.rigid.bodies.is_empty() && self.colliders.is_empty();
        if !closed || !self.cloths.iter().all(|(_, cloth)| is_free(cloth)) {
            return None;
        }
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.air_impulse = Some(Momentum::default()));
        let bodies = self.rigid.bodies.iter().map(|body| body.momentum_of(&body.end));
        let mut momentum = bodies.fold(Momentum::default(), |sum, own| sum + own);
        for (_, cloth) in &self.cloths {
            let gravity = cloth.settings().gravity;
            let fall = match cloth.facts.motion {
                Motion::Exact => gravity.as_dvec3() * dt,
                Motion::Symplectic | Motion::OfSolver => cloth.state.gained(gravity, dt),
            };
            let moment: DVec3 = masses(cloth).map(|(mass, place)| place * mass).sum();
            let linear = fall * cloth.cloth().total_mass();
            let own = cloth.momentum_about_origin();
            let mut angular = moment.cross(fall);
            if cloth.facts.motion == Motion::Exact {
                // x1 × v1 = x0 × v0 + h x0 × g + ½h² v0 × g; the last is not there if particles first gain speed.
                angular += 0.5 * dt * own.linear.cross(fall);
            }
            momentum = momentum + own + Momentum { linear, angular };
        }
        Some(momentum)
    }

    /// Gives back what is missing after a substep of `dt`.
    pub(super) fn keep_momentum(&mut self, wanted: &Momentum, dt: f64) {
        let by_air = self.cloths.iter_mut().map(|(_, cloth)| {
            let mut impulse = cloth.air_impulse.take().unwrap_or_default();
            if cloth.facts.motion == Motion::Exact {
                // As above, for the speed that the air gave.
                let fall = cloth.settings().gravity.as_dvec3() * dt;
                impulse.angular += 0.5 * dt * impulse.linear.cross(fall);
            }
            impulse
        });
        let wanted = by_air.fold(*wanted, |sum, own| sum + own);
        let missing = wanted - self.momentum_about_origin();
        let mut system = RigidSystem::EMPTY;
        for (mass, place) in self.cloths.iter().flat_map(|(_, cloth)| masses(cloth)) {
            system.add(mass, place, DMat3::ZERO);
        }
        let Some(motion) = system.velocity_with(missing) else { return };
        for (_, cloth) in &mut self.cloths {
            let state = &mut cloth.state;
            for v in 0..state.points.len() {
                let velocity = state.velocity(v) + motion.at(state.position(v));
                state.set_velocity(v, velocity);
            }
        }
    }
}

/// Whether nothing holds any of a cloth's particles, hard or soft.
fn is_free(cloth: &Simulation) -> bool {
    cloth.holds.is_empty() && cloth.state.points.iter().all(|point| point.w > 0.0)
}

fn masses(cloth: &Simulation) -> impl Iterator<Item = (f64, DVec3)> {
    cloth.cloth.masses.iter().enumerate().map(|(v, &mass)| (mass, cloth.state.position(v)))
}
