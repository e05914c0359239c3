//! The V-cycle over the levels ([Bender2013] §4.3), in two forms.
//!
//! Input: predicted positions on the finest level. Output: positions with the stretch taken out.

use glam::Vec4;

use super::Cycle;
use super::level::SolverLevel;
use super::restriction::Restriction;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::hierarchy::{Interpolation, Transfer};
use crate::state::Point;

/// The full approximation scheme (errata 7).
///
/// A coarse level starts from what the finer one has become, remembers that as its entry, and on
/// the way up hands on everything that happened to it since: its own changes and those that came
/// from below. The paper's text passes on a level's own changes only, so most of the coarse work
/// is lost (see [`printed`]).
pub(super) fn full_approximation<P: Point>(
    cycle: Cycle,
    levels: &mut [SolverLevel<P>],
    transfers: &[Transfer],
    restrictions: &[Restriction],
    execution: Execution,
    timings: &mut Timings,
) {
    for fine in (1..levels.len()).rev() {
        if cycle == Cycle::V {
            levels[fine].match_shapes(None, execution, timings);
        }
        let (below, above) = levels.split_at_mut(fine);
        let coarse = &mut below[fine - 1];
        timings.time(Stage::Transfer, || {
            restrict_positions(&restrictions[fine - 1], &above[0].points, coarse, execution);
        });
    }
    levels[0].match_shapes(None, execution, timings);
    for fine in 1..levels.len() {
        let (below, above) = levels.split_at_mut(fine);
        let change = timings
            .time(Stage::Transfer, || Change::of(&mut below[fine - 1], &transfers[fine - 1], execution));
        above[0].match_shapes(Some(&|first, points| change.carry(first, points)), execution, timings);
    }
}

/// The V-cycle as the paper prints it (lines 1–9): each level passes on its own change only.
pub(super) fn printed<P: Point>(
    levels: &mut [SolverLevel<P>],
    transfers: &[Transfer],
    restrictions: &[Restriction],
    execution: Execution,
    timings: &mut Timings,
) {
    for fine in (1..levels.len()).rev() {
        let (below, above) = levels.split_at_mut(fine);
        timings.time(Stage::Transfer, || {
            restrict_positions(&restrictions[fine - 1], &above[0].points, &mut below[fine - 1], execution);
        });
    }
    for fine in (1..levels.len()).rev() {
        levels[fine].remember_entry();
        levels[fine].match_shapes(None, execution, timings);
        let (below, above) = levels.split_at_mut(fine);
        timings.time(Stage::Transfer, || {
            restrict_change(&transfers[fine - 1], &mut above[0], &mut below[fine - 1].points, execution);
        });
    }
    levels[0].remember_entry();
    levels[0].match_shapes(None, execution, timings);
    for fine in 1..levels.len() {
        let (below, above) = levels.split_at_mut(fine);
        timings.time(Stage::Transfer, || {
            let change = Change::of(&mut below[fine - 1], &transfers[fine - 1], execution);
            execution.for_each_chunk(&mut above[0].points, |first, points| change.carry(first, points));
        });
        levels[fine].remember_entry();
        levels[fine].match_shapes(None, execution, timings);
    }
}

/// x_coarse := the means of x_fine, and remembered as the entry.
fn restrict_positions<P: Point>(
    restriction: &Restriction,
    fine: &[P],
    coarse: &mut SolverLevel<P>,
    execution: Execution,
) {
    let SolverLevel { points, entry, .. } = coarse;
    execution.for_each_chunk2(points, entry, |first, points, entries| {
        for (offset, (point, entry)) in points.iter_mut().zip(entries).enumerate() {
            *point = restriction.place(first + offset, fine).with_w(point.w());
            *entry = point.reached();
        }
    });
}

/// x_coarse += I (x_fine − entry_fine).
fn restrict_change<P: Point>(
    transfer: &Transfer,
    fine: &mut SolverLevel<P>,
    coarse: &mut [P],
    execution: Execution,
) {
    let change = fine.change_since_entry(execution);
    execution.for_each_chunk(coarse, |first, chunk| {
        for (offset, point) in chunk.iter_mut().enumerate() {
            if point.w() > 0.0 {
                let row = transfer.restriction.row(first + offset);
                *point = point.plus(row.iter().map(|&(v, weight)| change[v as usize] * weight).sum::<Vec4>());
            }
        }
    });
}

/// Levels of at most so many points (512 KiB with their entries) stay in a core's cache, where a difference is taken again
/// more quickly than it is stored. With 100,000 points it takes 0.96 instead of 0.69 ms.
const CACHED: usize = 1 << 14;

/// What a coarse level has to hand on: x_coarse − entry_coarse.
struct Change<'a, P> {
    points: &'a [P],
    /// Where the level is too large for that: the change itself.
    entry: &'a [Vec4],
    prolongation: &'a [Interpolation],
}

impl<'a, P: Point> Change<'a, P> {
    /// May consume the level's entry.
    fn of(coarse: &'a mut SolverLevel<P>, transfer: &'a Transfer, execution: Execution) -> Self {
        if coarse.points.len() > CACHED {
            coarse.change_since_entry(execution);
        }
        Self { points: &coarse.points, entry: &coarse.entry, prolongation: &transfer.prolongation }
    }

    /// x_fine += I (x_coarse − entry_coarse), of a stretch of the finer level.
    fn carry(&self, first: usize, fine: &mut [P]) {
        let Self { points, entry, .. } = self;
        if points.len() > CACHED {
            self.add(first, fine, |v| entry[v]);
        } else {
            self.add(first, fine, |v| points[v].reached() - entry[v]);
        }
    }

    #[inline]
    fn add(&self, first: usize, fine: &mut [P], change: impl Fn(usize) -> Vec4) {
        for (point, interpolation) in fine.iter_mut().zip(&self.prolongation[first..]) {
            if point.w() > 0.0 {
                let [a, b, c] = interpolation.vertices.map(|v| change(v as usize));
                let [wa, wb, wc] = interpolation.weights;
                *point = point.plus(a * wa + b * wb + c * wc);
            }
        }
    }
}
