//! Numbers that change with time: κ of triangle bending, and pressure.

use crate::Error;
use crate::cloth::Curve;
use crate::simulation::Simulation;
use crate::volume::VolumeKeeper;

impl Simulation {
    /// Sets κ of triangle bending (metres) from the next step on. Without effect on other bending models.
    pub fn set_kappa(&mut self, kappa: impl Into<Curve>) -> Result<(), Error> {
        self.cloth.kappa = Some(checked("kappa", kappa.into())?);
        Ok(())
    }

    /// Sets the volume of closed cloth, in parts of that at rest, from the next step on; `None` sets it free.
    pub fn set_pressure(&mut self, pressure: Option<Curve>) -> Result<(), Error> {
        let pressure = pressure.map(|pressure| checked("pressure", pressure)).transpose()?;
        if pressure.is_some() && self.volume.is_none() {
            self.volume = Some(VolumeKeeper::new(&self.cloth)?);
        }
        let before = std::mem::replace(&mut self.cloth.pressure, pressure);
        self.check_elsewhere().inspect_err(|_| self.cloth.pressure = before)
    }
}

fn checked(what: &'static str, curve: Curve) -> Result<Curve, Error> {
    match curve.problem(0.0) {
        Some(problem) => Err(Error::State { what, problem }),
        None => Ok(curve),
    }
}
