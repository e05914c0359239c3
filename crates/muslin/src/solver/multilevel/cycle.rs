//! The hierarchical solver ([Schmitt2013] §5.3): from the coarsest level to the finest.
//!
//! Each level starts from the finest level's particles, moved by what the coarser level found, and is relaxed with its
//! own method. Nothing has to be copied down first, and the initial values that differences are taken from are the
//! finest level's own, untouched until its turn comes.

use glam::Vec4;

use super::bounds::contact::{push_out, sampled_near};
use super::bounds::holding::Holding;
use super::constraints::elastic::elastic;
use super::constraints::relax::{Rule, gauss_seidel, jacobi};
use super::grid::{GridModel, GridStep};
use super::levels::{GridLevel, parents_of};
use super::seams::stitch::Stitcher;
use crate::execution::Execution;
use crate::solver::{Near, Order};

/// What is done on a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LevelPlan {
    pub relaxation: Order,
    pub iterations: u32,
    pub rule: Rule,
    /// How many iterations of the finest level undo compression.
    pub compression_passes: u32,
    /// Springs of measured cloth, k/m in 1/s²; the rule then only limits its strain.
    pub springs: Option<[f64; 3]>,
}

impl LevelPlan {
    /// k Δt²/m of the springs for a step of `dt` seconds; zero without springs.
    pub fn spring_rates(&self, dt: f32) -> [f32; 3] {
        let dt_sq = f64::from(dt) * f64::from(dt);
        self.springs.unwrap_or_default().map(|rate| (rate * dt_sq) as f32)
    }

    /// A coarse level's iterations: of measured cloth elastic ones, with a few at the end that limit the strain.
    pub fn coarse_parts(self) -> [Self; 2] {
        match self.springs {
            Some(_) => self.in_two_parts(self.iterations),
            None => [self, Self { iterations: 0, ..self }],
        }
    }

    /// The finest level's iterations: first a few that also undo compression, for these push particles apart that are
    /// stretched elsewhere; the others only limit stretch. (230,000 particles between two pins, 24 iterations: with
    /// compression up to the end single edges stay stretched by 60 %, so by 10 %. And if half of them undid compression,
    /// more iterations would stretch more.)
    pub fn in_two_parts(self, iterations: u32) -> [Self; 2] {
        let rule = Rule { compression: 0.0, ..self.rule };
        if self.springs.is_some() {
            // Measured cloth is elastic all the way, and limited a little at the end.
            let limiting = iterations.div_ceil(4);
            return [
                Self { iterations: iterations - limiting, ..self },
                Self { iterations: limiting, springs: None, rule, ..self },
            ];
        }
        let first = self.compression_passes.min(iterations / 2);
        [
            Self { iterations: first, ..self },
            Self { iterations: iterations - first, rule, springs: None, ..self },
        ]
    }
}

/// Particles of the coarse levels, and room to work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pyramid {
    /// Per level but the finest.
    coarse: Vec<Vec<Vec4>>,
    /// What Jacobi writes.
    back: Vec<Vec4>,
    /// The finest level before it is relaxed.
    prediction: Vec<Vec4>,
    /// What is near each particle of the finest level; empty if nothing is.
    near: Vec<Near>,
}

impl Pyramid {
    /// Room for these levels, finest first.
    pub fn new(levels: &[GridLevel]) -> Self {
        let coarse = levels[1..].iter().map(|level| vec![Vec4::ZERO; level.codes.len()]).collect();
        Self { coarse, ..Self::default() }
    }

