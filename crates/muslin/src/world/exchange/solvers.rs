//! What cloths do in turn with contacts: the passes of their solvers.

use glam::DVec3;

use super::states;
use crate::Simulation;
use crate::collision::{Cloths, Points};
use crate::diagnostics::timings::Timings;
use crate::execution::Execution;
use crate::solver::StrainLimit;
use crate::state::State;

/// The cloths of a world.
pub(super) struct Solvers<'a>(pub &'a mut [(String, Simulation)]);

impl Solvers<'_> {
    /// What a cloth's solver knows of strain, and the cloth's state.
    fn strain_limit(&mut self, cloth: usize) -> (StrainLimit<'_>, &mut State) {
        let Simulation { solver, state, .. } = &mut self.0[cloth].1;
        (solver.as_mut().map_or(StrainLimit::None, |solver| solver.strain_limit()), state)
    }
}

impl Cloths for Solvers<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn velocity(&self, cloth: usize, particle: usize) -> DVec3 {
        self.0[cloth].1.state.velocity(particle)
    }

    fn promises_strain(&mut self, cloth: usize) -> bool {
        matches!(self.strain_limit(cloth).0, StrainLimit::Promised(_))
    }

    fn strain_holds(&mut self, cloth: usize) -> bool {
        match self.strain_limit(cloth) {
            (StrainLimit::Promised(promise), state) => promise.holds(&state.points),
            _ => true,
        }
    }

    fn smooth(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) {
        let Simulation { solver, state, .. } = &mut self.0[cloth].1;
        if let Some(solver) = solver {
            solver.smooth(&mut state.points, execution, timings);
        }
    }

    fn lock(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) -> bool {
        match self.strain_limit(cloth) {
            (StrainLimit::Locks(locks), state) => locks.lock(&mut state.points, execution, timings),
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
