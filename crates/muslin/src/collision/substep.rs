//! When a substep is.

use glam::DVec3;

/// When a substep is, and from where its places are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Substep {
    pub origin: DVec3,
    /// The times of its start and of its end, seconds.
    pub times: [f64; 2],
}

impl Substep {
    /// Its length, seconds.
    pub fn length(&self) -> f64 {
        self.times[1] - self.times[0]
    }
}
