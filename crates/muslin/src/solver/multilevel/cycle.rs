//! The hierarchical solver ([Schmitt2013] §5.3): from the coarsest level to the finest.
//!
//! Each level starts from the finest level's particles, moved by what the coarser level found, and is relaxed with its
//! own method. Nothing has to be copied down first, and the initial values that differences are taken from are the
//! finest level's own, untouched until its turn comes.

use glam::Vec4;

use super::contact::Contacts;
use super::grid::{GridModel, GridStep};
use super::levels::{Level, parents_of};
use super::options::Relaxation;
use super::relax::{Rule, gauss_seidel, jacobi};
use super::stitch::Stitcher;
use crate::execution::Execution;

/// What is done on a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LevelPlan {
    pub relaxation: Relaxation,
    pub iterations: u32,
    pub rule: Rule,
    /// How many iterations of the finest level undo compression.
    pub compression_passes: u32,
}

impl LevelPlan {
    /// The finest level's iterations: first a few that also undo compression, for these push particles apart that are
    /// stretched elsewhere; the others only limit stretch. (230,000 particles between two pins, 24 iterations: with
    /// compression up to the end single edges stay stretched by 60 %, so by 10 %. And if half of them undid compression,
    /// more iterations would stretch more.)
    pub fn in_two_parts(self, iterations: u32) -> [Self; 2] {
        let first = self.compression_passes.min(iterations / 2);
        let rule = Rule { compression: 0.0, ..self.rule };
        [Self { iterations: first, ..self }, Self { iterations: iterations - first, rule, ..self }]
    }
}

/// Particles of the coarse levels, and room to work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pyramid {
    /// Per level but the finest.
    coarse: Vec<Vec<Vec4>>,
    /// What Jacobi writes.
    back: Vec<Vec4>,
}

impl Pyramid {
    /// Room for these levels, finest first.
    pub fn new(levels: &[Level]) -> Self {
        let coarse = levels[1..].iter().map(|level| vec![Vec4::ZERO; level.codes.len()]).collect();
        Self { coarse, back: Vec::new() }
    }

    /// One pass from the coarsest level to the finest.
    pub fn solve(
        &mut self,
        model: &GridModel,
        stitchers: &mut [Stitcher],
        step: &GridStep,
        finest: &mut Vec<Vec4>,
    ) {
        let execution = step.execution;
        let levels = &model.levels[..];
        for number in (1..levels.len()).rev() {
            let (own, coarser) = self.coarse[number - 1..].split_at_mut(1);
            start(&levels[number..], finest, levels[0].size[0], &mut own[0], coarser.first(), execution);
            let work = Work { level: &levels[number], finest, execution };
            work.relax(&model.plans[number], &mut own[0], &mut self.back, &mut stitchers[number]);
        }
        if let Some(coarser) = self.coarse.first() {
            self.back.resize(finest.len(), Vec4::ZERO);
            start(levels, finest, levels[0].size[0], &mut self.back, Some(coarser), execution);
            std::mem::swap(finest, &mut self.back);
        }
        // The finest level has no anchors.
        let work = Work { level: &levels[0], finest: &[], execution };
        let contacts = Contacts { samples: &model.lattice.samples, planes: step.planes };
        for plan in model.plans[0].in_two_parts(step.iterations) {
            work.relax(&plan, finest, &mut self.back, &mut stitchers[0]);
            contacts.push_out(finest);
        }
    }
}

/// Where the particles of `levels[0]` begin: the finest level's, plus the mean difference of their parents.
fn start(
    levels: &[Level],
    finest: &[Vec4],
    finest_columns: usize,
    points: &mut [Vec4],
    coarser_points: Option<&Vec<Vec4>>,
    execution: Execution,
) {
    let level = &levels[0];
    execution.for_each_chunk(points, |first, chunk| {
        for (offset, out) in chunk.iter_mut().enumerate() {
            let index = first + offset;
            let own = finest[level.finest_texel(index, finest_columns)];
            *out = own;
            let Some(coarser_points) = coarser_points else { continue };
            if own.w == 0.0 {
                continue;
            }
            let coarser = &levels[1];
            let place = [index % level.size[0], index / level.size[0]];
            let (mut sum, mut count) = (Vec4::ZERO, 0.0);
            for parent in parents_of(level.codes[index], place, coarser.size[0]) {
                sum += coarser_points[parent] - finest[coarser.finest_texel(parent, finest_columns)];
                count += 1.0;
            }
            if count > 0.0 {
                *out += (sum / count).with_w(0.0);
            }
        }
    });
}

/// A level to be relaxed.
struct Work<'a> {
    level: &'a Level,
    /// Where anchors are.
    finest: &'a [Vec4],
    execution: Execution,
}

impl Work<'_> {
    /// The iterations of a level, with its seams.
    fn relax(&self, plan: &LevelPlan, points: &mut Vec<Vec4>, back: &mut Vec<Vec4>, stitcher: &mut Stitcher) {
        let Self { level, finest, execution } = *self;
        for _ in 0..plan.iterations {
            match plan.relaxation {
                Relaxation::GaussSeidel => gauss_seidel(level, &plan.rule, points, finest, execution),
                Relaxation::Jacobi => {
                    back.resize(points.len(), Vec4::ZERO);
                    jacobi(level, &plan.rule, points, back, finest, execution);
                    std::mem::swap(points, back);
                }
            }
            stitcher.pass(points);
        }
    }
}
