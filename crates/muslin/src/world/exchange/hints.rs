//! What solvers are told of colliders before a substep.

use super::Exchange;
use crate::Simulation;
use crate::collision::{Particles, Substep};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::{Senses, Solver};

impl Exchange {
    /// Says to solvers, before a substep, what they want to know of colliders.
    pub fn tell_solvers(
        &mut self,
        cloths: &mut [(String, Simulation)],
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) {
        let Self { coarse, finest, touched, .. } = self;
        let collisions = &mut finest.collisions;
        if !collisions.has_obstacles() {
            return;
        }
        let moving =
            cloths.iter_mut().any(|(_, cloth)| !matches!(senses(&mut cloth.solver), Senses::Nothing));
        timings.time(Stage::BroadPhase, || collisions.place(substep, moving, execution));
        // After a coarser level, the gap that is kept is that level's.
        let collisions = &*collisions;
        let keeping = coarse.as_ref().map_or(collisions, |coarse| &coarse.collisions);
        for (number, (_, cloth)) in cloths.iter_mut().enumerate() {
            let (points, velocities) = (&cloth.state.points, &cloth.state.velocities);
            match senses(&mut cloth.solver) {
                Senses::Nothing => {}
                Senses::Touch(solver) => {
                    timings.time(Stage::BroadPhase, || {
                        collisions.touching(keeping, number, points, execution, touched);
                    });
                    solver.touch(touched);
                }
                Senses::Near(reach, known) => {
                    let particles = Particles { points, velocities, dt: substep.length() };
                    *known = timings
                        .time(Stage::BroadPhase, || collisions.near(number, particles, reach, execution));
                }
            }
        }
    }
}

fn senses(solver: &mut Option<Box<dyn Solver>>) -> Senses<'_> {
    solver.as_mut().map_or(Senses::Nothing, |solver| solver.senses())
}
