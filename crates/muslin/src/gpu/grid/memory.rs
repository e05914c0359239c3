//! The memory of a grid on the GPU.

use bytemuck::{Pod, Zeroable};
use glam::Vec4;

use super::Grids;
use super::uniforms::{LevelUniform, LevelUniforms, StepUniform, TailUniform};
use crate::gpu::engine::{Gpu, GpuError, Memory};
use crate::solver::Near;
use crate::solver::multilevel::bounds::tethers::{TETHERS, Tether};
use crate::solver::multilevel::grid::{GridModel, VertexMove};
use crate::solver::multilevel::levels::{COVERED, GridLevel};
use crate::solver::multilevel::seams::stitch::{StitchTerm, StitchedTexel, Stitcher};

/// The buffers of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Buffer {
    /// Uniforms of the passes over levels.
    Levels,
    /// The uniform of the step.
    Steps,
    /// The uniform of the small levels.
    Tail,
    /// Three sets of the finest level's points: where the step begins, velocities (in a step: the prediction), and one to
    /// write; then [`COARSE_SETS`] and [`SPARE_SET`].
    Points(u8),
    Codes,
    Holds,
    Samples,
    /// Two, so that what is handed on twice in a step can wait for it.
    Moves(u8),
    Near,
    HeldNumbers,
    HeldPlaces,
    Stitches,
    StitchedTexels,
    StitchTerms,
    StencilRows,
    Stencils,
    Pulls,
    /// The coarse mesh: a place and a velocity for each vertex.
    Vertices,
    Status,
    /// What rounding took from places: `Rest` of said.wgsl for each texel.
    Rests,
}

/// The sets of points of the coarse levels.
pub(super) const COARSE_SETS: [Buffer; 2] = [Buffer::Points(3), Buffer::Points(4)];

/// A set for the finest level's prediction, if there is measured cloth.
pub(super) const SPARE_SET: Buffer = Buffer::Points(5);

/// How many of [`Buffer::Moves`] there are.
pub(super) const MOVES: u8 = 2;

/// Words of `Status` in grid_step.wgsl.
pub(super) const STATUS_WORDS: usize = 2;

/// The bits of a code that tell odd columns and rows: `ODD_COLUMN` and `ODD_ROW` of level.wgsl.
const ODD: [u32; 2] = [30, 31];

/// A stitch has eight texels, and the gap.
const STITCH_TERMS: usize = 9;

/// No held particle.
const NONE: u32 = u32::MAX;

/// `Hold` of holds.wgsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Hold {
    pub tethers: [Tether; TETHERS],
    pub plane: Vec4,
}

/// Makes and fills all buffers but the points, or says which limit is too small or that memory ran out.
pub(super) fn memory(
    gpu: &Gpu,
    model: &GridModel,
    stitchers: &[Stitcher],
    uniforms: &LevelUniforms,
) -> Result<Memory<Grids>, GpuError> {
    let mut memory = Memory::new(gpu);
    let (point, texels, vertices) = (size_of::<Vec4>(), model.weights.len(), model.projection.rows());
    let coarse: usize = model.levels[1..].iter().map(|level| level.codes.len()).sum();
    let stitches: Vec<[StitchTerm; STITCH_TERMS]> = stitchers.iter().flat_map(stitches).collect();
    let terms = Terms::new(stitchers);
    memory.room_for_uniforms::<LevelUniform>(Buffer::Levels, uniforms.all.len());
    memory.room_for_uniforms::<StepUniform>(Buffer::Steps, 1);
    memory.room_for_uniforms::<TailUniform>(Buffer::Tail, 1);
    uniforms.write(&memory);
    (0..3).try_for_each(|set| memory.room(Buffer::Points(set), point * texels))?;
    COARSE_SETS.into_iter().try_for_each(|set| memory.room(set, point * coarse))?;
    // Only measured cloth needs the prediction up to the end.
    let is_elastic = model.plans[0].springs.is_some();
    memory.room(SPARE_SET, if is_elastic { point * texels } else { 0 })?;
    (0..MOVES).try_for_each(|n| memory.room(Buffer::Moves(n), size_of::<VertexMove>() * vertices))?;
    memory.room(Buffer::Near, size_of::<Near>() * vertices)?;
    memory.room(Buffer::HeldPlaces, point * model.held.len())?;
    memory.room(Buffer::Vertices, 2 * point * vertices)?;
    memory.room(Buffer::Rests, 2 * point * texels)?;
    memory.room(Buffer::Status, size_of::<[u32; STATUS_WORDS]>())?;
    memory.room(Buffer::Pulls, point * stitches.len())?;
    memory.fill(Buffer::Codes, &codes_and_rest(&model.levels))?;
    memory.fill(Buffer::Holds, &holds(model))?;
    memory.fill(Buffer::Samples, &model.lattice.samples)?;
    memory.fill(Buffer::HeldNumbers, &held_numbers(model))?;
    memory.fill(Buffer::Stitches, stitches.as_flattened())?;
    memory.fill(Buffer::StitchedTexels, &terms.texels)?;
    memory.fill(Buffer::StitchTerms, &terms.terms)?;
    memory.fill(Buffer::StencilRows, &model.projection.offsets)?;
    memory.fill(Buffer::Stencils, &model.projection.all)?;
    // Memory that ran out is the first fault, and what it led to is not kept.
    gpu.check()?;
    Ok(memory)
}

