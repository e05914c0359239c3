//! What cloths do in turn with contacts: the passes of their solvers.

use glam::DVec3;

use super::states;
use crate::Simulation;
use crate::collision::{Cloths, Points};
use crate::diagnostics::timings::Timings;
use crate::execution::Execution;

/// The cloths of a world.
pub(super) struct Solvers<'a>(pub &'a mut [(String, Simulation)]);

impl Cloths for Solvers<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn velocity(&self, cloth: usize, particle: usize) -> DVec3 {
        self.0[cloth].1.state.velocity(particle)
    }

    fn promises_strain(&self, cloth: usize) -> bool {
        self.0[cloth].1.solver.promises_strain()
    }

    fn strain_holds(&self, cloth: usize) -> bool {
        let simulation = &self.0[cloth].1;
        simulation.solver.strain_holds(&simulation.state.points)
    }

    fn smooth(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) {
        let simulation = &mut self.0[cloth].1;
        simulation.solver.smooth(&mut simulation.state.points, execution, timings);
    }

    fn lock(&mut self, cloth: usize, execution: Execution, timings: &mut Timings) -> bool {
        let simulation = &mut self.0[cloth].1;
        simulation.solver.lock(&mut simulation.state.points, execution, timings)
    }

    fn take_ends(&mut self, points: &Points) {
        states::store_ends(points, self.0);
    }

    fn give_ends(&self, points: &mut Points) {
        states::load_ends(self.0, points);
    }
}
