//! Pins that are set and released by hand.

use super::super::ThingKind;
use super::Stage;
use crate::draw::Ray;

impl Stage {
    /// Pins the vertex nearest to where a ray meets cloth, or releases it if it is pinned.
    pub fn toggle_pin(&mut self, ray: &Ray) -> Result<(), String> {
        self.read_back();
        let Some((picked, Some(grip))) = self.pick_closely(ray) else { return Ok(()) };
        if picked.kind != ThingKind::Cloth {
            return Ok(());
        }
        let (id, vertex) = (self.world.cloth_ids()[picked.number], grip.nearest());
        let cloth = self.world.cloth_mut(id).map_err(|error| error.to_string())?;
        if cloth.is_pinned(vertex) {
            cloth.release(vertex).map_err(|error| error.to_string())?;
            self.own_pins.retain(|pin| *pin != (id, vertex));
        } else {
            cloth.pin(vertex).map_err(|error| error.to_string())?;
            self.own_pins.push((id, vertex));
        }
        self.lay_out_anew();
        Ok(())
    }

    /// Releases all pins that were set by hand.
    pub fn release_pins(&mut self) -> Result<(), String> {
        for (id, vertex) in std::mem::take(&mut self.own_pins) {
            if let Ok(cloth) = self.world.cloth_mut(id)
                && cloth.is_pinned(vertex)
            {
                cloth.release(vertex).map_err(|error| error.to_string())?;
            }
        }
        self.lay_out_anew();
        Ok(())
    }
}
