//! A step as a list of dispatches: the twin of `CpuGrid::step`, written down anew for every step, since the number of
//! iterations and what there is to hand on change.

use std::sync::Arc;

use super::kernels::*;
use super::memory::{Buffer, Buffer::Points, COARSE_SETS, SPARE_SET};
use super::uniforms::pass_number;
use super::{Dispatch, Kernel};
use crate::solver::Order;
use crate::solver::multilevel::cycle::LevelPlan;
use crate::solver::multilevel::grid::{GridModel, GridStep};
use crate::solver::multilevel::seams::stitch::Stitcher;

/// Which set of the finest level's points is what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roles {
    pub now: Buffer,
    /// Where the step began; between steps the velocities.
    pub previous: Buffer,
    pub free: Buffer,
    /// Taken while the finest level's prediction must be kept.
    pub spare: Buffer,
}

impl Roles {
    /// At the beginning.
    pub const FIRST: Self = Self { now: Points(0), previous: Points(1), free: Points(2), spare: SPARE_SET };
}

/// Jacobi iterations at once on small levels, where a dispatch costs more than what all workgroups do twice at the
/// margins of their tiles; …
const MOST_AT_ONCE: u32 = 4;
/// … and on levels of more texels than this, where it does not.
const AT_ONCE: u32 = 2;
const LARGE_LEVEL: usize = 1 << 15;

/// Writes steps down.
pub(super) struct Recorder {
    model: Arc<GridModel>,
    /// Levels from here on are worked on in one dispatch.
    first_in_tail: usize,
    /// Per level the number of stitches, and of texels beside them.
    seams: Vec<[usize; 2]>,
}

/// A step being written down.
struct Recording<'a> {
    recorder: &'a Recorder,
    dispatches: Vec<Dispatch>,
    roles: Roles,
    /// The set of coarse points that the last level is in, and the other.
    coarse: [Buffer; 2],
}

impl Recorder {
    /// With so many levels in one dispatch.
    pub fn new(model: &Arc<GridModel>, tail_levels: usize, stitchers: &[Stitcher]) -> Self {
        let seams = stitchers.iter().map(|level| [level.stitches.len(), level.texels.len()]).collect();
        Self { model: Arc::clone(model), first_in_tail: model.levels.len() - tail_levels, seams }
    }

    fn texels(&self, level: usize) -> usize {
        self.model.levels[level].codes.len()
    }

    /// How many Jacobi iterations are done at once.
    fn at_once(&self, level: usize) -> u32 {
        if self.texels(level) > LARGE_LEVEL { AT_ONCE } else { MOST_AT_ONCE }
    }

    /// The workgroups of so many Jacobi iterations at once.
    fn tiles(&self, level: usize, at_once: u32) -> usize {
        self.model.levels[level].size.map(|n| n.div_ceil((WINDOW - 2 * at_once) as usize)).iter().product()
    }

    /// The workgroups of the largest dispatch there can be.
    pub fn most_workgroups(&self) -> u32 {
        let stitched = self.seams.as_flattened().iter().copied().max().unwrap_or(0);
        let most = self.texels(0).max(self.model.projection.rows()).max(stitched);
        // Fewer iterations at once have larger tiles.
        let tiles = (0..self.seams.len()).map(|level| self.tiles(level, self.at_once(level))).max();
        PROJECT.workgroups(most as u32).max(tiles.unwrap_or(0) as u32)
    }

    /// The dispatches of a step, and what sets are afterwards.
    pub fn step(&self, step: &GridStep, roles: Roles) -> (Vec<Dispatch>, Roles) {
        let mut recording = Recording { recorder: self, dispatches: Vec::new(), roles, coarse: COARSE_SETS };
        recording.integrate();
        if step.bending != [0.0; 2] {
            (0..self.model.bending_passes).for_each(|_| recording.bend());
        }
        (0..self.model.cycles).for_each(|_| recording.solve(step));
        let Roles { now, previous, free, .. } = recording.roles;
        recording.push(&FINISH_AND_MEASURE, [previous, now, free], self.texels(0));
        (recording.roles.previous, recording.roles.free) = (free, previous);
        recording.dispatches.push(self.project(recording.roles));
        (recording.dispatches, recording.roles)
    }

    /// What the coarse mesh met, handed on from one of the two buffers for it.
    pub fn sample(&self, Roles { now, previous, .. }: Roles, moves: u8) -> Dispatch {
        on_finest(&SAMPLE, [now, previous, Buffer::Moves(moves)], self.model.lattice.samples.len())
    }

    /// The coarse mesh alone.
    pub fn project(&self, Roles { now, previous, .. }: Roles) -> Dispatch {
        on_finest(&PROJECT, [now, previous, previous], self.model.projection.rows())
    }
}

/// A dispatch that is told of the step.
fn on_finest(kernel: Kernel, turns: [Buffer; 3], items: usize) -> Dispatch {
    Dispatch { kernel, turns, uniform: 0, items: items as u32, level: 0 }
}

