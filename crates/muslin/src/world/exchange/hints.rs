//! What solvers are told of colliders before a substep.

use super::{Exchange, substep};
use crate::Simulation;
use crate::collision::Particles;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;

impl Exchange {
    /// Says to solvers, before a substep between these times, what they want to know of colliders: what is near, if they
    /// ask how far, else which particles lie on something.
    pub fn tell_solvers(
        &mut self,
        cloths: &mut [(String, Simulation)],
        times: [f64; 2],
        execution: Execution,
        timings: &mut Timings,
    ) {
        let collisions = &mut self.finest.collisions;
        if !collisions.has_obstacles() {
            return;
        }
        let substep = substep(cloths, times);
        let moving = cloths.iter().any(|(_, cloth)| cloth.solver.reach().is_some());
        timings.time(Stage::BroadPhase, || collisions.place(&substep, moving, execution));
        // After a coarser level, the gap that is kept is that level's.
        let collisions = &*collisions;
        let keeping = self.coarse.as_ref().map_or(collisions, |coarse| &coarse.collisions);
        for (number, (_, cloth)) in cloths.iter_mut().enumerate() {
            let (points, velocities) = (&cloth.state.points, &cloth.state.velocities);
            match cloth.solver.reach() {
                None => {
                    let normals = timings
                        .time(Stage::BroadPhase, || collisions.touching(keeping, number, points, execution));
                    cloth.solver.touch(&normals);
                }
                Some(reach) => {
                    let particles = Particles { points, velocities, dt: substep.length() };
                    let near = timings
                        .time(Stage::BroadPhase, || collisions.near(number, particles, reach, execution));
                    cloth.solver.near(near);
                }
            }
        }
    }
}
