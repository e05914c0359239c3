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
//! **Signed.** |d| is the same for the mirror image, which is a second equilibrium (§6). Let N = (b1 − b0) × (q − p)
//! be the normal of the base: p and q are the ends of the edge, or neighbours of v on either side of the base, and v
//! itself plays no part in it. σ = sign(d · N) says on which side of the base the tip is, and with σ0 that of the
//! rest shape
//!
//!   3C = σ σ0 |d| − 3(κ + h0),  g = σ σ0 (…)
//!
//! σ is constant almost everywhere, so these are the exact gradients. In the mirror image, C = −|d| − 3(κ + h0) is far
//! from zero, and its projection carries the tip through the base to where it belongs. A flat rest shape has no
//! side: there the sign stays out of it. Where d vanishes, and with it its direction, N takes its place: flat cloth
//! bends outwards when κ grows, while the unsigned constraint cannot start.

use glam::DVec3;

use super::placement::RingBend;
use crate::math::lanes::Real;
use crate::math::vec3::V3;
use crate::mesh::Hinge;
use crate::solver::constraint::{Constraint, Evaluation};

/// Less bent than this, in parts of the base's length, a rest shape has no side.
const FLAT: f64 = 1e-3;

/// 3C and its gradients are in units three times those of C, and a compliance goes with the square.
pub(crate) const SCALE: f32 = 3.0;

/// What all bends of a cloth have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleBend {
    /// κ, metres.
    pub kappa: f32,
    /// Only C < 0 is projected (eq. 4).
    pub inequality: bool,
    /// The mass weights of eq. 8.
    pub printed_masses: bool,
    /// The mirror image is told apart.
    pub signed: bool,
}

impl TriangleBend {
    /// Length of the scaled d that is asked for; `rest` is 3 h0.
    #[inline(always)]
    fn target<R: Real>(&self, rest: R) -> R {
        rest + R::splat(SCALE * self.kappa)
    }

    /// Σ w |g|² of base weights and 4 w_v, or the printed form of it.
    #[inline(always)]
    fn mobility<R: Real>(&self, base: R, tip: R) -> R {
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

/// σ σ0 n and σ σ0 |d| with the normal `outwards`; `side` is σ0, 0 for flat rest shapes.
#[inline(always)]
fn signed_unit<R: Real>(d: V3<R>, outwards: V3<R>, side: R, target: R) -> (V3<R>, R) {
    let (zero, one) = (R::splat(0.0), R::splat(1.0));
    let (along, length) = unit(d);
    let sign = (side * d.dot(outwards)).select_lt(zero, R::splat(-1.0), one);
    let (normal, _) = unit(outwards);
    let start = normal * side.select_lt(zero, R::splat(-1.0), one);
    let vanishes = R::splat(1e-4) * target;
    ((along * sign).if_lt(vanishes, length, start), length * vanishes.select_lt(length, sign, one))
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

/// Signed over a vertex: b0, b1, v, and p, q to see the side by. Rest data: 3 h0, σ0.
impl Constraint<5, 2> for TriangleBend {
    const MOVED: usize = 3;

    #[inline(always)]
    fn evaluate<R: Real>(
        &self,
        [b0, b1, v, p, q]: [V3<R>; 5],
        w: [R; 5],
        [rest, side]: [R; 2],
    ) -> Evaluation<R, 5> {
        let (two, target) = (R::splat(2.0), self.target(rest));
        let (n, length) = signed_unit(v * two - b0 - b1, (b1 - b0).cross(q - p), side, target);
        let (pull, none) = (n * R::splat(-1.0), n * R::splat(0.0));
        Evaluation {
            value: length - target,
            gradients: [pull, pull, n * two, none, none],
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
        let (n, length) = match self.signed {
            true => signed_unit(d, (b1 - b0).cross(q - p), side, target),
            false => unit(d),
        };
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

/// 3 h0 and σ0 of b0, b1, 2v and p, q at rest.
fn rest_data([b0, b1]: [DVec3; 2], twice_tip: DVec3, [p, q]: [DVec3; 2]) -> [f32; 2] {
    let d = twice_tip - b0 - b1;
    let bent = d.length() > FLAT * b0.distance(b1);
    let side = if bent { d.dot((b1 - b0).cross(q - p)).signum() } else { 0.0 };
    [d.length() as f32, side as f32]
}

/// Rest data of a bend over a vertex.
pub(super) fn ring_rest(rest: &[DVec3], bend: &RingBend) -> [f32; 2] {
    let place = |v: u32| rest[v as usize];
    rest_data(bend.base.map(place), 2.0 * place(bend.tip), bend.across.map(place))
}

/// b0, b1, p, q of a pair of triangles.
pub(super) fn edge_vertices(hinge: &Hinge) -> [u32; 4] {
    [hinge.opposite[0], hinge.opposite[1], hinge.edge[0], hinge.edge[1]]
}

/// Rest data of a bend over an edge.
pub(super) fn edge_rest(rest: &[DVec3], hinge: &Hinge) -> [f32; 2] {
    let [b0, b1, p, q] = edge_vertices(hinge).map(|v| rest[v as usize]);
    rest_data([b0, b1], p + q, [p, q])
}
