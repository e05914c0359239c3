//! Triangle bending [Kelager2010]: a tip v keeps its distance from the centroid c of itself and a base b0, b1.
//!
//! Eq. 3–5, with h0 the distance at rest and κ a global length:
//!
//!   C = |v − c| − (κ + h0),  c = (b0 + b1 + v)/3
//!
//! 3 (v − c) = 2v − b0 − b1 =: d, so 3C = |d| − 3(κ + h0) is a constraint on the length of a weighted sum
//! ([`length`](crate::solver::constraint::length)) with gradients −n, −n, 2n, n = d/|d|, and
//! Σ w |g|² = w0 + w1 + 4 w_v. One projection then moves
//!
//!   Δb_i = 3 w_i/(w0 + w1 + 4 w_v) · C n = 2 w_i/W · C n,  W = ⅔ (w0 + w1 + 4 w_v)
//!
//! which is eq. 9 with the exact W. The printed one, W = w0 + w1 + 2 w_v (eq. 8), agrees where masses are equal and
//! is an option (errata 1): it puts 3/2 (w0 + w1 + 2 w_v) in the place of Σ w |g|².
//!
//! **Over an edge** the tip is the middle of p and q: 2v = p + q, so d = p + q − b0 − b1, gradients −n, −n, n, n and
//! Σ w |g|² = w0 + w1 + w_p + w_q. (A midpoint's inverse mass is (w_p + w_q)/4.)
//!
//! The mirror image has the same |d|, and is a second equilibrium (§6); [`signed`](super::signed) tells it apart.

use glam::DVec3;

use super::placement::RingBend;
use super::signed::{height, mobility};
use crate::math::lanes::Real;
use crate::math::vec3::V3;
use crate::mesh::Hinge;
use crate::solver::constraint::{Constraint, Evaluation};

/// 3C and its gradients are in units three times those of C, and a compliance goes with the square.
pub(crate) const SCALE: f32 = 3.0;

/// What all bends of a cloth have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleBend {
    /// κ, metres.
    pub kappa: f32,
    /// Only C < 0 is projected (eq. 4).
    pub inequality: bool,
    /// The mass weights of eq. 8; not where signed.
    pub printed_masses: bool,
    /// The mirror image is told apart.
    pub signed: bool,
}

impl TriangleBend {
    /// Length of the scaled d that is asked for; `rest` is 3 h0.
    #[inline(always)]
    pub(super) fn target<R: Real>(&self, rest: R) -> R {
        rest + R::splat(SCALE * self.kappa)
    }

    /// Σ w |g|² of base weights and 4 w_v, or the printed form of it.
    #[inline(always)]
    pub(crate) fn mobility<R: Real>(&self, base: R, tip: R) -> R {
        match self.printed_masses {
            false => base + tip,
            true => (base + tip * R::splat(0.5)) * R::splat(1.5),
        }
    }
}

/// d/|d| and |d|; the direction is zero where d is.
#[inline(always)]
fn unit<R: Real>(d: V3<R>) -> (V3<R>, R) {
    let length = d.dot(d).sqrt();
    (d * (R::splat(1.0) / length.max(R::splat(1e-20))), length)
}

/// Unsigned over a vertex: b0, b1, v. Rest data: 3 h0.
impl Constraint<3, 1> for TriangleBend {
    #[inline(always)]
    fn evaluate<R: Real>(&self, [b0, b1, v]: [V3<R>; 3], w: [R; 3], [rest]: [R; 1]) -> Evaluation<R, 3> {
        let two = R::splat(2.0);
        let (n, length) = unit(v * two - b0 - b1);
        let pull = n * R::splat(-1.0);
        Evaluation {
            value: length - self.target(rest),
            gradients: [pull, pull, n * two],
            mobility: self.mobility(w[0] + w[1], w[2] * R::splat(4.0)),
        }
    }

    fn one_sided(&self) -> bool {
        self.inequality
    }
}

/// Over an edge: b0, b1, p, q. Rest data: 3 h0, σ0.
impl Constraint<4, 2> for TriangleBend {
    #[inline(always)]
    fn evaluate<R: Real>(
        &self,
        [b0, b1, p, q]: [V3<R>; 4],
        w: [R; 4],
        [rest, side]: [R; 2],
    ) -> Evaluation<R, 4> {
        let target = self.target(rest);
        let d = p + q - b0 - b1;
        if self.signed {
            let height = height(d, b1 - b0, q - p);
            let (n, along, across) = (height.normal * side, height.along * side, height.across * side);
            let pull = n * R::splat(-1.0);
            let gradients = [pull - along, pull + along, n - across, n + across];
            let mobility = mobility(w, &gradients, [1.0; 4]);
            return Evaluation { value: side * height.value - target, gradients, mobility };
        }
        let (n, length) = unit(d);
        let pull = n * R::splat(-1.0);
        Evaluation {
            value: length - target,
            gradients: [pull, pull, n, n],
            mobility: self.mobility(w[0] + w[1], w[2] + w[3]),
        }
    }

    fn one_sided(&self) -> bool {
        self.inequality
    }
}

/// Rest data of a bend over a vertex: 3 h0.
pub(super) fn ring_rest(rest: &[DVec3], bend: &RingBend) -> [f32; 1] {
    let place = |v: u32| rest[v as usize];
    let [b0, b1] = bend.base.map(place);
    [(2.0 * place(bend.tip) - b0 - b1).length() as f32]
}

/// b0, b1, p, q of a pair of triangles.
pub(super) fn edge_vertices(hinge: &Hinge) -> [u32; 4] {
    [hinge.opposite[0], hinge.opposite[1], hinge.edge[0], hinge.edge[1]]
}

/// Rest data of a bend over an edge: 3 h0, and no side.
pub(super) fn edge_rest(rest: &[DVec3], hinge: &Hinge) -> [f32; 2] {
    let [b0, b1, p, q] = edge_vertices(hinge).map(|v| rest[v as usize]);
    [(p + q - b0 - b1).length() as f32, 0.0]
}
