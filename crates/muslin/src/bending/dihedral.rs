//! Dihedral bending (Müller et al. 2006 §4.2): two triangles over an edge keep their angle.
//!
//! Input: the edge x0–x1 and the opposite corners x2, x3. With e = x1 − x0 and the normals n_a = e × (x2 − x0),
//! n_b = (x3 − x0) × e, of the lengths of the triangles' double areas, the angle between the normals is
//!
//!   θ = atan2((n_a × n_b) · e/|e|, n_a · n_b),  C = θ − θ0
//!
//! The paper's arccos(n_a · n_b / …) is |θ|: it does not tell a fold from its mirror image, is undefined where
//! rounding takes the cosine past ±1, and its derivative is infinite at 0 and π, where q_i of the paper's appendix
//! vanish: 0/0 for flat cloth. None of that is in the fold itself. A corner that rises by s over its triangle turns
//! it by s over its height |n|/|e|, so
//!
//!   ∂θ/∂x2 = −n_a |e|/|n_a|²,  ∂θ/∂x3 = −n_b |e|/|n_b|²
//!
//! at all angles, and with t the foot of a corner along the edge, (x − x0) · e/|e|², balance of forces and torques
//! gives
//!
//!   ∂θ/∂x0 = −(1 − t2) ∂θ/∂x2 − (1 − t3) ∂θ/∂x3,  ∂θ/∂x1 = −t2 ∂θ/∂x2 − t3 ∂θ/∂x3
//!
//! What is left are triangles without area, which have no angle, and are skipped. At θ = ±π the signed angle jumps;
//! differences are not taken modulo 2π, so a fold always opens and never passes through itself. The unsigned form
//! (printed) is C = |θ| − |θ0| with gradients times sign θ.
//!
//! C is not linear: one projection is one step of Newton's method.

use glam::DVec3;

use crate::math::lanes::Real;
use crate::math::vec3::V3;
use crate::solver::constraint::{Constraint, Evaluation};

/// A triangle whose sine at x0 is below this has no area that single precision could tell.
const NO_AREA: f32 = 1e-4;

/// What all hinges of a cloth have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DihedralAngle {
    /// The mirror image is told apart.
    pub signed: bool,
}

/// x0, x1, x2, x3. Rest data: θ0, radians.
impl Constraint<4, 1> for DihedralAngle {
    #[inline(always)]
    fn evaluate<R: Real>(&self, x: [V3<R>; 4], w: [R; 4], [rest]: [R; 1]) -> Evaluation<R, 4> {
        let (zero, one, tiny) = (R::splat(0.0), R::splat(1.0), R::splat(1e-30));
        let (e, a, b) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let (edge_sq, a_sq, b_sq) = (e.dot(e), a.dot(a), b.dot(b));
        let (normal_a, normal_b) = (e.cross(a), b.cross(e));
        let (double_a, double_b) = (normal_a.dot(normal_a), normal_b.dot(normal_b));
        let length = edge_sq.sqrt();

        let sine = normal_a.cross(normal_b).dot(e) / length.max(tiny);
        let mut angle = angle_of(sine, normal_a.dot(normal_b));
        let mut sign = one;
        let mut target = rest;
        if !self.signed {
            sign = angle.select_lt(zero, R::splat(-1.0), one);
            angle = angle * sign;
            target = rest.max(zero - rest);
        }
        // Without area there is no gradient, and the angle is as good as any.
        let least = R::splat(NO_AREA * NO_AREA) * edge_sq;
        let whole = double_b.select_lt(least * b_sq, zero, sign);
        let whole = double_a.select_lt(least * a_sq, zero, whole) * length;
        let g2 = normal_a * (zero - whole / double_a.max(tiny));
        let g3 = normal_b * (zero - whole / double_b.max(tiny));
        let per_edge = one / edge_sq.max(tiny);
        let (t2, t3) = (a.dot(e) * per_edge, b.dot(e) * per_edge);
        let g1 = V3::new(zero, zero, zero) - g2 * t2 - g3 * t3;
        let g0 = g1 * R::splat(-1.0) - g2 - g3;
        let mobility = w[0] * g0.dot(g0) + w[1] * g1.dot(g1) + w[2] * g2.dot(g2) + w[3] * g3.dot(g3);
        Evaluation { value: angle - target, gradients: [g0, g1, g2, g3], mobility }
    }
}

/// atan2 of exactly rounded operations only, so that every machine gives the same bits; within 3e-7.
///
/// tan(θ/2) = |s|/(r + |c|) lies between 0 and 1 for angles up to π/2, which larger ones are mirrored to; another
/// half angle brings it below tan(π/8), where seven terms of the series do.
#[inline(always)]
fn angle_of<R: Real>(sine: R, cosine: R) -> R {
    let (zero, one) = (R::splat(0.0), R::splat(1.0));
    let magnitude = |value: R| value.max(zero - value);
    // Scaled first: the squares of double areas squared would leave the range of single precision.
    let scale = one / magnitude(sine).max(magnitude(cosine)).max(R::splat(1e-30));
    let (s, c) = (magnitude(sine) * scale, cosine * scale);
    let half = s / ((s * s + c * c).sqrt() + magnitude(c)).max(R::splat(1e-30));
    let t = half / (one + (one + half * half).sqrt());
    let t_sq = t * t;
    let mut series = R::splat(1.0 / 13.0);
    for (sign, term) in [(-1.0, 11.0), (1.0, 9.0), (-1.0, 7.0), (1.0, 5.0), (-1.0, 3.0), (1.0, 1.0f32)] {
        series = series * t_sq + R::splat(sign / term);
    }
    let acute = series * t * R::splat(4.0);
    let angle = cosine.select_lt(zero, R::splat(std::f32::consts::PI) - acute, acute);
    sine.select_lt(zero, zero - angle, angle)
}

/// θ of corners at rest.
pub(super) fn rest_angle(x: [DVec3; 4]) -> f32 {
    let (e, a, b) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let (normal_a, normal_b) = (e.cross(a), b.cross(e));
    normal_a.cross(normal_b).dot(e.normalize_or_zero()).atan2(normal_a.dot(normal_b)) as f32
}
