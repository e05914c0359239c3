//! Particles that count as heavier for a while: what a hold makes of them.

/// By how much a particle counts as heavier than it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weight {
    /// In internal order.
    pub vertex: u32,
    /// kg.
    pub added: f64,
}

impl Weight {
    /// The inverse mass of a particle that has this added, with that before; both relative to a mean, kg.
    pub fn heavier(&self, w: f32, mean_mass: f64) -> f32 {
        (1.0 / (1.0 / f64::from(w) + self.added / mean_mass)) as f32
    }
}
