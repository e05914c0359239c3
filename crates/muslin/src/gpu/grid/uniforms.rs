//! The uniforms of a grid's kernels, as Rust sees them. A test compares every offset with the shaders'.

use bytemuck::{Pod, Zeroable};

use super::Grids;
use super::kernels::TAIL_TEXELS;
use super::memory::{Buffer, RestPlaces};
use crate::gpu::engine::Memory;
use crate::solver::Order;
use crate::solver::multilevel::cycle::LevelPlan;
use crate::solver::multilevel::grid::{GridModel, GridStep};
use crate::solver::multilevel::seams::stitch::Stitcher;

/// The most levels that one dispatch works on: from 1,024 texels in a row down to one there are not more.
pub(super) const MOST_TAIL_LEVELS: usize = 12;

/// What may bound particles: `TETHERS` and `PLANES` of level.wgsl.
pub(super) const HOLDS_TETHERS: u32 = 1;
pub(super) const HOLDS_PLANES: u32 = 2;

/// The eight sets of a Gauss-Seidel iteration: direction and half.
const SETS: [[u32; 2]; 8] = [[0, 0], [0, 1], [1, 0], [1, 1], [4, 0], [4, 1], [5, 0], [5, 1]];

/// `Level` of level.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LevelUniform {
    pub columns: u32,
    pub count: u32,
    pub first_code: u32,
    pub first_point: u32,
    pub stride: u32,
    pub finest_columns: u32,
    pub coarser_columns: u32,
    pub first_coarser_point: u32,
    pub holds: u32,
    pub direction: u32,
    pub half: u32,
    pub gauss_seidel: u32,
    pub iterations: u32,
    pub first_stitch: u32,
    pub stitches: u32,
    pub first_stitched: u32,
    pub stitched: u32,
    pub spacing: f32,
    pub stretch_weft: f32,
    pub stretch_warp: f32,
    pub stretch_diagonal: f32,
    pub compression: f32,
    pub slack: f32,
    pub over_relaxation: f32,
    pub elastic_iterations: u32,
    pub spring_weft: f32,
    pub spring_warp: f32,
    pub spring_diagonal: f32,
    pub first_light: u32,
    pub first_length: u32,
    pub padding: [u32; 2],
}

/// `Tail` of tail.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct TailUniform {
    pub count: u32,
    pub padding: [u32; 3],
    pub levels: [LevelUniform; MOST_TAIL_LEVELS],
}

/// `Step` of grid_step.wgsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct StepUniform {
    pub fall: [f32; 3],
    pub dt: f32,
    pub smoothing: f32,
    pub farthest: f32,
    pub bounds: f32,
    pub bend_weft: f32,
    pub bend_warp: f32,
    pub columns: u32,
    pub texels: u32,
    pub samples: u32,
    pub held: u32,
    pub vertices: u32,
    pub zero: u32,
    pub first_bend: u32,
}

impl StepUniform {
    /// What stays the same.
    pub fn of_model(model: &GridModel) -> Self {
        Self {
            columns: model.lattice.size[0] as u32,
            texels: model.weights.len() as u32,
            samples: model.lattice.samples.len() as u32,
            vertices: model.projection.rows() as u32,
            first_bend: RestPlaces::new(&model.levels).first_bend,
            ..Self::default()
        }
    }

    /// With what a step is told.
    pub fn new(model: &GridModel, step: &GridStep) -> Self {
        Self {
            fall: step.fall.to_array(),
            dt: step.dt,
            smoothing: step.smoothing,
            farthest: step.farthest,
            bounds: step.bounds,
            bend_weft: step.bending[0],
            bend_warp: step.bending[1],
            held: model.held.len().min(step.held.len()) as u32,
            ..Self::of_model(model)
        }
    }
}

/// The uniforms of all passes over levels: the finest level's first and second half of iterations, then the coarser
/// ones; of each one for the whole level, then eight variants: the n-th for the n-th set of edges of Gauss-Seidel, or for
/// n Jacobi iterations at once.
pub(super) struct LevelUniforms {
    pub all: Vec<LevelUniform>,
    pub tail: TailUniform,
}

