//! All of a cloth at another place, at once.

use glam::{DQuat, DVec3};

use crate::Error;
use crate::cloth::PinMotion;
use crate::simulation::Simulation;
use crate::state::Carriage;

/// How far from one the length of a rotation may be.
const ROUNDING: f64 = 1e-4;

impl Simulation {
    /// Puts the cloth somewhere else as it is: every place x in the world becomes rotation · x + translation, in double
    /// precision. Pins move with it and stay there, holds move too. Velocities are turned, and nothing is added to them.
    pub fn teleport(&mut self, rotation: DQuat, translation: DVec3) -> Result<(), Error> {
        let wrong = |problem: &str| Err(Error::State { what: "teleport", problem: problem.into() });
        if !translation.is_finite() {
            return wrong("the translation is not finite");
        }
        if !rotation.is_finite() || (rotation.length() - 1.0).abs() > ROUNDING {
            return wrong("the rotation is not of length one");
        }
        self.check_read("a teleport")?;
        let by = Carriage::new(&self.state, rotation.normalize(), translation);
        let before = self.state.clone();
        self.state.carry(&by);
        let Self { solver, state, .. } = self;
        if let Some(own) = solver.as_mut().and_then(|solver| solver.own_state())
            && let Err(error) = own.carry(&by, state)
        {
            self.state = before;
            return Err(error);
        }
        self.cloth.pins.iter_mut().for_each(|pin| pin.motion = PinMotion::Fixed);
        self.holds.carry(&by);
        self.turn_pushes(rotation.normalize());
        self.jumped();
        Ok(())
    }

    /// Particles are somewhere else without having moved there.
    pub(crate) fn jumped(&mut self) {
        (self.has_jumped, self.notice.moved) = (true, true);
        self.is_what_it_is_elsewhere();
    }
}
