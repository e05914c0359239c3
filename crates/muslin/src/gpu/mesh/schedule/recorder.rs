//! What a schedule is, and how it is written down.

use crate::gpu::mesh::kernels::{AIR, COLOURED, GATHERED, PREDICT, PREDICT_IN_WIND, PUSH};
use crate::gpu::mesh::memory::Buffer;
use crate::gpu::mesh::model::{LevelRange, Model};
use crate::gpu::mesh::uniforms::{LevelUniform, SmallLevel};
use crate::gpu::mesh::{Dispatch, Kernel};

/// Where a step starts; untouched until its end, when velocities come from the difference.
pub(in crate::gpu::mesh) const START: Buffer = Buffer::Points(0);
/// One of two sets that passes read and write in turn.
pub(in crate::gpu::mesh) const ONE: Buffer = Buffer::Points(1);

/// The other one.
pub(in crate::gpu::mesh) fn flipped(set: Buffer) -> Buffer {
    if set == ONE { Buffer::Points(2) } else { ONE }
}

/// The dispatches of a step.
pub(in crate::gpu::mesh) struct Schedule {
    /// Where a step ends is where the next one starts, so there are two lists in turn, with these two sets exchanged.
    pub lists: [Vec<Dispatch>; 2],
    /// Where each list starts.
    pub starts: [Buffer; 2],
    /// What passes over levels are told.
    pub uniforms: Vec<LevelUniform>,
    /// Those in which κ stands.
    pub bend_uniforms: Vec<usize>,
    /// Those that are worked on in one dispatch, coarsest first.
    pub small_levels: Vec<SmallLevel>,
}

/// What of a schedule is wanted in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::gpu::mesh) struct Told {
    /// Whether there is air.
    pub wind: bool,
    /// At how many vertices forces from outside act.
    pub forces: u32,
}

impl Schedule {
    /// The dispatches of the substep of this number in a submission, where `turn` says which list it is.
    pub fn substep(&self, turn: usize, number: usize, told: Told) -> impl Iterator<Item = Dispatch> + '_ {
        let is_wanted = move |dispatch: &&Dispatch| match dispatch.kernel {
            kernel if kernel == &PUSH => told.forces > 0,
            kernel if kernel == &AIR || kernel == &PREDICT_IN_WIND => told.wind,
            kernel if kernel == &PREDICT => !told.wind,
            _ => true,
        };
        self.lists[turn % 2].iter().filter(is_wanted).map(move |dispatch| {
            let items = if dispatch.kernel == &PUSH { told.forces } else { dispatch.items };
            match dispatch.kernel.uniform {
                Buffer::Steps => Dispatch { uniform: number, items, ..*dispatch },
                _ => *dispatch,
            }
        })
    }

    /// What is added to so many velocities once, before the first of `substeps`.
    pub fn pushes(&self, turn: usize, substeps: usize, pushes: u32) -> Option<Dispatch> {
        let push = self.lists[turn % 2].first().filter(|_| pushes > 0)?;
        Some(Dispatch { uniform: substeps, items: pushes, ..*push })
    }
}

/// A schedule while it is written down.
pub(in crate::gpu::mesh) struct Recorder<'a> {
    pub model: &'a Model,
    /// The levels that are worked on in one dispatch, coarsest first.
    pub small_levels: Vec<SmallLevel>,
    pub dispatches: Vec<Dispatch>,
    uniforms: Vec<(Kernel, LevelUniform)>,
    /// Per level where its points are.
    pub at: Vec<Buffer>,
}

impl<'a> Recorder<'a> {
    pub fn new(model: &'a Model, small_levels: Vec<SmallLevel>) -> Self {
        let at = vec![ONE; model.levels.len()];
        Self { model, small_levels, dispatches: Vec::new(), uniforms: Vec::new(), at }
    }

    pub fn finest(&self) -> usize {
        self.model.levels.len() - 1
    }

    fn push(&mut self, kernel: Kernel, level: usize, [front, back]: [Buffer; 2], items: u32, uniform: usize) {
        self.dispatches.push(Dispatch { kernel, turns: [front, back, back], uniform, items, level });
    }

    /// A kernel that is told of the step, on the finest level.
    pub fn push_of_step(&mut self, kernel: Kernel, front: Buffer, back: Buffer, items: u32) {
        self.push(kernel, self.finest(), [front, back], items, 0);
    }

    /// A kernel that is told of a pass.
    pub fn push_of_pass(&mut self, kernel: Kernel, level: usize, turns: [Buffer; 2], uniform: LevelUniform) {
        // The same pass may come in every round.
        let known = self.uniforms.iter().position(|known| *known == (kernel, uniform));
        let number = known.unwrap_or_else(|| {
            self.uniforms.push((kernel, uniform));
            self.uniforms.len() - 1
        });
        self.push(kernel, level, turns, uniform.count, number);
    }

    /// A pass that reads a level's points and leaves them in the other set.
    pub fn pass(&mut self, kernel: Kernel, level: usize, change: impl FnOnce(&mut LevelUniform)) {
        let front = self.at[level];
        let back = flipped(front);
        let mut uniform = uniform_of(&self.model.levels[level]);
        change(&mut uniform);
        self.push_of_pass(kernel, level, [front, back], uniform);
        self.at[level] = back;
    }

    /// What was written down.
    pub fn schedule(self) -> Schedule {
        let (model, end) = (self.model, self.at[self.finest()]);
        let turned = |set: Buffer| match set {
            START => end,
            set if set == end => START,
            set => set,
        };
        let in_turn = |dispatch: &Dispatch| Dispatch { turns: dispatch.turns.map(turned), ..*dispatch };
        let bends = &model.lengths.bends;
        let bends = bends.first..bends.first + bends.count;
        let has_kappa = |&(kernel, uniform): &(Kernel, LevelUniform)| {
            kernel == &GATHERED || kernel == &COLOURED && bends.contains(&uniform.first)
        };
        Schedule {
            bend_uniforms: (0..self.uniforms.len()).filter(|&n| has_kappa(&self.uniforms[n])).collect(),
            uniforms: self.uniforms.into_iter().map(|(_, uniform)| uniform).collect(),
            starts: [START, end],
            lists: [self.dispatches.clone(), self.dispatches.iter().map(in_turn).collect()],
            small_levels: self.small_levels,
        }
    }
}

pub(in crate::gpu::mesh) fn uniform_of(range: &LevelRange) -> LevelUniform {
    LevelUniform {
        first: range.first,
        count: range.count,
        only_stretched: u32::from(range.only_stretched),
        alpha: range.alpha,
        beta: range.beta,
        ..LevelUniform::default()
    }
}
