//! The kernels of grids.

use super::Grids;
use super::memory::Buffer::*;
use super::uniforms::MOST_TAIL_LEVELS;
use crate::gpu::engine::Binding::{Read, ReadTurn, Write, WriteTurn};
use crate::gpu::engine::{Entry, WORKGROUP, kernels};
use crate::solver::multilevel::constraints::relax::SHARES;

/// The most texels that a level of [`TAIL`] may have: 16 KiB of workgroup memory, which every device has.
pub(super) const TAIL_TEXELS: u32 = 1024;

/// Columns and rows that a workgroup of [`JACOBI`] has in its memory: a tile and a margin around it, which is as
/// wide as there are iterations at once.
pub(super) const WINDOW: u32 = 16;

/// What stands before every kernel.
pub(super) fn constants(limits: &wgpu::Limits) -> String {
    // As many threads for the tail as a set of a level may have edges, if it can be.
    let most = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    let threads = most.min(TAIL_TEXELS / 2);
    let [thread_share, _, diagonal_share] = SHARES;
    format!(
        "const THREADS = {threads}u;\nconst SLOTS = {}u;\nconst TEXELS = {TAIL_TEXELS}u;\n\
         const MOST_LEVELS = {MOST_TAIL_LEVELS}u;\nconst WINDOW = {WINDOW}u;\nconst WORKGROUP = {WORKGROUP}u;\n\
         const THREAD_SHARE = {thread_share:?};\nconst DIAGONAL_SHARE = {diagonal_share:?};\n",
        TAIL_TEXELS.div_ceil(threads),
    )
}

const STEP: &str = include_str!("shaders/grid_step.wgsl");
const LOST: &str = include_str!("../engine/shaders/lost.wgsl");
const SAID: &str = include_str!("shaders/predict/said.wgsl");
const SAMPLED: &str = include_str!("shaders/predict/sampled.wgsl");
const ROUNDED: &str = include_str!("shaders/constraints/rounded.wgsl");
const HOLDS: &str = include_str!("shaders/bounds/holds.wgsl");
const LEVEL: &str = include_str!("shaders/levels/level.wgsl");
/// For kernels that work on one level.
const ONE_LEVEL: &str =
    concat!(include_str!("shaders/levels/level.wgsl"), include_str!("shaders/levels/one_level.wgsl"));
/// What keeps particles where they may be.
const HOLDING: &str =
    concat!(include_str!("shaders/bounds/holds.wgsl"), include_str!("shaders/bounds/holding.wgsl"));
const LENGTHS: &str = concat!(
    include_str!("shaders/constraints/rounded.wgsl"),
    include_str!("shaders/constraints/rest_lengths.wgsl")
);
const RULE: &str = include_str!("shaders/constraints/rule.wgsl");
const NEIGHBOUR: &str = include_str!("shaders/constraints/neighbour.wgsl");
const AVERAGE: &str = include_str!("shaders/constraints/average.wgsl");
const SPRING: &str = include_str!("shaders/constraints/spring.wgsl");
const SWEEP: &str = include_str!("shaders/constraints/sweep.wgsl");
const TAIL_SWEEP: &str = include_str!("shaders/levels/tail_sweep.wgsl");
const PARENTS: &str = include_str!("shaders/levels/parents.wgsl");
const STITCH: &str = include_str!("shaders/seams/stitch.wgsl");
const PULL: &str = include_str!("shaders/seams/pull.wgsl");
const MOVE: &str = include_str!("shaders/seams/move.wgsl");

/// One thread for each of the finest level's texels, …
const TEXELS: Entry = Entry::Each("step.texels");
/// … for each of those that are covered, …
const COVERED: Entry = Entry::Each("step.samples");
/// … or for each of a level's.
const OF_LEVEL: Entry = Entry::Each("level.count");