impl Recording<'_> {
    /// A kernel that is told of the step.
    fn push(&mut self, kernel: Kernel, turns: [Buffer; 3], items: usize) {
        self.dispatches.push(on_finest(kernel, turns, items));
    }

    /// A kernel that is told of a level.
    fn push_on(&mut self, level: usize, kernel: Kernel, turns: [Buffer; 3], uniform: usize, items: usize) {
        self.dispatches.push(Dispatch { uniform, level, ..on_finest(kernel, turns, items) });
    }

    fn integrate(&mut self) {
        let Roles { now, previous, free, .. } = self.roles;
        self.push(&INTEGRATE, [now, previous, free], self.recorder.texels(0));
        // The prediction is worked on; where the step began is what velocities come from at its end.
        self.roles = Roles { now: free, previous: now, free: previous, ..self.roles };
    }

    /// What was written is where the particles are now.
    fn flip(&mut self) {
        std::mem::swap(&mut self.roles.now, &mut self.roles.free);
    }

    fn bend(&mut self) {
        let Roles { now, free, .. } = self.roles;
        self.push(&BEND_THREADS, [now, free, free], self.recorder.texels(0));
        self.flip();
    }

    /// One pass from the coarsest level to the finest.
    fn solve(&mut self, step: &GridStep) {
        let recorder = self.recorder;
        let model = &recorder.model;
        self.push_out(step);
        if recorder.first_in_tail < model.levels.len() {
            let [back, _] = self.coarse;
            self.push_on(recorder.first_in_tail, &TAIL, [self.roles.now, back, back], 0, 1);
        }
        for level in (1..recorder.first_in_tail).rev() {
            let [coarser, back] = self.coarse;
            self.start(level, coarser, back);
            self.coarse.swap(0, 1);
            let predicted = self.roles.now;
            for plan in model.plans[level].coarse_parts() {
                self.relax(level, &plan, false, predicted);
            }
        }
        let is_elastic = model.plans[0].springs.is_some();
        let is_bounded = !model.tethers.is_empty() || !step.near.is_empty();
        let predicted = self.roles.now;
        if model.levels.len() > 1 || is_elastic || is_bounded {
            self.start(0, self.coarse[0], self.roles.free);
            self.flip();
        }
        if is_elastic {
            // The prediction is needed until all springs have pulled.
            std::mem::swap(&mut self.roles.free, &mut self.roles.spare);
        }
        for (number, plan) in model.plans[0].in_two_parts(step.iterations).iter().enumerate() {
            self.relax(0, plan, number == 1, predicted);
            self.push_out(step);
        }
    }

    fn start(&mut self, level: usize, coarser: Buffer, back: Buffer) {
        let turns = [self.roles.now, coarser, back];
        self.push_on(level, &START, turns, pass_number(level, false), self.recorder.texels(level));
    }

    /// Moves the finest level's particles out of what is near.
    fn push_out(&mut self, step: &GridStep) {
        if !step.near.is_empty() {
            let Roles { previous, now, .. } = self.roles;
            self.push(&CONTACT, [previous, now, now], self.recorder.model.lattice.samples.len());
        }
    }

    /// The iterations of a level, with its seams.
    fn relax(&mut self, level: usize, plan: &LevelPlan, limits: bool, predicted: Buffer) {
        let (recorder, uniform) = (self.recorder, pass_number(level, limits));
        let (texels, [stitches, stitched]) = (recorder.texels(level), recorder.seams[level]);
        let is_elastic = plan.springs.is_some();
        // Seams are sewn after each iteration.
        let together = plan.relaxation == Order::Jacobi && !is_elastic && stitches == 0;
        let at_once = if together { recorder.at_once(level) } else { 1 };
        for done in (0..plan.iterations).step_by(at_once as usize) {
            match plan.relaxation {
                _ if is_elastic => self.pass(&ELASTIC, predicted, level, uniform, texels),
                Order::Jacobi => {
                    let now = at_once.min(plan.iterations - done);
                    let tiles = recorder.tiles(level, now);
                    self.pass(&JACOBI, self.roles.now, level, uniform + now as usize, tiles);
                }
                Order::GaussSeidel => {
                    // Passes over the finest level have no tethers, and what is written must not be read beside.
                    let finest = if level == 0 { self.roles.previous } else { self.roles.now };
                    let points = self.set_of(level);
                    for set in 1..=8 {
                        let turns = [finest, points, points];
                        self.push_on(level, &GAUSS_SEIDEL, turns, uniform + set, texels);
                    }
                }
            }
            if stitches > 0 {
                let points = self.set_of(level);
                let turns = [self.roles.now, points, points];
                self.push_on(level, &STITCH_PULL, turns, uniform, stitches);
                self.push_on(level, &STITCH_MOVE, [points; 3], uniform, stitched);
            }
        }
    }

    /// A pass over all particles of a level at once, which also reads a set of the finest.
    fn pass(&mut self, kernel: Kernel, finest: Buffer, level: usize, uniform: usize, items: usize) {
        let back = if level == 0 { self.roles.free } else { self.coarse[1] };
        self.push_on(level, kernel, [finest, self.set_of(level), back], uniform, items);
        if level == 0 {
            self.flip();
        } else {
            self.coarse.swap(0, 1);
        }
    }

    /// The set that a level is in.
    fn set_of(&self, level: usize) -> Buffer {
        if level == 0 { self.roles.now } else { self.coarse[0] }
    }
}
