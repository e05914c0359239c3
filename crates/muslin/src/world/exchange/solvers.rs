//! What cloths do in turn with contacts: the passes of their solvers.

use glam::DVec3;

use super::states;
use crate::Simulation;
use crate::collision::{Cloths, Points};
use crate::diagnostics::timings::Timings;
use crate::execution::Execution;
use crate::solver::StrainLimit;

/// The cloths of a world.
pub(super) struct Solvers<'a>(pub &'a mut [(String, Simulation)]);

impl Cloths for Solvers<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn velocity(&self, cloth: usize, particle: usize) -> DVec3 {
        self.0[cloth].1.state.velocity(particle)
    }

    fn promises_strain(&mut self, cloth: usize) -> bool {
        matches!(self.0[cloth].1.solver.strain_limit(), StrainLimit::Promised(_))
    }

    fn strain_holds(&mut self, cloth: usize) -> bool {
        let Simulation { solver, state, .. } = &mut self.0[cloth].1;
        match solver.strain_limit() {
            StrainLimit::Promised(promise) => promise.holds(&state.points),
            _ => true,
        }
    }

    fn smooth(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) {
        let simulation = &mut self.0[cloth].1;
        simulation.solver.smooth(&mut simulation.state.points, execution, timings);
    }

    fn lock(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) -> bool {
        let Simulation { solver, state, .. } = &mut self.0[cloth].1;
        match solver.strain_limit() {
            StrainLimit::Locks(locks) => locks.lock(&mut state.points, execution, timings),
            _ => true,
        }
    }

    fn take_ends(&mut self, points: &Points) {
        states::store_ends(points, self.0);
    }

    fn give_ends(&self, points: &mut Points) {
        states::load_ends(self.0, points);
    }
}
