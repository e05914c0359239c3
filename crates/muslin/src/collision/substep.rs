//! When a substep is, and what moves from outside in it.

use glam::DVec3;

use super::bodies::collider::Collider;

/// When a substep is, from where its places are counted, and the colliders with their motions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Substep<'a> {
    pub origin: DVec3,
    /// The times of its start and of its end, seconds.
    pub times: [f64; 2],
    /// In the order in which bodies were made of them.
    pub colliders: &'a [Collider],
}

impl Substep<'_> {
    /// Its length, seconds.
    pub fn length(&self) -> f64 {
        self.times[1] - self.times[0]
    }
}
