//! A step as a list of dispatches: the algorithm, written down once and recorded for every step.

use super::device::WORKGROUP;
use super::kernel::{Kernel, SmallSizes};
use super::lengths::LengthSet;
use super::model::{LevelRange, Model};
use super::support::Method;
use super::uniforms::{LevelUniform, SmallLevel};
use crate::solver::{Cycle, Order};

/// What a set of points is to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Where the step starts; untouched until its end, when velocities come from the difference.
    Start,
    /// Two that passes read and write in turn.
    One,
    Other,
}

impl Role {
    fn flipped(self) -> Self {
        if self == Self::One { Self::Other } else { Self::One }
    }
}

/// One dispatch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dispatch {
    pub kernel: Kernel,
    pub front: Role,
    pub back: Role,
    /// Which level uniform; not used by kernels of the step.
    pub uniform: usize,
    pub workgroups: u32,
    /// For reports.
    pub level: usize,
}

/// The dispatches of a step.
pub(super) struct Schedule {
    pub dispatches: Vec<Dispatch>,
    pub uniforms: Vec<LevelUniform>,
    /// Those in which κ stands.
    pub bend_uniforms: Vec<usize>,
    /// The levels of [`Kernel::Tail`].
    pub small_levels: Vec<SmallLevel>,
    /// Where the finest level ends: the next step's start.
    pub end: Role,
}

impl Schedule {
    /// forces and integration, bending and tethers, cycles over the levels, velocities and damping.
    pub fn new(model: &Model, method: Method<'_>, wind: bool, small: SmallSizes) -> Self {
        let small_levels = match method {
            Method::ShapeMatching(config) => small_levels(model, config.cycle, small),
            Method::PositionBased(_) => Vec::new(),
        };
        let mut recorder = Recorder::new(model, small_levels);
        recorder.predict(wind);
        for round in 0..method.rounds() {
            recorder.project(&model.lengths.bends, model.lengths.kappa, method.over_relaxation());
            recorder.bend(recorder.finest(), round == 0);
            match method {
                Method::ShapeMatching(config) => {
                    (0..config.cycles).for_each(|_| recorder.cycle(config.cycle));
                }
                Method::PositionBased(config) if config.order == Order::Jacobi => {
                    recorder.match_shapes(recorder.finest());
                }
                Method::PositionBased(_) => recorder.project(&model.lengths.stretch, 0.0, 1.0),
            }
        }
        recorder.finish()
    }

    /// The kernels that occur.
    pub fn kernels(&self) -> Vec<Kernel> {
        Kernel::ALL.into_iter().filter(|k| self.dispatches.iter().any(|d| d.kernel == *k)).collect()
    }
}

struct Recorder<'a> {
    model: &'a Model,
    /// The levels that are worked on in one dispatch, coarsest first.
    small_levels: Vec<SmallLevel>,
    dispatches: Vec<Dispatch>,
    uniforms: Vec<(Kernel, LevelUniform)>,
    /// Per level where its points are.
    at: Vec<Role>,
}

impl<'a> Recorder<'a> {
    fn new(model: &'a Model, small_levels: Vec<SmallLevel>) -> Self {
        let at = vec![Role::One; model.levels.len()];
        Self { model, small_levels, dispatches: Vec::new(), uniforms: Vec::new(), at }
    }

    fn finest(&self) -> usize {
        self.model.levels.len() - 1
    }

    fn push(&mut self, kernel: Kernel, level: usize, front: Role, back: Role, uniform: LevelUniform) {
        let workgroups = uniform.count.div_ceil(WORKGROUP);
        // The same pass may come in every round.
        let known = self.uniforms.iter().position(|known| *known == (kernel, uniform));
        let uniform = known.unwrap_or_else(|| {
            self.uniforms.push((kernel, uniform));
            self.uniforms.len() - 1
        });
        self.dispatches.push(Dispatch { kernel, front, back, uniform, workgroups, level });
    }

    /// A pass that reads a level's points and leaves them in the other set.
    fn pass(&mut self, kernel: Kernel, level: usize, change: impl FnOnce(&mut LevelUniform)) {
        let front = self.at[level];
        let back = front.flipped();
        let mut uniform = uniform_of(&self.model.levels[level]);
        change(&mut uniform);
        self.push(kernel, level, front, back, uniform);
        self.at[level] = back;
    }

    fn predict(&mut self, wind: bool) {
        let finest = self.finest();
        let uniform = uniform_of(&self.model.levels[finest]);
        if wind {
            self.push(Kernel::Air, finest, Role::Start, Role::One, uniform);
        }
        let kernel = if wind { Kernel::PredictInWind } else { Kernel::Predict };
        self.push(kernel, finest, Role::Start, Role::One, uniform);
        self.at[finest] = Role::One;
    }

    /// Constraints: those of a colour in one dispatch, or all of them, over-relaxed by a factor.
    fn project(&mut self, set: &LengthSet, kappa: f32, factor: f32) {
        let finest = self.finest();
        let at = self.at[finest];
        for colour in set.colours.windows(2).filter(|colour| colour[0] < colour[1]) {
            let (first, count) = (set.first + colour[0], colour[1] - colour[0]);
            let uniform = LevelUniform { first, count, alpha: kappa, beta: 1.0, ..LevelUniform::default() };
            self.push(Kernel::Coloured, finest, at.flipped(), at, uniform);
        }
        if set.colours.is_empty() && set.count > 0 {
            self.pass(Kernel::Gathered, finest, |uniform| (uniform.alpha, uniform.beta) = (kappa, factor));
        }
    }

