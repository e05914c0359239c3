//! Whether cloth is still cloth: a run that has exploded ends, although its numbers are finite.

use super::engine::Engine;

/// Which cloths were ever as cloth is. A start that is torn apart or crumpled may take its time to get there.
#[derive(Default)]
pub struct Sanity {
    sane: Vec<bool>,
}

impl Sanity {
    /// Looks at the cloths after a frame; an error says which of them is stretched beyond all reason, and where.
    ///
    /// The frame is kept, since it shows what went wrong; the last checkpoint is one from before.
    pub fn check(&mut self, engine: &Engine) -> Result<(), String> {
        let cloths = engine.cloths();
        self.sane.resize(cloths.len(), false);
        for ((name, simulation), sane) in cloths.iter().zip(&mut self.sane) {
            match simulation.overstretched() {
                Some(found) if *sane => return Err(format!("cloth '{name}': {found}")),
                found => *sane |= found.is_none(),
            }
        }
        Ok(())
    }
}
