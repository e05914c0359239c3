//! One region: what brings its points back to their distances from its centre ([Anonymous] §3.3.1, §3.3.2).
//!
//! Input: the points of a triangle (N = 3) or an edge (N = 2), what each counts in the centre, and how far from
//! the centre each is at rest. Output: what to add to the points.
//!
//! With mass shares µᵢ (Σ µᵢ = 1), the centre is c = Σ µⱼ xⱼ and rᵢ = xᵢ − c. The paper replaces the rotation of
//! eq. 11 by "the distance of each point relative to the center of mass" (errata 1):
//!
//!   gᵢ = c + qᵢ rᵢ/|rᵢ| + T,   qᵢ = |xᵢ⁰ − c⁰|,   Δᵢ = gᵢ − xᵢ = (qᵢ/|rᵢ| − 1) rᵢ + T.
//!
//! **T** is free in eq. 11, and T = 0 would move the centre: Σ µᵢ qᵢ rᵢ/|rᵢ| is zero only if the triangle has
//! kept its proportions. We take T = −Σ µᵢ (qᵢ/|rᵢ| − 1) rᵢ. Then
//! - linear momentum is kept: Σ µᵢ Δᵢ = 0;
//! - angular momentum is kept: Σ µᵢ rᵢ × Δᵢ = 0, the first part of Δᵢ being along rᵢ, and Σ µᵢ rᵢ × T = 0 by the
//!   definition of the centre.
//!
//! For an edge T is zero by itself, and both goals are those of eq. 13 and 14.
//!
//! **The plane** of eq. 8–10 and 12 is not needed: all rᵢ, and so all Δᵢ, lie in it already.
//!
//! **Fixed points** are infinitely heavy: they share the centre, µ = 0 for all others, and they do not move.
//!
//! **What this resists.** Of a free triangle, everything: Σ µᵢ rᵢ = 0 makes the µᵢ rᵢ the sides of a closed
//! triangle of known lengths, so the distances leave no shape but the one at rest and its mirror image. With
//! one fixed corner the centre lies on it, and the angle between the two others is free; with two, the
//! third corner is free to turn around the middle between them. Such a shear keeps all distances and meets no
//! resistance within the region (neighbours that share the open edge may resist it).

#[cfg(test)]
mod tests;

use glam::{DVec3, Vec3};

/// A point nearer to the centre than this part of its distance at rest has no direction: it is left alone.
const NO_DIRECTION: f32 = 1e-5;

/// A region at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Region<const N: usize> {
    /// µ: what each point counts in the centre, of sum 1.
    pub shares: [f32; N],
    /// q: metres from the centre at rest.
    pub distances: [f32; N],
}

impl<const N: usize> Region<N> {
    /// From the rest positions and the masses; an infinite mass is a fixed point.
    pub fn new(rest: [DVec3; N], masses: [f64; N]) -> Self {
        let fixed = masses.iter().filter(|mass| mass.is_infinite()).count();
        let weight = |mass: f64| match fixed {
            0 => mass,
            _ => f64::from(u8::from(mass.is_infinite())),
        };
        let total: f64 = masses.into_iter().map(weight).sum();
        let shares = masses.map(|mass| weight(mass) / total);
        let centre: DVec3 = rest.iter().zip(shares).map(|(x, share)| *x * share).sum();
        Self { shares: shares.map(|share| share as f32), distances: rest.map(|x| x.distance(centre) as f32) }
    }

    /// What brings the points to their goals. `free` says which points move.
    #[inline]
    pub fn correction(&self, x: [Vec3; N], free: [bool; N]) -> [Vec3; N] {
        // Relative to the first point, so that no digits are lost far from the origin.
        let mut centre = Vec3::ZERO;
        for (point, share) in x.iter().zip(self.shares) {
            centre += (*point - x[0]) * share;
        }
        let mut changes = [Vec3::ZERO; N];
        let mut mean = Vec3::ZERO;
        for i in 0..N {
            let spoke = (x[i] - x[0]) - centre;
            let length = spoke.length();
            if free[i] && length > NO_DIRECTION * self.distances[i] {
                changes[i] = spoke * (self.distances[i] / length - 1.0);
                mean += changes[i] * self.shares[i];
            }
        }
        for i in 0..N {
            if free[i] {
                changes[i] -= mean;
            }
        }
        changes
    }
}
