//! States to come back to.

use glam::Vec4;

use super::Simulation;
use crate::Error;
use crate::cloth::check_positions;
use crate::solver::SolverState;
use crate::state::{ExactState, Snapshot};

impl Simulation {
    /// A copy of the state, to come back to with [`Simulation::restore`].
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        self.snapshot_into(&mut snapshot);
        snapshot
    }

    /// The same, in place of another snapshot, whose memory is used again. (The grid of multilevel cloth takes new memory.)
    pub fn snapshot_into(&self, snapshot: &mut Snapshot) {
        let (state, places) = (&self.state, &self.cloth.permutation.old_to_new);
        let Snapshot { positions, velocities, remainders, solver, .. } = snapshot;
        let copy = |values: &[Vec4], to: &mut Vec<glam::Vec3>| {
            to.clear();
            to.extend(places.iter().map(|&v| values[v as usize].truncate()));
        };
        copy(&state.points, positions);
        copy(&state.velocities, velocities);
        match state.remainders.iter().all(|remainder| *remainder == Vec4::ZERO) {
            true => remainders.clear(),
            false => copy(&state.remainders, remainders),
        }
        match (&state.double, &mut *solver) {
            (Some(double), Some(SolverState::Exact(exact))) => double.copy_into(places, exact),
            (Some(double), _) => {
                let mut exact = ExactState::default();
                double.copy_into(places, &mut exact);
                *solver = Some(SolverState::Exact(exact));
            }
            // Of a solver that is to be replaced by another, nothing is of use.
            (None, _) => {
                let own = self.solver.as_ref().filter(|_| self.built_as_asked());
                *solver = own.and_then(|own| own.save());
            }
        }
        (snapshot.origin, snapshot.time) = (state.origin, state.time);
        (snapshot.steps, snapshot.last_step) = (state.steps, state.last_step);
    }

    /// Goes back to a snapshot; going on from there gives the same bits as before.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        snapshot.check()?;
        if let (Some(SolverState::Grid(_)), None) = (&snapshot.solver, self.own_state()) {
            let problem = "it is of multilevel cloth, which this is not".into();
            return Err(Error::State { what: "snapshot.fine", problem });
        }
        check_positions("positions", &snapshot.positions, self.cloth.vertex_count())?;
        check_positions("velocities", &snapshot.velocities, self.cloth.vertex_count())?;
        self.forget_what_it_was();
        self.state.last_step = snapshot.last_step;
        self.set_state_from(snapshot.origin, &snapshot.positions, &snapshot.velocities)?;
        let own = self.solver.as_mut().and_then(|solver| solver.own_state());
        match (&snapshot.solver, own) {
            (Some(SolverState::Exact(exact)), _) => {
                self.state.restore_exact(exact, &self.cloth.permutation.old_to_new);
            }
            (Some(saved), Some(own)) => own.restore(saved, &self.state)?,
            // A grid follows the coarse mesh.
            _ => {}
        }
        for (remainder, &v) in snapshot.remainders.iter().zip(&self.cloth.permutation.old_to_new) {
            self.state.remainders[v as usize] = remainder.extend(0.0);
        }
        (self.state.time, self.state.steps) = (snapshot.time, snapshot.steps);
        self.jumped();
        Ok(())
    }
}
