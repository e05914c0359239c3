//! What a cloth and its step are made of.
//!
//! Gravity and wind are read in every substep. The material, the solver and the length of steps are in data that is prepared anew
//! before the next step; whether the combination is one that the solver offers, that step says.

use glam::Vec3;

use crate::Error;
use crate::cloth::Material;
use crate::forces::wind::Wind;
use crate::simulation::{Settings, Simulation};
use crate::solver::{Motion, SolverConfig};

impl Simulation {
    /// Sets gravity (m/s²) from the next step on.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.change(|settings| settings.gravity = gravity)
    }

    /// Sets the air around the cloth from the next step on; `None` is a vacuum.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), Error> {
        self.change(|settings| settings.wind = wind)
    }

    /// Sets the material: all that follows from it is prepared anew before the next step.
    pub fn set_material(&mut self, material: Material) -> Result<(), Error> {
        material.check()?;
        if self.cloth.material != material {
            let before = std::mem::replace(&mut self.cloth.material, material);
            if let Err(error) = self.check_elsewhere() {
                self.cloth.material = before;
                return Err(error);
            }
            (self.stale, self.notice.pins, self.notice.material) = (true, true, true);
        }
        Ok(())
    }

    /// Sets the solver, which is built before the next step. One with particles of its own (multilevel cloth) starts where the
    /// cloth's own particles are.
    pub fn set_solver(&mut self, solver: SolverConfig) -> Result<(), Error> {
        self.change(|settings| settings.solver = solver)
    }

    /// Sets the length of steps and into how many substeps they are divided. All cloths of a world have the same.
    pub(crate) fn set_steps(&mut self, time_step: f64, substeps: u32) -> Result<(), Error> {
        let set = |settings: &mut Settings| (settings.time_step, settings.substeps) = (time_step, substeps);
        self.change(set)
    }

    /// Changes settings, and what follows from them.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), Error> {
        let mut settings = self.settings.clone();
        change(&mut settings);
        settings.check()?;
        let before = std::mem::replace(&mut self.settings, settings);
        let is_other = self.settings.solver != before.solver;
        if let Some(error) = is_other.then(|| self.check_elsewhere().err()).flatten() {
            self.settings = before;
            return Err(error);
        }
        self.gravity_changed(&before);
        if is_other {
            (self.stale, self.notice.pins) = (true, true);
            self.motion_changed(&before);
        }
        self.stale |= self.settings.substep_length() != before.substep_length();
        Ok(())
    }

    /// Velocities of the middle of the last substep lack what gravity has added since, and will be given as much by another
    /// gravity: so the difference is added now.
    fn gravity_changed(&mut self, before: &Settings) {
        let gravity = self.settings.gravity;
        if gravity == before.gravity {
            return;
        }
        if before.solver.motion() != Motion::Exact {
            self.add_velocity((before.gravity - gravity) * (0.5 * self.now().last_step) as f32);
            self.hand_on_pushes();
        }
        if let Some(solver) = &mut self.solver {
            solver.set_gravity(gravity);
        }
    }

    /// Between velocities of the middle of the last substep and those of its end, and to double precision and back.
    fn motion_changed(&mut self, before: &Settings) {
        let now = self.settings.solver.motion();
        let was_exact = before.solver.motion() == Motion::Exact;
        if was_exact == (now == Motion::Exact) {
            return;
        }
        let gained = self.settings.gravity * (0.5 * self.state.last_step) as f32;
        if was_exact {
            self.add_velocity(-gained);
            self.state.double = None;
        } else {
            self.add_velocity(gained);
            self.state.double_anew();
        }
    }
}
