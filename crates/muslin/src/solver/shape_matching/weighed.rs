//! Particles that count as heavier for a while, on coarse levels: a hold carries what hangs on it through all of them.
//!
//! Input: particles of the finest level, with what is added to their masses. Output: coarse points with other inverse masses. What
//! a coarse point gains is Pᵀ of what the finer ones have gained, as its mass is Pᵀ of theirs: then a change that keeps the
//! momentum on a coarse level keeps it on the finer one too.

use super::level::SolverLevel;
use crate::hierarchy::Transfer;
use crate::solver::Weight;
use crate::state::Point;

/// What counts as heavier.
#[derive(Clone, Debug, Default)]
pub(super) struct Weighed {
    /// What has been changed: level, point, and the inverse mass before.
    changed: Vec<(usize, u32, f32)>,
    /// What is added on a level, by vertex, and on the next coarser one.
    added: Vec<Weight>,
    coarser: Vec<Weight>,
}

impl Weighed {
    /// Makes coarse points heavier, and those that were it before what they are.
    pub fn weigh<P: Point>(
        &mut self,
        weights: &[Weight],
        levels: &mut [SolverLevel<P>],
        transfers: &[Transfer],
    ) {
        let Self { changed, added, coarser } = self;
        for (level, v, w) in changed.drain(..) {
            let point = &mut levels[level].points[v as usize];
            *point = point.with_w(w);
            if let Some(bending) = &mut levels[level].bending {
                bending.weigh(std::iter::empty());
            }
        }
        added.clear();
        added.extend_from_slice(weights);
        for number in (0..transfers.len()).rev() {
            if added.is_empty() {
                return;
            }
            coarser.clear();
            for weight in added.iter() {
                let interpolation = &transfers[number].prolongation[weight.vertex as usize];
                for (&vertex, &share) in interpolation.vertices.iter().zip(&interpolation.weights) {
                    if share > 0.0 && levels[number].points[vertex as usize].w() > 0.0 {
                        add(coarser, Weight { vertex, added: f64::from(share) * weight.added });
                    }
                }
            }
            let level = &mut levels[number];
            for weight in coarser.iter() {
                let point = &mut level.points[weight.vertex as usize];
                changed.push((number, weight.vertex, point.w()));
                *point = point.with_w(weight.heavier(point.w(), level.mean_mass));
            }
            if let Some(bending) = &mut level.bending {
                let shares = coarser.iter().zip(&changed[changed.len() - coarser.len()..]);
                let share = |(weight, &(.., w)): (&Weight, &(usize, u32, f32))| {
                    (weight.vertex, weight.heavier(w, level.mean_mass) / w)
                };
                bending.weigh(shares.map(share));
            }
            std::mem::swap(added, coarser);
        }
    }
}

/// Adds a weight to those of a list, which is by vertex.
fn add(weights: &mut Vec<Weight>, weight: Weight) {
    match weights.binary_search_by_key(&weight.vertex, |known| known.vertex) {
        Ok(known) => weights[known].added += weight.added,
        Err(place) => weights.insert(place, weight),
    }
}
