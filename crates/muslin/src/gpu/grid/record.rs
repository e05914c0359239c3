//! A step as a list of dispatches: the twin of `CpuGrid::step`, written down anew for every step, since the number of
//! iterations and what there is to hand on change.

use super::buffers::{COARSE_SETS, SPARE_SET};
use super::kernel::{Kernel, WINDOW};
use super::uniforms::pass_number;
use crate::gpu::device::WORKGROUP;
use crate::solver::Order;
use crate::solver::multilevel::cycle::LevelPlan;
use crate::solver::multilevel::grid::{GridModel, GridStep};
use crate::solver::multilevel::levels::GridLevel;

/// One dispatch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dispatch {
    pub kernel: Kernel,
    /// The sets of points that its bindings mean.
    pub points: [u8; 3],
    /// Which uniform of its kind.
    pub uniform: usize,
    pub workgroups: u32,
    /// Finest 0.
    pub level: usize,
}

/// Which set of the finest level's points is what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roles {
    pub now: u8,
    /// Where the step began; between steps the velocities.
    pub previous: u8,
    pub free: u8,
    /// Taken while the finest level's prediction must be kept.
    pub spare: u8,
}

impl Roles {
    /// At the beginning.
    pub const FIRST: Self = Self { now: 0, previous: 1, free: 2, spare: SPARE_SET };
}

/// What a level has that is not in its plan.
#[derive(Clone, Copy, Debug)]
struct LevelSize {
    texels: usize,
    /// Columns and rows.
    size: [usize; 2],
    stitches: usize,
    stitched: usize,
}

/// Jacobi iterations at once on small levels, where a dispatch costs more than what all workgroups do twice at the
/// margins of their tiles; …
const MOST_AT_ONCE: usize = 4;
/// … and on levels of more texels than this, where it does not.
const AT_ONCE: usize = 2;
const LARGE_LEVEL: usize = 1 << 15;

impl LevelSize {
    /// How many Jacobi iterations are done at once.
    fn at_once(&self) -> u32 {
        (if self.texels > LARGE_LEVEL { AT_ONCE } else { MOST_AT_ONCE }) as u32
    }

    /// The workgroups of so many Jacobi iterations at once.
    fn tiles(&self, at_once: usize) -> usize {
        self.size.map(|n| n.div_ceil(WINDOW as usize - 2 * at_once)).iter().product()
    }
}

/// Writes steps down.
pub(super) struct Recorder {
    sizes: Vec<LevelSize>,
    plans: Vec<LevelPlan>,
    /// Levels from here on are worked on in one dispatch.
    first_in_tail: usize,
    cycles: u32,
    bending_passes: u32,
    tethered: bool,
    samples: usize,
    vertices: usize,
}

/// A step being written down.
struct Recording<'a> {
    recorder: &'a Recorder,
    dispatches: Vec<Dispatch>,
    roles: Roles,
    /// Which of the sets of coarse points the last level is in.
    coarse: usize,
}

impl Recorder {
    /// With so many levels in one dispatch, and per level the number of stitches and of texels beside them.
    pub fn new(model: &GridModel, tail_levels: usize, seams: impl Iterator<Item = [usize; 2]>) -> Self {
        let size = |(level, [stitches, stitched]): (&GridLevel, [usize; 2])| LevelSize {
            texels: level.codes.len(),
            size: level.size,
            stitches,
            stitched,
        };
        Self {
            sizes: model.levels.iter().zip(seams).map(size).collect(),
            plans: model.plans.clone(),
            first_in_tail: model.levels.len() - tail_levels,
            cycles: model.cycles,
            bending_passes: model.bending_passes,
            tethered: !model.tethers.is_empty(),
            samples: model.lattice.samples.len(),
            vertices: model.projection.rows(),
        }
    }

    /// The largest dispatch there can be.
    pub fn most_workgroups(&self) -> u32 {
        let stitched = self.sizes.iter().map(|size| size.stitches.max(size.stitched)).max().unwrap_or(0);
        let most = self.sizes[0].texels.max(self.vertices).max(stitched).div_ceil(WORKGROUP as usize);
        // Fewer iterations at once have larger tiles.
        let tiles = |size: &LevelSize| size.tiles(size.at_once() as usize);
        most.max(self.sizes.iter().map(tiles).max().unwrap_or(0)) as u32
    }

    /// The dispatches of a step, and what sets are afterwards.
    pub fn step(&self, step: &GridStep, roles: Roles) -> (Vec<Dispatch>, Roles) {
        let mut recording = Recording { recorder: self, dispatches: Vec::new(), roles, coarse: 0 };
        recording.integrate();
        if step.bending != [0.0; 2] {
            (0..self.bending_passes).for_each(|_| recording.bend());
        }
        (0..self.cycles).for_each(|_| recording.solve(step));
        let Roles { now, previous, free, .. } = recording.roles;
        recording.push(Kernel::Finish, [previous, now, free], 0, self.sizes[0].texels, 0);
        (recording.roles.previous, recording.roles.free) = (free, previous);
        recording.dispatches.push(self.project(recording.roles));
        (recording.dispatches, recording.roles)
    }

    /// What the coarse mesh met, handed on from one of the two buffers for it.
    pub fn sample(&self, Roles { now, previous, .. }: Roles, moves: u8) -> Dispatch {
        let workgroups = self.samples.div_ceil(WORKGROUP as usize) as u32;
        Dispatch { kernel: Kernel::Sample, points: [now, previous, moves], uniform: 0, workgroups, level: 0 }
    }

