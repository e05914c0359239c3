//! Cloth that stretches, with a measured stiffness along weft and warp and in shear (beyond [Schmitt2013], whose
//! constraints know a strain limit only).
//!
//! Neighbours are joined by springs. One along a thread stands for a strip of the width of a cell: k N/m of stiffness per
//! width are k N/m of this spring, whatever the spacing and so on every level; a diagonal's is the shear stiffness, and it
//! adds to the others ([`spring_stiffness`]). A pass goes down the slope of what an implicit step makes smallest,
//! ½ |x − x*|²/Δt² + springs, for all particles at once; x* is the prediction. As all levels do so with their own masses,
//! the finest begins where the coarse ones have already found the long waves. The twin of
//! `gpu/grid/shaders/constraints/spring.wgsl`.

use glam::Vec4;

use super::relax::{KINDS, Rule, steps};
use crate::cloth::Stretch;
use crate::execution::Execution;
use crate::solver::multilevel::bounds::holding::Holding;
use crate::solver::multilevel::levels::GridLevel;

/// Springs of a level in a step: k Δt²/m along weft, warp and diagonals, with the mass m of a whole cell of the level.
pub(crate) type SpringRates = [f32; 3];

/// No eigenvalue of all springs together is larger than so many times the sum of a particle's.
const BOUND: f32 = 2.0;

/// What a pass divides by: the same for all particles, those of outlines too. Otherwise the two ends of a spring would not
/// be moved alike, which drives thrown cloth.
pub(crate) fn divisor([weft, warp, diagonal]: SpringRates) -> f32 {
    1.0 + BOUND * (2.0 * (weft + warp) + 4.0 * diagonal)
}

/// One pass, from `front` to `back`, and back to where particles may be. `holding` has the prediction.
pub(crate) fn elastic(
    level: &GridLevel,
    (rates, rule): (SpringRates, &Rule),
    front: &[Vec4],
    back: &mut [Vec4],
    holding: Holding,
    execution: Execution,
) {
    let (steps, divisor) = (steps(level.size[0]), divisor(rates));
    execution.for_each_chunk(back, |first, chunk| {
        for (offset, out) in chunk.iter_mut().enumerate() {
            let index = first + offset;
            let (code, own) = (level.codes[index], front[index]);
            *out = own;
            if own.w == 0.0 {
                continue;
            }
            let mut pull = Vec4::ZERO;
            for k in (0..8).filter(|k| code >> k & 1 == 1) {
                let at = index.wrapping_add_signed(steps[k]);
                let other = front[at];
                let apart = (other - own).with_w(0.0);
                let length = apart.length();
                let [shortest, longest] =
                    rule.rest_lengths(KINDS[k], level.length(index, k, at), [own, other]);
                let stretched = (length - longest).max(0.0) + rule.compression * (length - shortest).min(0.0);
                // Between two particles of an outline there is half a strip, as each has half a mass; the lighter decides, or
                // its springs would be more than it can bear.
                let rate = rates[KINDS[k]] / own.w.max(other.w);
                if length > 0.0 {
                    pull += apart * (rate * stretched / length);
                }
            }
            let texel = level.finest_texel(index, holding.columns);
            let off = (own - holding.finest[texel]).with_w(0.0);
            *out += (own.w * pull - off) / divisor;
            *out = holding.held(texel, *out, rule);
        }
    });
}

/// The springs (weft, warp, diagonal; N/m) that make a cloth of a measured stiffness.
///
/// Two diagonals of stiffness d per cell resist shear like a cloth of stiffness d, and add d (ε₁ + ε₂)²/2 to the energy:
/// pulled along one thread with the other free, a cloth of springs a, b, d has the stiffness a + d b/(b + d). That is
/// what is measured; a and b follow from it. Where shear is so stiff that diagonals alone are more, nothing is left for
/// threads.
pub(crate) fn spring_stiffness(stretch: Stretch) -> Option<[f64; 3]> {
    let Stretch::Physical { weft, warp, shear } = stretch else { return None };
    let [weft, warp, shear] = [weft, warp, shear].map(f64::from);
    let (mut a, mut b) = (weft, warp);
    for _ in 0..60 {
        let beside = |other: f64| if other + shear > 0.0 { shear * other / (other + shear) } else { 0.0 };
        (a, b) = ((weft - beside(b)).max(0.0), (warp - beside(a)).max(0.0));
    }
    Some([a, b, shear])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_have_the_measured_stiffness_along_both_threads() {
        let [a, b, d] =
            spring_stiffness(Stretch::Physical { weft: 1014.0, warp: 205.0, shear: 41.0 }).unwrap();
        assert!((a + d * b / (b + d) - 1014.0).abs() < 1e-6 && (b + d * a / (a + d) - 205.0).abs() < 1e-6);
        assert_eq!(d, 41.0);
        assert!(a > b && b > 100.0);
        assert!(spring_stiffness(Stretch::STIFF).is_none());
    }
}
