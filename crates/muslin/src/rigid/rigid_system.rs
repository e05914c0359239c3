//! A change of momentum, spread over several things as if they were one rigid body.
//!
//! Input: masses and where they are, bodies' inertias, a momentum. Output: the rigid motion that has it. That is the
//! smallest motion, measured in kinetic energy, that does.

use glam::{DMat3, DVec3};

use crate::diagnostics::energy::Momentum;
use crate::math::outer;

/// Masses as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidSystem {
    mass: f64,
    /// Σ m x.
    first: DVec3,
    /// Σ m x xᵀ about the origin.
    second: DMat3,
    /// Inertia of bodies about their own centres.
    inertia: DMat3,
}

/// A rigid motion: velocity + spin × (x − centre).
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidVelocity {
    center: DVec3,
    velocity: DVec3,
    pub spin: DVec3,
}

impl RigidSystem {
    /// Nothing.
    pub const EMPTY: Self = Self { mass: 0.0, first: DVec3::ZERO, second: DMat3::ZERO, inertia: DMat3::ZERO };

    /// Adds a mass at a place, with its own inertia about it.
    pub fn add(&mut self, mass: f64, place: DVec3, inertia: DMat3) {
        self.mass += mass;
        self.first += place * mass;
        self.second += outer(place) * mass;
        self.inertia += inertia;
    }

    /// The velocity field with this momentum; `None` if there is no mass.
    pub fn velocity_with(&self, momentum: Momentum) -> Option<RigidVelocity> {
        if self.mass <= 0.0 {
            return None;
        }
        let center = self.first / self.mass;
        let moments = self.second - outer(center) * self.mass;
        let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - moments + self.inertia;
        let size = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let about_center = momentum.angular - center.cross(momentum.linear);
        // A little more makes the matrix of points on one line invertible.
        let inertia = inertia + DMat3::from_diagonal(DVec3::splat(1e-12 * size));
        let spin = if size > 0.0 { inertia.inverse() * about_center } else { DVec3::ZERO };
        Some(RigidVelocity { center, velocity: momentum.linear / self.mass, spin })
    }
}

impl RigidVelocity {
    /// At a place, m/s.
    pub fn at(&self, place: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(place - self.center)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_gets_the_momentum_that_is_wanted() {
        let parts = [(1.0, DVec3::X), (2.0, DVec3::new(0.3, 1.0, -0.5)), (0.5, DVec3::Z * 3.0)];
        let inertia = DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.3));
        let mut system = RigidSystem::EMPTY;
        parts.iter().for_each(|&(mass, place)| system.add(mass, place, inertia));
        let wanted = Momentum { linear: DVec3::new(0.1, 0.2, -0.3), angular: DVec3::new(-1.0, 0.5, 0.7) };
        let motion = system.velocity_with(wanted).unwrap();
        let mut found = Momentum::default();
        for (mass, place) in parts {
            let linear = motion.at(place) * mass;
            found = found + Momentum { linear, angular: place.cross(linear) + inertia * motion.spin };
        }
        assert!((found.linear - wanted.linear).length() < 1e-12);
        assert!((found.angular - wanted.angular).length() < 1e-9);
    }
}