    /// One pass from the coarsest level to the finest; `previous` is where its particles were when the step began.
    pub fn solve(
        &mut self,
        model: &GridModel,
        stitchers: &mut [Stitcher],
        step: &GridStep,
        previous: &[Vec4],
        finest: &mut Vec<Vec4>,
    ) {
        let (execution, levels) = (step.execution, &model.levels[..]);
        let (tethers, columns) = (&model.tethers[..], levels[0].size[0]);
        sampled_near(&model.lattice, step.near, previous, &mut self.near);
        push_out(&self.near, previous, finest, execution);
        for number in (1..levels.len()).rev() {
            let (own, coarser) = self.coarse[number - 1..].split_at_mut(1);
            let holding = Holding { tethers, near: &self.near, finest, columns };
            start(model, number, holding, &mut own[0], coarser.first(), execution);
            let work = Work { level: &levels[number], holding, step };
            stitchers[number].begin(&levels[number], finest, columns);
            for plan in model.plans[number].coarse_parts() {
                work.relax(&plan, &mut own[0], &mut self.back, &mut stitchers[number]);
            }
        }
        let is_elastic = model.plans[0].springs.is_some();
        let holding = Holding { tethers, near: &self.near, finest, columns };
        if levels.len() > 1 || is_elastic || !holding.is_empty() {
            self.back.resize(finest.len(), Vec4::ZERO);
            start(model, 0, holding, &mut self.back, self.coarse.first(), execution);
            std::mem::swap(finest, &mut self.back);
        }
        // Passes of measured cloth need the prediction up to the end.
        if is_elastic {
            self.prediction.clone_from(&self.back);
        }
        // What holds has acted where the level began; passes over it are short of time.
        let holding = Holding { tethers: &[], near: &[], finest: &self.prediction, columns };
        let work = Work { level: &levels[0], holding, step };
        for plan in model.plans[0].in_two_parts(step.iterations) {
            work.relax(&plan, finest, &mut self.back, &mut stitchers[0]);
            push_out(&self.near, previous, finest, execution);
        }
    }
}

/// Where the particles of a level begin: the finest level's, plus the mean difference of their parents, as far as
/// tethers and planes let them.
fn start(
    model: &GridModel,
    number: usize,
    holding: Holding,
    points: &mut [Vec4],
    coarser_points: Option<&Vec<Vec4>>,
    execution: Execution,
) {
    let (levels, rule) = (&model.levels[number..], &model.plans[number].rule);
    let (level, finest, finest_columns) = (&levels[0], holding.finest, holding.columns);
    execution.for_each_chunk(points, |first, chunk| {
        for (offset, out) in chunk.iter_mut().enumerate() {
            let index = first + offset;
            let texel = level.finest_texel(index, finest_columns);
            let own = finest[texel];
            *out = own;
            if own.w == 0.0 {
                continue;
            }
            out.w = own.w * level.lightness[index];
            let (mut sum, mut count) = (Vec4::ZERO, 0.0);
            if let (Some(coarser_points), Some(coarser)) = (coarser_points, levels.get(1)) {
                let place = [index % level.size[0], index / level.size[0]];
                for parent in parents_of(level.codes[index], place, coarser.size[0]) {
                    sum += coarser_points[parent] - finest[coarser.finest_texel(parent, finest_columns)];
                    count += 1.0;
                }
            }
            if count > 0.0 {
                *out += (sum / count).with_w(0.0);
            }
            *out = holding.held(texel, *out, rule);
        }
    });
}

/// A level to be relaxed.
struct Work<'a> {
    level: &'a GridLevel,
    /// With the finest level's particles as they were before it is relaxed.
    holding: Holding<'a>,
    step: &'a GridStep<'a>,
}

impl Work<'_> {
    /// The iterations of a level, with its seams.
    fn relax(&self, plan: &LevelPlan, points: &mut Vec<Vec4>, back: &mut Vec<Vec4>, stitcher: &mut Stitcher) {
        let Self { level, holding, step } = *self;
        let execution = step.execution;
        for _ in 0..plan.iterations {
            match plan.relaxation {
                _ if plan.springs.is_some() => {
                    back.resize(points.len(), Vec4::ZERO);
                    let springs = (plan.spring_rates(step.dt), &plan.rule);
                    elastic(level, springs, points, back, holding, execution);
                    std::mem::swap(points, back);
                }
                Order::GaussSeidel => gauss_seidel(level, &plan.rule, points, holding, execution),
                Order::Jacobi => {
                    back.resize(points.len(), Vec4::ZERO);
                    jacobi(level, &plan.rule, points, back, holding, execution);
                    std::mem::swap(points, back);
                }
            }
            stitcher.pass(points);
        }
    }
}