    /// The coarse mesh alone.
    pub fn project(&self, roles: Roles) -> Dispatch {
        let workgroups = self.vertices.div_ceil(WORKGROUP as usize) as u32;
        Dispatch {
            kernel: Kernel::Project,
            points: [roles.now, roles.previous, 0],
            uniform: 0,
            workgroups,
            level: 0,
        }
    }
}

impl Recording<'_> {
    fn push(&mut self, kernel: Kernel, points: [u8; 3], uniform: usize, threads: usize, level: usize) {
        let workgroups = threads.div_ceil(WORKGROUP as usize) as u32;
        self.dispatches.push(Dispatch { kernel, points, uniform, workgroups, level });
    }

    fn integrate(&mut self) {
        let Roles { now, previous, free, .. } = self.roles;
        self.push(Kernel::Integrate, [now, previous, free], 0, self.recorder.sizes[0].texels, 0);
        // The prediction is worked on; where the step began is what velocities come from at its end.
        self.roles = Roles { now: free, previous: now, free: previous, ..self.roles };
    }

    /// What was written is where the particles are now.
    fn flip(&mut self) {
        std::mem::swap(&mut self.roles.now, &mut self.roles.free);
    }

    fn bend(&mut self) {
        let Roles { now, free, .. } = self.roles;
        self.push(Kernel::Bend, [now, free, 0], 0, self.recorder.sizes[0].texels, 0);
        self.flip();
    }

    /// One pass from the coarsest level to the finest.
    fn solve(&mut self, step: &GridStep) {
        let recorder = self.recorder;
        self.push_out(step);
        if recorder.first_in_tail < recorder.sizes.len() {
            let points = [self.roles.now, COARSE_SETS[self.coarse], 0];
            self.push(Kernel::Tail, points, 0, 1, recorder.first_in_tail);
        }
        for level in (1..recorder.first_in_tail).rev() {
            let points = [self.roles.now, COARSE_SETS[self.coarse], COARSE_SETS[1 - self.coarse]];
            self.push(Kernel::Start, points, pass_number(level, false), recorder.sizes[level].texels, level);
            self.coarse = 1 - self.coarse;
            let predicted = self.roles.now;
            for plan in recorder.plans[level].coarse_parts() {
                self.relax(level, &plan, false, predicted);
            }
        }
        let is_elastic = recorder.plans[0].springs.is_some();
        let is_bounded = recorder.tethered || !step.near.is_empty();
        let predicted = self.roles.now;
        if recorder.sizes.len() > 1 || is_elastic || is_bounded {
            let points = [self.roles.now, COARSE_SETS[self.coarse], self.roles.free];
            self.push(Kernel::Start, points, pass_number(0, false), recorder.sizes[0].texels, 0);
            self.flip();
        }
        if is_elastic {
            // The prediction is needed until all springs have pulled.
            std::mem::swap(&mut self.roles.free, &mut self.roles.spare);
        }
        for (number, plan) in recorder.plans[0].in_two_parts(step.iterations).iter().enumerate() {
            self.relax(0, plan, number == 1, predicted);
            self.push_out(step);
        }
    }

    /// Moves the finest level's particles out of what is near.
    fn push_out(&mut self, step: &GridStep) {
        if !step.near.is_empty() {
            let points = [self.roles.previous, self.roles.now, 0];
            self.push(Kernel::Contact, points, 0, self.recorder.samples, 0);
        }
    }

    /// The iterations of a level, with its seams.
    fn relax(&mut self, level: usize, plan: &LevelPlan, limits: bool, predicted: u8) {
        let (size, uniform) = (self.recorder.sizes[level], pass_number(level, limits));
        let is_elastic = plan.springs.is_some();
        // Seams are sewn after each iteration.
        let together = plan.relaxation == Order::Jacobi && !is_elastic && size.stitches == 0;
        let at_once = if together { size.at_once() } else { 1 };
        for done in (0..plan.iterations).step_by(at_once as usize) {
            match plan.relaxation {
                _ if is_elastic => {
                    self.pass(
                        Kernel::Elastic,
                        predicted,
                        level,
                        uniform,
                        size.texels.div_ceil(WORKGROUP as usize),
                    );
                }
                Order::Jacobi => {
                    let now = at_once.min(plan.iterations - done) as usize;
                    self.pass(Kernel::Jacobi, self.roles.now, level, uniform + now, size.tiles(now));
                }
                Order::GaussSeidel => {
                    // Passes over the finest level have no tethers, and what is written must not be read beside.
                    let finest = if level == 0 { self.roles.previous } else { self.roles.now };
                    let points = [finest, self.set_of(level), 0];
                    for set in 1..=8 {
                        self.push(Kernel::GaussSeidel, points, uniform + set, size.texels, level);
                    }
                }
            }
            if size.stitches > 0 {
                let points = self.set_of(level);
                self.push(Kernel::StitchPull, [self.roles.now, points, 0], uniform, size.stitches, level);
                self.push(Kernel::StitchMove, [points, 0, 0], uniform, size.stitched, level);
            }
        }
    }

    /// A pass over all particles of a level at once, which also reads a set of the finest.
    fn pass(&mut self, kernel: Kernel, finest: u8, level: usize, uniform: usize, workgroups: usize) {
        let front = self.set_of(level);
        let back = if level == 0 { self.roles.free } else { COARSE_SETS[1 - self.coarse] };
        let (points, workgroups) = ([finest, front, back], workgroups as u32);
        self.dispatches.push(Dispatch { kernel, points, uniform, workgroups, level });
        if level == 0 {
            self.flip();
        } else {
            self.coarse = 1 - self.coarse;
        }
    }

    /// The set that a level is in.
    fn set_of(&self, level: usize) -> u8 {
        if level == 0 { self.roles.now } else { COARSE_SETS[self.coarse] }
    }
}
