//! Everything that a caller has asked of a cloth, to be put back.

use super::{AskedHolds, Forces};
use crate::Error;
use crate::cloth::{Curve, Material, Pin};
use crate::simulation::{Settings, Simulation};

/// What a caller can change of a cloth, beside its state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Controls {
    pins: Vec<Pin>,
    holds: AskedHolds,
    forces: Forces,
    kappa: Option<Curve>,
    pressure: Option<Curve>,
    material: Material,
    settings: Settings,
}

impl Simulation {
    /// What is asked of the cloth now.
    pub(crate) fn controls(&self) -> Controls {
        Controls {
            pins: self.cloth.pins.clone(),
            holds: self.holds.asked().clone(),
            forces: self.forces.clone(),
            kappa: self.cloth.kappa.clone(),
            pressure: self.cloth.pressure.clone(),
            material: self.cloth.material,
            settings: self.settings.clone(),
        }
    }

    /// The same, in place of others, whose memory is used again.
    pub(crate) fn controls_into(&self, controls: &mut Controls) {
        let Controls { pins, holds, forces, kappa, pressure, material, settings } = controls;
        let own = &self.cloth.pins;
        pins.truncate(own.len());
        pins.iter_mut().zip(own).for_each(|(pin, own)| pin.copy_from(own));
        pins.extend_from_slice(&own[pins.len()..]);
        holds.copy_from(self.holds.asked());
        forces.copy_from(&self.forces);
        kappa.clone_from(&self.cloth.kappa);
        pressure.clone_from(&self.cloth.pressure);
        *material = self.cloth.material;
        settings.clone_from(&self.settings);
    }

    /// Adds to velocities again what is to be added with the next step, after the state was restored.
    pub(crate) fn push_again(&mut self, controls: &Controls) {
        self.forces.pushes.set(&controls.forces.pushes);
    }

    /// Asks for it again. The state has to be [restored](Simulation::restore) afterwards: then the cloth goes on with the same bits.
    pub(crate) fn set_controls(&mut self, controls: &Controls) -> Result<(), Error> {
        let Controls { pins, holds, forces, kappa, pressure, material, settings } = controls;
        self.set_pressure(pressure.clone())?;
        self.change(|own| own.clone_from(settings))?;
        self.set_material(*material)?;
        self.cloth.kappa.clone_from(kappa);
        if self.cloth.pins.iter().map(|pin| pin.vertex).ne(pins.iter().map(|pin| pin.vertex)) {
            (self.stale, self.notice.pins) = (true, true);
        }
        self.cloth.pins.clone_from(pins);
        self.holds.set(holds);
        self.forces.set(forces, self.cloth.vertex_count());
        Ok(())
    }
}
