//! Energy and momentum of a cloth.

use std::ops::{Add, Sub};

use glam::DVec3;

/// Energies in joules.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Energy {
    /// ½ m v².
    pub kinetic: f64,
    /// Work against gravity, counted from the origin.
    pub gravity: f64,
    /// In bent hinges.
    pub bending: f64,
    /// In stretched and sheared triangles, where the stiffness is physical; else 0, since
    /// coefficients have no energy.
    pub stretch: f64,
}

impl Energy {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.bending + self.stretch
    }
}

impl Add for Energy {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            kinetic: self.kinetic + other.kinetic,
            gravity: self.gravity + other.gravity,
            bending: self.bending + other.bending,
            stretch: self.stretch + other.stretch,
        }
    }
}

/// Momentum of a cloth, a rigid body, or all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// kg·m/s.
    pub linear: DVec3,
    /// About the origin, kg·m²/s.
    pub angular: DVec3,
}

impl Momentum {
    /// With the angular momentum about another place.
    pub(crate) fn about(self, place: DVec3) -> Self {
        Self { angular: self.angular - place.cross(self.linear), ..self }
    }
}

impl Add for Momentum {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl Sub for Momentum {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }
}
