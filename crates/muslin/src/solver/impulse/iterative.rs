//! The iterative method (\[Bender2009\] Algorithm 1): impulses for one constraint after the other, until every strain is
//! below the tolerance.
//!
//! Input: particles with a preview of the step. Output: the same with a preview (or, afterwards, velocities) in which
//! all constraints hold, and how many passes that took.
//!
//! Constraints are gone through in the order of a [`Sweep`], which is the same for any number of threads. A pass in
//! which no constraint had to be corrected has seen them all within the tolerance at once; that ends the iteration.

use std::sync::atomic::{AtomicU64, Ordering};

use super::ImpulseDirections;
use super::distance::{Distance, Particle, correct, correct_velocity};
use crate::execution::Execution;
use crate::math::lanes::WIDTH;
use crate::solver::sweep::Sweep;

/// Most passes along the directions at the start of a step. What they have not reached by then, edges that turn far in
/// opposite ways, is reached along those at its end.
const MOST_ALONG_START: u32 = 1000;

/// Up to eight constraints that share no particle.
#[derive(Clone, Debug)]
struct Pack {
    /// Per constraint its particles, relative to the sweep's node.
    vertices: [[u32; 2]; WIDTH],
    rest: [f64; WIDTH],
    /// How many constraints there are.
    filled: usize,
}

/// When passes end, and how far each goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Allowed strain, relative.
    pub tolerance: f64,
    /// Most passes.
    pub iterations: u32,
    /// Factor on each correction (over-relaxation).
    pub factor: f64,
}

/// The constraints of a cloth, arranged for passes.
pub(crate) struct Iterative {
    sweep: Sweep<Pack>,
}

impl Iterative {
    /// Arranges constraints over `vertices` particles.
    pub fn new(vertices: usize, distances: &[Distance]) -> Self {
        let pairs: Vec<[u32; 2]> = distances.iter().map(|distance| distance.vertices).collect();
        let sweep = Sweep::new(vertices, &pairs, |source| {
            let [first, second] = source.vertices(&pairs);
            let numbers = source.elements;
            // What is left of a pack that could not be filled repeats its first constraint.
            let filled = (1..WIDTH).find(|&lane| numbers[lane] == numbers[0]).unwrap_or(WIDTH);
            Pack {
                vertices: std::array::from_fn(|lane| [first[lane], second[lane]]),
                rest: source.lanes(|e| distances[e].rest),
                filled,
            }
        });
        Self { sweep }
    }

    /// Corrects the preview.
    pub fn correct(
        &self,
        particles: &mut [Particle],
        along: ImpulseDirections,
        limits: Limits,
        execution: Execution,
    ) -> u32 {
        self.repeat(particles, limits, execution, |particles, pair, rest| {
            correct(particles, pair, rest, along, limits.tolerance, limits.factor)
        })
    }

    /// Corrects the preview along the directions at the start of the step, as long as that leads somewhere.
    ///
    /// Without over-relaxation: a step along n for what is too much along d overshoots already where the two differ, and
    /// over-relaxed passes diverged on 20 × 20 particles.
    pub fn correct_along_start(
        &self,
        particles: &mut [Particle],
        limits: Limits,
        execution: Execution,
    ) -> u32 {
        let first = Limits { iterations: limits.iterations.min(MOST_ALONG_START), factor: 1.0, ..limits };
        let made = self.correct(particles, ImpulseDirections::Start, first, execution);
        if made < first.iterations || made == limits.iterations {
            return made;
        }
        let rest = Limits { iterations: limits.iterations - made, ..limits };
        made + self.correct(particles, ImpulseDirections::End, rest, execution)
    }

    /// Corrects velocities, held in the place of the preview; `start` are the positions where they act.
    pub fn settle(&self, particles: &mut [Particle], dt: f64, limits: Limits, execution: Execution) -> u32 {
        self.repeat(particles, limits, execution, |particles, pair, rest| {
            correct_velocity(particles, pair, rest, dt, limits.tolerance, limits.factor)
        })
    }

    /// Passes over all constraints until one finds nothing to correct, and how many that were.
    fn repeat(
        &self,
        particles: &mut [Particle],
        limits: Limits,
        execution: Execution,
        correct: impl Fn(&mut [Particle], [usize; 2], f64) -> f64 + Sync,
    ) -> u32 {
        for iteration in 0..limits.iterations {
            // The largest strain as bits: for positive numbers the order is the same, and NaN is above them all.
            // A maximum does not depend on the order in which threads report.
            let largest = AtomicU64::new(0);
            self.sweep.run(particles, execution, &|packs, particles, _| {
                let mut most = 0u64;
                for pack in packs {
                    for lane in 0..pack.filled {
                        let pair = pack.vertices[lane].map(|vertex| vertex as usize);
                        let strain = correct(particles, pair, pack.rest[lane]);
                        most = most.max(strain.to_bits());
                    }
                }
                largest.fetch_max(most, Ordering::Relaxed);
            });
            let largest = f64::from_bits(largest.into_inner());
            if largest < limits.tolerance || !largest.is_finite() {
                return iteration + 1;
            }
        }
        limits.iterations
    }
}
