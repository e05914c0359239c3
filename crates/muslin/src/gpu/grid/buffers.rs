//! The memory of a grid on the GPU.

use bytemuck::{Pod, Zeroable};
use glam::Vec4;

use super::kernel::{Binding, Uniform};
use super::uniforms::{LevelUniform, LevelUniforms, StepUniform, TailUniform};
use crate::gpu::buffers::Maker;
use crate::gpu::device::{Gpu, GpuError};
use crate::gpu::uniforms::UniformTable;
use crate::solver::Near;
use crate::solver::multilevel::grid::{GridModel, VertexMove};
use crate::solver::multilevel::lattice::{Sample, Stencil};
use crate::solver::multilevel::levels::{COVERED, GridLevel};
use crate::solver::multilevel::stitch::{StitchTerm, StitchedTexel, Stitcher};
use crate::solver::multilevel::tethers::{TETHERS, Tether};

/// The sets of points of the coarse levels; they come after three of the finest: where the step begins, velocities
/// (in a step: the prediction), and one to write.
pub(super) const COARSE_SETS: [u8; 2] = [3, 4];

/// A set for the finest level's prediction, if there is measured cloth.
pub(super) const SPARE_SET: u8 = 5;

/// Words of `Status` in finish.wgsl.
pub(super) const STATUS_WORDS: usize = 2;

/// The bits of a code that tell odd columns and rows: `ODD_COLUMN` and `ODD_ROW` of level.wgsl.
const ODD: [u32; 2] = [30, 31];

/// A stitch has eight texels, and the gap.
const STITCH_TERMS: usize = 9;

/// No held particle.
const NONE: u32 = u32::MAX;

/// All buffers of a grid.
pub(super) struct Buffers {
    pub levels: UniformTable,
    pub steps: UniformTable,
    pub tail: UniformTable,
    /// See [`COARSE_SETS`].
    pub points: [wgpu::Buffer; 6],
    /// Two, so that what is handed on twice in a step can wait for it.
    pub moves: [wgpu::Buffer; 2],
    pub near: wgpu::Buffer,
    pub held_places: wgpu::Buffer,
    pub vertices: wgpu::Buffer,
    pub status: wgpu::Buffer,
    /// Two vectors for each texel: `Rest` of said.wgsl.
    pub rests: wgpu::Buffer,
    codes: wgpu::Buffer,
    holds: wgpu::Buffer,
    samples: wgpu::Buffer,
    held_numbers: wgpu::Buffer,
    stitches: wgpu::Buffer,
    stitched_texels: wgpu::Buffer,
    stitch_terms: wgpu::Buffer,
    stencil_rows: wgpu::Buffer,
    stencils: wgpu::Buffer,
    pulls: wgpu::Buffer,
}

/// `Hold` of holds.wgsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Hold {
    pub tethers: [Tether; TETHERS],
    pub plane: Vec4,
}

/// `Sample` of sample.wgsl.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct PackedSample {
    texel: u32,
    vertices: [u32; 3],
    weights: [f32; 3],
    padding: u32,
}

/// `Stencil` of project.wgsl.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PackedStencil {
    pub texel: u32,
    pub fraction_column: f32,
    pub fraction_row: f32,
    pub lift: f32,
}