kernels! { Grids:
    SAMPLE "predict/sample", COVERED, Steps, [STEP, SAID, SAMPLED],
        [Read(Samples), ReadTurn(2), WriteTurn(0), WriteTurn(1), Write(Rests)],
        |work| 128 * work.items;
    INTEGRATE "predict/integrate", TEXELS, Steps, [STEP, SAID],
        [Read(Codes), Read(HeldNumbers), Read(HeldPlaces), ReadTurn(0), ReadTurn(1), WriteTurn(2), Write(Status),
            Write(Rests)],
        |work| 116 * work.texels;
    BEND_THREADS "predict/bend_threads", TEXELS, Steps, [STEP, ROUNDED],
        [Read(Codes), ReadTurn(0), WriteTurn(1)],
        |work| 36 * work.texels;
    TAIL "levels/tail", Entry::Own(1), Tail,
        [LEVEL, RULE, LENGTHS, HOLDING, NEIGHBOUR, AVERAGE, SPRING, SWEEP, PARENTS, STITCH, PULL, MOVE, TAIL_SWEEP],
        [Read(Codes), Read(Holds), ReadTurn(0), WriteTurn(1), Read(Stitches), Read(StitchedTexels), Read(StitchTerms),
            Write(Pulls)],
        |work| 20 * work.small + 16 * work.texels;
    START "levels/start", OF_LEVEL, Levels, [ONE_LEVEL, HOLDING, PARENTS],
        [Read(Codes), ReadTurn(0), Read(Holds), ReadTurn(1), WriteTurn(2)],
        |work| 72 * work.texels;
    JACOBI "levels/jacobi", Entry::Own(1), Levels, [ONE_LEVEL, RULE, LENGTHS, HOLDING, NEIGHBOUR, AVERAGE],
        [Read(Codes), Read(Holds), ReadTurn(0), ReadTurn(1), WriteTurn(2)],
        |work| 36 * work.texels;
    // Half of the particles are in edges of a set, up to all.
    GAUSS_SEIDEL "levels/gauss_seidel", OF_LEVEL, Levels, [ONE_LEVEL, RULE, LENGTHS, HOLDING, SWEEP],
        [Read(Codes), Read(Holds), ReadTurn(0), WriteTurn(1)],
        |work| 36 * work.texels;
    ELASTIC "levels/elastic", OF_LEVEL, Levels, [ONE_LEVEL, LENGTHS, HOLDING, NEIGHBOUR, SPRING],
        [Read(Codes), Read(Holds), ReadTurn(0), ReadTurn(1), WriteTurn(2)],
        |work| 52 * work.texels;
    CONTACT "bounds/contact", COVERED, Steps, [STEP, HOLDS, SAMPLED],
        [Read(Samples), Read(Near), ReadTurn(0), WriteTurn(1), Write(Holds)],
        |work| 96 * work.items;
    STITCH_PULL "seams/stitch_pull", Entry::Each("level.stitches"), Levels, [ONE_LEVEL, ROUNDED, STITCH, PULL],
        [Read(Stitches), ReadTurn(0), ReadTurn(1), Write(Pulls)],
        |work| 272 * work.stitches;
    STITCH_MOVE "seams/stitch_move", Entry::Each("level.stitched"), Levels, [ONE_LEVEL, STITCH, MOVE],
        [Read(StitchedTexels), Read(StitchTerms), Read(Pulls), WriteTurn(0)],
        |work| 128 * work.stitches;
    FINISH_AND_MEASURE "conclude/finish_and_measure", Entry::Own(WORKGROUP), Steps, [STEP, LOST, SAID],
        [Read(Codes), ReadTurn(0), WriteTurn(1), Write(Status), WriteTurn(2), Write(Rests)],
        |work| 68 * work.texels;
    PROJECT "conclude/project", Entry::Each("step.vertices"), Steps, [STEP],
        [Read(StencilRows), Read(Stencils), ReadTurn(0), ReadTurn(1), Write(Vertices)],
        |work| 172 * work.stencils;
}