    /// Bending on a level, if it is wanted; on the finest, tethers too.
    fn bend(&mut self, level: usize, wanted: bool) {
        let range = &self.model.levels[level];
        let tethers = if level == self.finest() { self.model.most_tethers } else { 0 };
        let bends = wanted && range.bends;
        if wanted && range.hinges > 0 {
            let hinges =
                LevelUniform { first: range.first_hinge, count: range.hinges, ..LevelUniform::default() };
            self.push(Kernel::RestBend, level, self.at[level], self.at[level].flipped(), hinges);
        }
        if bends || tethers > 0 {
            self.pass(Kernel::Bend, level, |uniform| {
                (uniform.tethers, uniform.alpha) = (tethers, f32::from(u8::from(bends)));
            });
        }
    }

    /// [Bender2013] §4.3 with the full approximation scheme (errata 7): a coarser level starts from what the
    /// finer one has become, and hands back everything that happened since.
    fn cycle(&mut self, cycle: Cycle) {
        let finest = self.finest();
        let bottom = self.small_levels.len().saturating_sub(1);
        for level in (bottom + 1..=finest).rev() {
            if cycle == Cycle::V {
                self.match_shapes(level);
            }
            self.restrict(level);
        }
        if bottom > 0 {
            self.match_small_levels(bottom);
        } else {
            self.match_shapes(0);
        }
        for level in bottom + 1..=finest {
            self.prolongate(level);
            self.match_shapes(level);
        }
    }

    /// The next coarser level begins at means of a level's points.
    fn restrict(&mut self, level: usize) {
        let (front, back) = (self.at[level], self.at[level].flipped());
        let uniform = uniform_of(&self.model.levels[level - 1]);
        self.push(Kernel::Restrict, level - 1, front, back, uniform);
        self.at[level - 1] = back;
    }

    fn match_small_levels(&mut self, bottom: usize) {
        let count = self.small_levels.len() as u32;
        self.pass(Kernel::Tail, bottom, |uniform| uniform.count = count);
        if let Some(dispatch) = self.dispatches.last_mut() {
            dispatch.workgroups = 1;
        }
    }

    /// One pass over a level: bending, where it has a part in it, then 1D and 2D regions.
    fn match_shapes(&mut self, level: usize) {
        let range = &self.model.levels[level];
        if level != self.finest() {
            self.bend(level, true);
        }
        for _ in 0..range.passes {
            if range.match_edges {
                for &factor in &range.edge_factors {
                    self.pass(Kernel::Edges, level, |uniform| uniform.beta *= factor);
                }
            }
            if range.match_triangles {
                self.pass(Kernel::Triangles, level, |_| {});
            }
        }
    }

    fn prolongate(&mut self, level: usize) {
        let coarse_in_back = self.at[level - 1] != self.at[level];
        self.pass(Kernel::Prolongate, level, |uniform| uniform.coarse_in_back = u32::from(coarse_in_back));
    }

    /// Sums, the rigid motion that they say, and velocities that approach it.
    fn damp(&mut self, end: Role, uniform: LevelUniform) {
        let pieces = &self.model.pieces;
        if self.model.damping > 0.0 {
            let workgroups = [
                (Kernel::Momenta, pieces.stretch_groups()),
                (Kernel::RigidMotion, pieces.piece_groups()),
                (Kernel::Damp, uniform.count.div_ceil(WORKGROUP)),
            ];
            for (kernel, workgroups) in workgroups {
                self.push(kernel, self.finest(), end, end.flipped(), uniform);
                self.dispatches.last_mut().into_iter().for_each(|dispatch| dispatch.workgroups = workgroups);
            }
        }
    }

    fn finish(mut self) -> Schedule {
        let finest = self.finest();
        let end = self.at[finest];
        let uniform = uniform_of(&self.model.levels[finest]);
        self.push(Kernel::Finish, finest, Role::Start, end, uniform);
        self.damp(end, uniform);
        let bends = &self.model.lengths.bends;
        let bends = bends.first..bends.first + bends.count;
        let has_kappa = |&(kernel, uniform): &(Kernel, LevelUniform)| {
            kernel == Kernel::Gathered || kernel == Kernel::Coloured && bends.contains(&uniform.first)
        };
        Schedule {
            bend_uniforms: (0..self.uniforms.len()).filter(|&n| has_kappa(&self.uniforms[n])).collect(),
            uniforms: self.uniforms.into_iter().map(|(_, uniform)| uniform).collect(),
            dispatches: self.dispatches,
            small_levels: self.small_levels,
            end,
        }
    }
}

/// The coarsest levels that fit into one workgroup; none if they are not at least two, or if there is more to
/// do on them than edges.
fn small_levels(model: &Model, cycle: Cycle, small: SmallSizes) -> Vec<SmallLevel> {
    let mut levels: Vec<SmallLevel> = Vec::new();
    let mut offset = 0;
    for range in &model.levels[..model.levels.len() - 1] {
        let edges_only = range.match_edges && !range.match_triangles && !range.bends;
        if !edges_only || range.count > small.largest || offset + range.count > small.total {
            break;
        }
        let uniform = uniform_of(range);
        levels.push(SmallLevel {
            first: range.first,
            count: range.count,
            offset,
            only_stretched: uniform.only_stretched,
            beta: uniform.beta * range.edge_factors.first().copied().unwrap_or(1.0),
            down: if cycle == Cycle::V { range.passes } else { 0 },
            up: range.passes,
            padding: 0,
        });
        offset += range.count;
    }
    if levels.len() < 2 { Vec::new() } else { levels }
}

fn uniform_of(range: &LevelRange) -> LevelUniform {
    LevelUniform {
        first: range.first,
        count: range.count,
        only_stretched: u32::from(range.only_stretched),
        alpha: range.alpha,
        beta: range.beta,
        ..LevelUniform::default()
    }
}