impl LevelUniforms {
    /// For steps of `dt` seconds, with something near or not.
    pub fn new(model: &GridModel, stitchers: &[Stitcher], dt: f32, is_near: bool) -> Self {
        let mut levels = level_uniforms(model, stitchers);
        if is_near {
            levels.iter_mut().for_each(|level| level.holds |= HOLDS_PLANES);
        }
        let [first, second] = model.plans[0].in_two_parts(0);
        let mut passes = vec![with_plan(levels[0], &first, dt), with_plan(levels[0], &second, dt)];
        let coarse = levels[1..].iter().zip(&model.plans[1..]);
        passes.extend(coarse.map(|(level, plan)| with_plan(*level, plan, dt)));
        let variants = |pass: &LevelUniform| {
            let pass = *pass;
            let variant = move |(number, [direction, half]): (usize, [u32; 2])| LevelUniform {
                direction,
                half,
                iterations: number as u32 + 1,
                ..pass
            };
            std::iter::once(pass).chain(SETS.into_iter().enumerate().map(variant))
        };
        let mut tail = TailUniform::default();
        let is_small = |pass: &&LevelUniform| pass.count <= TAIL_TEXELS;
        for pass in passes[2..].iter().rev().take_while(is_small).take(MOST_TAIL_LEVELS) {
            tail.levels[tail.count as usize] = *pass;
            tail.count += 1;
        }
        Self { all: passes.iter().flat_map(variants).collect(), tail }
    }

    pub fn write(&self, memory: &Memory<Grids>) {
        memory.write_uniforms(Buffer::Levels, &self.all);
        memory.write_uniforms(Buffer::Tail, &[self.tail]);
    }
}

/// The number of the uniform for a whole level; its variants follow. `limits` is whether the finest level's
/// iterations only limit stretch by now.
pub(super) fn pass_number(level: usize, limits: bool) -> usize {
    (1 + SETS.len()) * if level == 0 { usize::from(limits) } else { level + 1 }
}

/// What levels are, without what is done on them.
fn level_uniforms(model: &GridModel, stitchers: &[Stitcher]) -> Vec<LevelUniform> {
    let mut all: Vec<LevelUniform> = Vec::new();
    let RestPlaces { first_light, first_length, .. } = RestPlaces::new(&model.levels);
    let mut next = LevelUniform { first_light, first_length, ..LevelUniform::default() };
    for (number, (level, stitcher)) in model.levels.iter().zip(stitchers).enumerate() {
        let uniform = LevelUniform {
            columns: level.size[0] as u32,
            count: level.codes.len() as u32,
            stride: level.stride as u32,
            finest_columns: model.levels[0].size[0] as u32,
            holds: if model.tethers.is_empty() { 0 } else { HOLDS_TETHERS },
            stitches: stitcher.stitches.len() as u32,
            stitched: stitcher.texels.len() as u32,
            ..next
        };
        all.push(uniform);
        next.first_code += uniform.count;
        next.first_light += uniform.count;
        next.first_length += if first_length > 0 { 4 * uniform.count } else { 0 };
        // The finest level has sets of its own, the coarse ones share theirs.
        next.first_point += if number == 0 { 0 } else { uniform.count };
        next.first_stitch += uniform.stitches;
        next.first_stitched += uniform.stitched;
    }
    for number in 1..all.len() {
        let coarser = all[number];
        all[number - 1].coarser_columns = coarser.columns;
        all[number - 1].first_coarser_point = coarser.first_point;
    }
    all
}

fn with_plan(level: LevelUniform, plan: &LevelPlan, dt: f32) -> LevelUniform {
    let rule = &plan.rule;
    let springs = plan.spring_rates(dt);
    let elastic = if plan.springs.is_some() { plan.coarse_parts()[0].iterations } else { 0 };
    LevelUniform {
        gauss_seidel: u32::from(plan.relaxation == Order::GaussSeidel),
        iterations: plan.iterations,
        spacing: rule.spacing,
        stretch_weft: rule.stretch[0],
        stretch_warp: rule.stretch[1],
        stretch_diagonal: rule.stretch[2],
        compression: rule.compression,
        slack: rule.slack,
        over_relaxation: rule.over_relaxation,
        elastic_iterations: elastic,
        spring_weft: springs[0],
        spring_warp: springs[1],
        spring_diagonal: springs[2],
        ..level
    }
}
