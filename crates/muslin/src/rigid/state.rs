//! What changes while a body moves.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// All that a body needs to go on with the same bits.
///
/// The angular momentum and not the angular velocity: it stays the same while nothing acts on the body, also
/// when a body of three different inertias tumbles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// The centre of mass, metres.
    pub center: DVec3,
    /// From the body's own axes to those of the world; of length one.
    pub rotation: DQuat,
    /// Of the centre of mass, m/s.
    pub velocity: DVec3,
    /// About the centre of mass, kg·m²/s.
    pub angular_momentum: DVec3,
}

impl BodyState {
    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        if !self.center.is_finite() {
            return Some("its centre is not finite");
        }
        if !(self.rotation.is_finite() && self.rotation.is_normalized()) {
            return Some("its rotation is not finite or not of length one");
        }
        if !self.velocity.is_finite() {
            return Some("its velocity is not finite");
        }
        (!self.angular_momentum.is_finite()).then_some("its angular momentum is not finite")
    }
}
