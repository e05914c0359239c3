//! Constraints on the length of a weighted sum of points.
//!
//!   C = |d| − L,  d = Σ c_i x_i,  Σ c_i = 0
//!
//! A stretched edge (c = −1, 1), a stick and a bent triangle (c = −1, −1, 2) are all of this form. With n = d/|d| the
//! gradients are g_i = c_i n and Σ w_i |g_i|² = Σ w_i c_i², so along n the constraint is linear: one projection
//! satisfies it exactly, for all masses.

use super::{Constraint, Evaluation};
use crate::math::lanes::Real;
use crate::math::vec3::V3;

/// The distance of two points; rest data: L in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance;

impl Constraint<2, 1> for Distance {
    #[inline(always)]
    fn evaluate<R: Real>(&self, [a, b]: [V3<R>; 2], [wa, wb]: [R; 2], [length]: [R; 1]) -> Evaluation<R, 2> {
        let along = b - a;
        let distance = along.dot(along).sqrt();
        // Points in one place have no direction; they are left to their other constraints.
        let unit = along * (R::splat(1.0) / distance.max(R::splat(super::TINY)));
        Evaluation { value: distance - length, gradients: [unit * R::splat(-1.0), unit], mobility: wa + wb }
    }
}
