//! What changes while a body moves.

use glam::{DQuat, DVec3};

/// All that a body needs to go on with the same bits.
///
/// The angular momentum and not the angular velocity: it stays the same while nothing acts on the body, also
/// when a body of three different inertias tumbles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyState {
    /// From where its centre is counted, metres: see [`origin`](crate::origin).
    #[cfg_attr(feature = "serde", serde(default))]
    pub origin: DVec3,
    /// The centre of mass from the origin, metres.
    pub center: DVec3,
    /// From the body's own axes to those of the world; of length one.
    pub rotation: DQuat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// About the centre of mass, kg·m²/s.
    pub angular_momentum: DVec3,
}

impl BodyState {
    /// Counts its centre from another origin.
    pub(crate) fn recentre(&mut self, origin: DVec3) {
        self.center += self.origin - origin;
        self.origin = origin;
    }

    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        if !self.origin.is_finite() {
            return Some("its origin is not finite");
        }
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