/// The terms of a level's stitches, and the gap at rest as the weight of one more: `STITCH_TERMS` of stitch.wgsl.
fn stitches(level: &Stitcher) -> impl Iterator<Item = [StitchTerm; STITCH_TERMS]> + '_ {
    level.stitches.iter().zip(&level.gaps).map(|(terms, &gap)| {
        std::array::from_fn(|i| terms.get(i).copied().unwrap_or(StitchTerm { number: 0, weight: gap }))
    })
}

/// One buffer for all that does not change about texels, since the tail has no binding left: codes, lightness, then
/// (where the rest shape is not the chart) bends of the finest level and lengths, finest level first. See [`RestPlaces`].
fn codes_and_rest(levels: &[GridLevel]) -> Vec<u32> {
    let mut all = codes(levels);
    all.extend(levels.iter().flat_map(|level| &level.lightness).map(|light| light.to_bits()));
    all.extend(levels[0].bends.as_flattened().iter().map(|bend| bend.to_bits()));
    all.extend(levels.iter().flat_map(|level| level.lengths.as_flattened()).map(|length| length.to_bits()));
    all
}

/// Where in the buffer of codes the rest stands.
pub(super) struct RestPlaces {
    pub first_light: u32,
    /// 0 if there are none, as for lengths.
    pub first_bend: u32,
    pub first_length: u32,
}

impl RestPlaces {
    pub fn new(levels: &[GridLevel]) -> Self {
        let first_light = levels.iter().map(|level| level.codes.len()).sum::<usize>() as u32;
        match levels[0].lengths.is_empty() {
            true => Self { first_light, first_bend: 0, first_length: 0 },
            false => {
                let first_bend = 2 * first_light;
                Self { first_light, first_bend, first_length: first_bend + 2 * levels[0].codes.len() as u32 }
            }
        }
    }
}

/// Codes of all levels, finest first, with what saves Gauss-Seidel a division.
fn codes(levels: &[GridLevel]) -> Vec<u32> {
    let of_level = |level: &GridLevel| {
        let columns = level.size[0];
        let with_parity = move |(index, &code): (usize, &u32)| {
            let odd = [index % columns % 2, index / columns % 2].map(|n| n as u32);
            if code & COVERED == 0 { 0 } else { code | odd[0] << ODD[0] | odd[1] << ODD[1] }
        };
        level.codes.iter().enumerate().map(with_parity).collect::<Vec<u32>>()
    };
    levels.iter().flat_map(of_level).collect()
}

/// What bounds each texel's particle, as long as nothing is near.
fn holds(model: &GridModel) -> Vec<Hold> {
    let hold = |texel: usize| Hold {
        tethers: model.tethers.get(texel).copied().unwrap_or([Tether::NONE; TETHERS]),
        plane: Vec4::ZERO,
    };
    (0..model.weights.len()).map(hold).collect()
}

/// Per texel its place among the held ones.
fn held_numbers(model: &GridModel) -> Vec<u32> {
    let mut numbers = vec![NONE; model.weights.len()];
    for (number, held) in model.held.iter().enumerate() {
        numbers[held.texel as usize] = number as u32;
    }
    numbers
}

/// What stands beside the seams of all levels.
struct Terms {
    texels: Vec<StitchedTexel>,
    terms: Vec<StitchTerm>,
}

impl Terms {
    fn new(stitchers: &[Stitcher]) -> Self {
        let mut all = Self { texels: Vec::new(), terms: Vec::new() };
        for stitcher in stitchers {
            let before = all.terms.len() as u32;
            all.texels.extend(stitcher.texels.iter().map(|texel| {
                let mut texel = *texel;
                (texel.first_term, texel.end_term) = (texel.first_term + before, texel.end_term + before);
                texel
            }));
            all.terms.extend(&stitcher.terms);
        }
        all
    }
}
