//! A step as a list of dispatches: the algorithm, written down once and recorded for every step.

pub(super) mod recorder;
pub(super) mod small_levels;

use self::recorder::{ONE, Recorder, START, Schedule, flipped, uniform_of};
use self::small_levels::{SmallSizes, small_levels};
use super::kernels::*;
use super::memory::Buffer;
use super::model::{LengthSet, Model};
use super::support::Method;
use super::uniforms::LevelUniform;
use crate::solver::{Cycle, Order};

/// Workgroups of one dispatch that every device allows; `momenta` and `rigid_motion` take several stretches and pieces each if there are more.
const MOST_WORKGROUPS: u32 = 65_535;

impl Schedule {
    /// forces and integration, bending and tethers, cycles over the levels, velocities and damping.
    pub fn new(model: &Model, method: Method<'_>, small: SmallSizes) -> Self {
        let small_levels = match method {
            Method::ShapeMatching(config) => small_levels(model, config.cycle, small),
            Method::PositionBased(_) => Vec::new(),
        };
        let mut recorder = Recorder::new(model, small_levels);
        recorder.push_velocities(START);
        recorder.predict();
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
        recorder.finish();
        recorder.schedule()
    }
}

impl Recorder<'_> {
    /// What forces from outside do in half a substep: as many as there are.
    fn push_velocities(&mut self, at: Buffer) {
        self.push_of_step(&PUSH, at, at, 0);
    }

    /// With wind and without: one of the two is left out ([`Told`](recorder::Told)).
    fn predict(&mut self) {
        let vertices = self.model.finest().count;
        self.push_of_step(&AIR, START, ONE, vertices);
        self.push_of_step(&PREDICT_IN_WIND, START, ONE, vertices);
        self.push_of_step(&PREDICT, START, ONE, vertices);
    }

    /// Constraints: those of a colour in one dispatch, or all of them, over-relaxed by a factor.
    fn project(&mut self, set: &LengthSet, kappa: f32, factor: f32) {
        let finest = self.finest();
        let at = self.at[finest];
        for colour in set.colours.windows(2).filter(|colour| colour[0] < colour[1]) {
            let (first, count) = (set.first + colour[0], colour[1] - colour[0]);
            let uniform = LevelUniform { first, count, alpha: kappa, beta: 1.0, ..LevelUniform::default() };
            self.push_of_pass(&COLOURED, finest, [flipped(at), at], uniform);
        }
        if set.colours.is_empty() && set.count > 0 {
            self.pass(&GATHERED, finest, |uniform| (uniform.alpha, uniform.beta) = (kappa, factor));
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
            self.push_of_pass(&REST_BEND, level, [self.at[level], flipped(self.at[level])], hinges);
        }
        if bends || tethers > 0 {
            self.pass(&BEND, level, |uniform| {
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
        let (front, back) = (self.at[level], flipped(self.at[level]));
        let uniform = uniform_of(&self.model.levels[level - 1]);
        self.push_of_pass(&RESTRICT, level - 1, [front, back], uniform);
        self.at[level - 1] = back;
    }

    fn match_small_levels(&mut self, bottom: usize) {
        let count = self.small_levels.len() as u32;
        self.pass(&SMALL_LEVELS, bottom, |uniform| uniform.count = count);
        self.dispatches.last_mut().into_iter().for_each(|dispatch| dispatch.items = 1);
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
                    self.pass(&EDGES, level, |uniform| uniform.beta *= factor);
                }
            }
            if range.match_triangles {
                self.pass(&TRIANGLES, level, |_| {});
            }
        }
    }

    fn prolongate(&mut self, level: usize) {
        let coarse_in_back = self.at[level - 1] != self.at[level];
        self.pass(&PROLONGATE, level, |uniform| uniform.coarse_in_back = u32::from(coarse_in_back));
    }

    /// Velocities; then, with damping, sums, the rigid motion that they say, and velocities that approach it.
    fn finish(&mut self) {
        let (model, end) = (self.model, self.at[self.finest()]);
        let vertices = model.finest().count;
        self.push_of_step(&FINISH, START, end, vertices);
        self.push_velocities(end);
        if model.damping > 0.0 {
            self.push_of_step(&MOMENTA, end, end, model.pieces.stretches.min(MOST_WORKGROUPS));
            self.push_of_step(&RIGID_MOTION, end, end, model.pieces.pieces.min(MOST_WORKGROUPS));
            self.push_of_step(&DAMP, end, end, vertices);
        }
    }
}
