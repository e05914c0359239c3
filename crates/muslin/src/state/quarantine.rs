//! Particles that go astray: finding them, and going on without them.
//!
//! A step that leaves a particle without a finite position, or out of all bounds, is rolled back and
//! tried once more with the particle and its neighbours held where they are. If that fails too, the
//! state is the one before the step, bit for bit, and the step an error.

use glam::Vec4;

use crate::Error;
use crate::execution::Execution;
use crate::simulation::Simulation;
use crate::solver::OwnState;

/// How far the neighbourhood reaches, in edges.
const RINGS: usize = 2;

/// Particles (internal numbers) that a step has lost.
#[derive(Debug)]
pub(crate) struct Astray(pub Vec<u32>);

impl Astray {
    /// Looks for lost particles; `None` if there are none.
    pub fn find(points: &[Vec4], velocities: &[Vec4], bounds: f32) -> Option<Self> {
        let lost = |v: &usize| {
            let inside = points[*v].truncate().abs().max_element() <= bounds;
            // Written so that NaN counts as lost.
            !(inside && points[*v].is_finite() && velocities[*v].is_finite())
        };
        let lost: Vec<u32> = (0..points.len()).filter(lost).map(|v| v as u32).collect();
        (!lost.is_empty()).then_some(Self(lost))
    }
}

impl Simulation {
    /// What only its solver knows of the state.
    pub(crate) fn own_state(&mut self) -> Option<&mut dyn OwnState> {
        self.solver.as_mut()?.own_state()
    }

    /// Remembers the state before the step.
    pub(crate) fn save_start(&mut self, execution: Execution) {
        self.step_start.copy_start_of(&self.state, execution);
        self.has_jumped = false;
        self.keep_own(0);
    }

    /// Goes back to the start of the step.
    pub(crate) fn roll_back(&mut self) {
        self.state.copy_start_of(&self.step_start, Execution::default());
        self.bring_back_own(0);
    }

    /// Keeps what only its solver knows of the state, under a small number.
    pub(crate) fn keep_own(&mut self, number: usize) {
        if let Some(own) = self.own_state() {
            own.keep(number);
        }
    }

    /// Goes back to what was kept.
    pub(crate) fn bring_back_own(&mut self, number: usize) {
        if let Some(own) = self.own_state() {
            own.bring_back(number);
        }
    }

    /// What went wrong in the last step on a device, once.
    pub(crate) fn take_fault(&mut self) -> Option<Error> {
        self.own_state()?.take_fault()
    }

    /// Holds lost particles and their neighbours where they are; their internal numbers.
    pub(crate) fn quarantine(&mut self, lost: &Astray) -> Vec<u32> {
        let held = self.neighbourhood(&lost.0);
        for &v in &held {
            self.state.points[v as usize].w = 0.0;
            self.state.velocities[v as usize] = Vec4::ZERO;
        }
        held
    }

    /// Lets them go again, at rest; their numbers as the user's.
    pub(crate) fn end_quarantine(&mut self, held: &[u32]) -> Vec<u32> {
        for &v in held {
            self.state.points[v as usize].w = self.step_start.points[v as usize].w;
            self.state.velocities[v as usize] = Vec4::ZERO;
        }
        let mut users: Vec<u32> = held.iter().map(|&v| self.user_vertex(v)).collect();
        users.sort_unstable();
        users
    }

    /// Goes back to the start of the step; the error that says so.
    pub(crate) fn give_up(&mut self, lost: &Astray) -> Error {
        self.roll_back();
        let vertex = self.user_vertex(lost.0[0]) as usize;
        Error::Diverged { step: self.next_step(), vertex }
    }

    /// The particles within [`RINGS`] edges of some, themselves included, without pinned ones.
    fn neighbourhood(&self, vertices: &[u32]) -> Vec<u32> {
        let mut found = vertices.to_vec();
        for _ in 0..RINGS {
            let around: Vec<u32> = found.iter().flat_map(|&v| self.cloth.topology.neighbours(v)).collect();
            found.extend(around);
            found.sort_unstable();
            found.dedup();
        }
        found.retain(|&v| self.step_start.points[v as usize].w > 0.0);
        found
    }

    pub(crate) fn user_vertex(&self, internal: u32) -> u32 {
        self.cloth.permutation.new_to_old[internal as usize]
    }
}
