//! What holds for everything in a world: gravity, air, the length of a step.

use glam::Vec3;

use crate::Error;
use crate::forces::wind::Wind;
use crate::simulation::Settings;
use crate::world::World;

impl World {
    /// Gravity (m/s²) for all cloths and bodies, from the next step on.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.settings = checked(Settings { gravity, ..self.settings.clone() })?;
        self.cloths.iter_mut().try_for_each(|(_, cloth)| cloth.set_gravity(gravity))
    }

    /// The air for all cloths, from the next step on; `None` is a vacuum.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<(), Error> {
        self.settings = checked(Settings { wind, ..self.settings.clone() })?;
        self.cloths.iter_mut().try_for_each(|(_, cloth)| cloth.set_wind(wind))
    }

    /// The length of a step in seconds and into how many substeps it is divided, from the next step on. Solvers are built anew
    /// for it.
    pub fn set_steps(&mut self, time_step: f64, substeps: u32) -> Result<(), Error> {
        self.settings = checked(Settings { time_step, substeps, ..self.settings.clone() })?;
        self.cloths.iter_mut().try_for_each(|(_, cloth)| cloth.set_steps(time_step, substeps))
    }
}

fn checked(settings: Settings) -> Result<Settings, Error> {
    settings.check()?;
    Ok(settings)
}
