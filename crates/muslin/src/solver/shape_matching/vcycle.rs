//! The V-cycle over the levels ([Bender2013] §4.3), in two forms.
//!
//! Input: predicted positions on the finest level. Output: positions with the stretch taken out.

use glam::Vec4;

use super::Cycle;
use super::level::SolverLevel;
use super::restriction::Restriction;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::hierarchy::Transfer;
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
            levels[fine].match_shapes(execution, timings);
        }
        let (below, above) = levels.split_at_mut(fine);
        let coarse = &mut below[fine - 1];
        timings.time(Stage::Transfer, || {
            restrict_positions(&restrictions[fine - 1], &above[0].points, coarse, execution);
        });
    }
    levels[0].match_shapes(execution, timings);
    for fine in 1..levels.len() {
        let (below, above) = levels.split_at_mut(fine);
        timings.time(Stage::Transfer, || {
            prolongate_change(&transfers[fine - 1], &mut below[fine - 1], &mut above[0].points, execution);
        });
        levels[fine].match_shapes(execution, timings);
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
        levels[fine].match_shapes(execution, timings);
        let (below, above) = levels.split_at_mut(fine);
        timings.time(Stage::Transfer, || {
            restrict_change(&transfers[fine - 1], &mut above[0], &mut below[fine - 1].points, execution);
        });
    }
    for fine in 0..levels.len() {
        levels[fine].remember_entry();
        levels[fine].match_shapes(execution, timings);
        if fine + 1 < levels.len() {
            let (below, above) = levels.split_at_mut(fine + 1);
            timings.time(Stage::Transfer, || {
                prolongate_change(&transfers[fine], &mut below[fine], &mut above[0].points, execution);
            });
        }
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

/// x_fine += I (x_coarse − entry_coarse). Consumes the coarse level's entry.
fn prolongate_change<P: Point>(
    transfer: &Transfer,
    coarse: &mut SolverLevel<P>,
    fine: &mut [P],
    execution: Execution,
) {
    let change = coarse.change_since_entry(execution);
    execution.for_each_chunk(fine, |first, chunk| {
        for (point, interpolation) in chunk.iter_mut().zip(&transfer.prolongation[first..]) {
            if point.w() > 0.0 {
                let [a, b, c] = interpolation.vertices.map(|v| change[v as usize]);
                let [wa, wb, wc] = interpolation.weights;
                *point = point.plus(a * wa + b * wb + c * wc);
            }
        }
    });
}
