//! The memory of a cloth on the GPU.

use glam::Vec4;

use super::Meshes;
use super::model::Model;
use super::uniforms::{LevelUniform, SmallLevel, StepUniform};
use crate::gpu::engine::{Gpu, GpuError, Memory};

/// Words of `Status` in finish.wgsl.
pub(super) const STATUS_WORDS: usize = 3;

/// The counters before anything happened.
pub(super) const NO_STATUS: [u32; STATUS_WORDS] = [0, 0, u32::MAX];

/// The buffers of a cloth. What is in them that does not change is named as in [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Buffer {
    /// Uniforms of the passes over levels.
    Levels,
    /// Uniforms of the substeps.
    Steps,
    /// Three sets of points: the start of the step, and two that passes write in turn.
    Points(u8),
    Slices,
    Spokes,
    HalfAngles,
    Rest,
    MeanSlices,
    MeanRows,
    SmallLevels,
    Interpolations,
    BendingSlices,
    BendingRows,
    CurvedSlices,
    CurvedRows,
    Hinges,
    HingeWeights,
    HingeBends,
    Tethers,
    Lengths,
    LengthSlices,
    LengthRows,
    Pieces,
    /// Places of pins, substep by substep.
    Pins,
    /// What forces add to velocities in half a substep, then what is added to them once.
    Pushes,
    /// Velocities, then what rounding took from places, then the ways that a step aims at.
    Travel,
    /// The air's velocities.
    Relative,
    /// Bends of hinges that are bent at rest.
    Targets,
    /// Where points of coarse levels began.
    Entered,
    Sums,
    Motions,
    Status,
    NoStatus,
}

/// How much there is of what is not in the model.
pub(super) struct Room<'a> {
    /// Levels that are worked on in one dispatch.
    pub small_levels: &'a [SmallLevel],
    /// Passes over levels in a step.
    pub passes: &'a [LevelUniform],
    /// Steps per submission.
    pub steps: usize,
    /// Pins times steps per submission.
    pub pin_places: usize,
}

/// Makes and fills all buffers, or says which limit is too small or that memory ran out.
pub(super) fn memory(gpu: &Gpu, model: &Model, room: &Room) -> Result<Memory<Meshes>, GpuError> {
    let mut memory = Memory::new(gpu);
    let (vertices, point) = (model.finest().count as usize, size_of::<Vec4>());
    memory.room_for_uniforms::<LevelUniform>(Buffer::Levels, room.passes.len());
    memory.write_uniforms(Buffer::Levels, room.passes);
    // One more, for what is added to velocities before the first.
    memory.room_for_uniforms::<StepUniform>(Buffer::Steps, room.steps + 1);
    for set in (0..3).map(Buffer::Points) {
        // A renderer may draw from it.
        memory.room_for(set, size_of_val(model.points.as_slice()), wgpu::BufferUsages::VERTEX)?;
        memory.write(set, &model.points);
    }
    memory.fill(Buffer::Slices, &model.fans.offsets)?;
    memory.fill(Buffer::Spokes, &model.fans.values)?;
    memory.fill(Buffer::HalfAngles, &model.half_angles)?;
    memory.fill(Buffer::Rest, &model.rest)?;
    memory.fill(Buffer::MeanSlices, &model.means.offsets)?;
    memory.fill(Buffer::MeanRows, &model.means.values)?;
    memory.fill(Buffer::SmallLevels, room.small_levels)?;
    memory.fill(Buffer::Interpolations, &model.interpolations)?;
    memory.fill(Buffer::BendingSlices, &model.bending.offsets)?;
    memory.fill(Buffer::BendingRows, &model.bending.values)?;
    memory.fill(Buffer::CurvedSlices, &model.curved.offsets)?;
    memory.fill(Buffer::CurvedRows, &model.curved.values)?;
    memory.fill(Buffer::Hinges, &model.hinges)?;
    memory.fill(Buffer::HingeWeights, &model.hinge_weights)?;
    memory.fill(Buffer::HingeBends, &model.hinge_bends)?;
    memory.fill(Buffer::Tethers, &model.tethers)?;
    memory.fill(Buffer::Lengths, &model.lengths.all)?;
    memory.fill(Buffer::LengthSlices, &model.lengths.rows.offsets)?;
    memory.fill(Buffer::LengthRows, &model.lengths.rows.values)?;
    memory.fill(Buffer::Pieces, &model.pieces.words)?;
    memory.room(Buffer::Pins, point * room.pin_places)?;
    memory.room(Buffer::Pushes, 2 * point * vertices)?;
    memory.room(Buffer::Travel, 3 * point * vertices)?;
    memory.room(Buffer::Relative, point * vertices)?;
    memory.room(Buffer::Targets, point * model.hinges.len())?;
    memory.room(Buffer::Entered, point * model.points.len())?;
    memory.room(Buffer::Sums, 8 * point * model.pieces.stretches as usize)?;
    memory.room(Buffer::Motions, 3 * point * model.pieces.pieces as usize)?;
    memory.fill(Buffer::Status, &NO_STATUS)?;
    memory.fill(Buffer::NoStatus, &NO_STATUS)?;
    // Memory that ran out is the first fault, and what it led to is not kept.
    gpu.check()?;
    Ok(memory)
}