impl Buffers {
    /// Makes and fills all buffers but the points, or says which limit is too small or that memory ran out.
    pub fn new(
        gpu: &Gpu,
        model: &GridModel,
        stitchers: &[Stitcher],
        uniforms: &LevelUniforms,
    ) -> Result<Self, GpuError> {
        let make = Maker::new(gpu);
        let point = size_of::<Vec4>();
        let coarse: usize = model.levels[1..].iter().map(|level| level.codes.len()).sum();
        let finest = || make.empty("points", point * model.weights.len());
        // Only measured cloth needs the prediction up to the end.
        let is_elastic = model.plans[0].springs.is_some();
        let spare = || if is_elastic { finest() } else { make.empty("no points", 0) };
        let coarse = || make.empty("coarse points", point * coarse);
        let stitches: Vec<[StitchTerm; STITCH_TERMS]> = stitchers.iter().flat_map(stitches).collect();
        let terms = Terms::new(stitchers);
        let vertices = model.projection.rows();
        let moves = || make.empty("moves", size_of::<VertexMove>() * vertices);
        let buffers = Self {
            levels: UniformTable::new::<LevelUniform>(gpu, "levels", uniforms.all.len()),
            steps: UniformTable::new::<StepUniform>(gpu, "step", 1),
            tail: UniformTable::new::<TailUniform>(gpu, "tail", 1),
            points: [finest()?, finest()?, finest()?, coarse()?, coarse()?, spare()?],
            near: make.empty("near", size_of::<Near>() * vertices)?,
            moves: [moves()?, moves()?],
            held_places: make.empty("held places", point * model.held.len())?,
            vertices: make.empty("vertices", 2 * point * vertices)?,
            rests: make.empty("rests", 2 * point * model.weights.len())?,
            status: make.empty("status", size_of::<[u32; STATUS_WORDS]>())?,
            codes: make.filled("codes", &codes_and_rest(&model.levels))?,
            holds: make.filled("holds", &holds(model))?,
            samples: make.filled("samples", &samples(model))?,
            held_numbers: make.filled("held numbers", &held_numbers(model))?,
            stitches: make.filled("stitches", stitches.as_flattened())?,
            stitched_texels: make.filled("stitched texels", &terms.texels)?,
            stitch_terms: make.filled("stitch terms", &terms.terms)?,
            stencil_rows: make.filled("stencil rows", &model.projection.offsets)?,
            stencils: make.filled("stencils", &stencils(model))?,
            pulls: make.empty("pulls", point * stitches.len())?,
        };
        buffers.levels.write(gpu, &uniforms.all);
        buffers.tail.write(gpu, &[uniforms.tail]);
        // Memory that ran out is the first fault, and what it led to is not kept.
        gpu.check()?;
        Ok(buffers)
    }

    /// The uniforms that a kernel chooses from.
    pub fn uniforms(&self, uniform: Uniform) -> &UniformTable {
        match uniform {
            Uniform::Step => &self.steps,
            Uniform::Level => &self.levels,
            Uniform::Tail => &self.tail,
        }
    }

    /// The buffer that a binding means, when a dispatch names these sets of points.
    pub fn of(&self, binding: Binding, points: [u8; 3]) -> &wgpu::Buffer {
        match binding {
            Binding::Codes => &self.codes,
            Binding::Holds { .. } => &self.holds,
            Binding::Samples => &self.samples,
            Binding::Moves => &self.moves[usize::from(points[2])],
            Binding::Near => &self.near,
            Binding::HeldNumbers => &self.held_numbers,
            Binding::HeldPlaces => &self.held_places,
            Binding::Stitches => &self.stitches,
            Binding::StitchedTexels => &self.stitched_texels,
            Binding::StitchTerms => &self.stitch_terms,
            Binding::StencilRows => &self.stencil_rows,
            Binding::Stencils => &self.stencils,
            Binding::Points { place, .. } => &self.points[usize::from(points[place])],
            Binding::Pulls { .. } => &self.pulls,
            Binding::Vertices => &self.vertices,
            Binding::Status => &self.status,
            Binding::Rests => &self.rests,
        }
    }
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

fn samples(model: &GridModel) -> Vec<PackedSample> {
    let packed = |sample: &Sample| PackedSample {
        texel: sample.texel,
        vertices: sample.vertices,
        weights: sample.weights,
        padding: 0,
    };
    model.lattice.samples.iter().map(packed).collect()
}

/// What bounds each texel's particle, as long as nothing is near.
fn holds(model: &GridModel) -> Vec<Hold> {
    let hold = |texel: usize| Hold {
        tethers: model.tethers.get(texel).copied().unwrap_or([Tether::NONE; TETHERS]),
        plane: Vec4::ZERO,
    };
    (0..model.weights.len()).map(hold).collect()
}

fn stencils(model: &GridModel) -> Vec<PackedStencil> {
    let packed = |stencil: &Stencil| PackedStencil {
        texel: stencil.texel,
        fraction_column: stencil.fractions[0],
        fraction_row: stencil.fractions[1],
        lift: stencil.lift,
    };
    model.projection.all.iter().map(packed).collect()
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
