//! Bending on the finest level: along either thread, the energy ½ B κ² per area with κ = (x₋ − 2x + x₊)/h².
//!
//! Its forces are linear in the positions: K x, with fourth differences along weft and warp. A pass is one Jacobi
//! iteration of the implicit step (M/Δt² + K) Δx = −K x, with a bound on the rows of K in place of its diagonal: soft
//! cloth gets the stiffness it should have, stiff cloth as much as a pass can give, and no stiffness blows up.
//! Where the rest shape is bent, κ is what a thread is bent beyond that (see `rest`).
//! The twin of `gpu/grid/shaders/predict/bend_threads.wgsl`.

use glam::Vec4;

use super::relax::{rounded, steps};
use crate::execution::Execution;
use crate::solver::multilevel::levels::GridLevel;

/// The sum of the absolute values of a row of fourth differences, 1 + 4 + 6 + 4 + 1: no eigenvalue is larger.
const LARGEST: f32 = 16.0;

/// Bending of a step: B Δt²/(m h²) along weft and warp, with the mean mass m of a particle.
pub(crate) type BendingRates = [f32; 2];

/// One pass, from `front` to `back`.
pub(crate) fn bend(
    level: &GridLevel,
    rates: BendingRates,
    front: &[Vec4],
    back: &mut [Vec4],
    execution: Execution,
) {
    let steps = steps(level.size[0]);
    let bound = LARGEST * (rates[0] + rates[1]);
    execution.for_each_chunk(back, |first, chunk| {
        for (offset, out) in chunk.iter_mut().enumerate() {
            let index = first + offset;
            let own = front[index];
            *out = own;
            if own.w == 0.0 {
                continue;
            }
            let mut force = Vec4::ZERO;
            for axis in 0..2 {
                let mut differences = Vec4::ZERO;
                for (center, factor) in [(0, -2.0), (steps[axis], 1.0), (-steps[axis], 1.0)] {
                    // Beside a particle there is another one only where a link says so.
                    let is_there = match center.signum() {
                        0 => true,
                        1 => level.codes[index] >> axis & 1 == 1,
                        _ => level.codes[index] >> (axis + 2) & 1 == 1,
                    };
                    if is_there {
                        let center = index.wrapping_add_signed(center);
                        differences += factor * second_difference(level, front, center, axis, steps[axis]);
                    }
                }
                force += rates[axis] * differences;
            }
            *out -= (force * (own.w / (1.0 + own.w * bound))).with_w(0.0);
        }
    });
}

/// x₋ − 2x + x₊ along a thread; nothing where the thread ends.
fn second_difference(level: &GridLevel, points: &[Vec4], center: usize, axis: usize, step: isize) -> Vec4 {
    let both = 0b101 << axis;
    if level.codes[center] & both != both {
        return Vec4::ZERO;
    }
    let neighbours = points[center.wrapping_add_signed(step)] + points[center.wrapping_add_signed(-step)];
    let bend = neighbours - 2.0 * points[center];
    match level.bends.get(center) {
        Some(at_rest) => beyond(bend.with_w(0.0), at_rest[axis] + 2.0 * rounded(points[center])),
        None => bend,
    }
}

/// What a vector has beyond a length.
pub(crate) fn beyond(vector: Vec4, length: f32) -> Vec4 {
    let own = vector.length();
    if own > length { vector * ((own - length) / own) } else { Vec4::ZERO }
}
