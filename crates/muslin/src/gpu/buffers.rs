//! The memory of a cloth on the GPU.

use bytemuck::Pod;
use glam::Vec4;

use super::device::{Gpu, GpuError};
use super::kernel::Binding;
use super::model::Model;
use super::uniforms::{LevelUniform, SmallLevel, StepUniform, UniformTable};

/// The counters that a step leaves: `Status` of finish.wgsl.
pub(super) const STATUS_WORDS: usize = 3;

/// The counters before anything happened.
pub(super) const NO_STATUS: [u32; STATUS_WORDS] = [0, 0, u32::MAX];

/// All buffers of a cloth.
pub(super) struct Buffers {
    pub levels: UniformTable,
    pub steps: UniformTable,
    /// Three sets of points: the start of the step, and two that passes write in turn.
    pub points: [wgpu::Buffer; 3],
    /// Velocities, then what rounding took from places, then the ways that a step aims at.
    pub travel: wgpu::Buffer,
    pub status: wgpu::Buffer,
    /// The status before anything happened.
    pub no_status: wgpu::Buffer,
    pub pins: wgpu::Buffer,
    slices: wgpu::Buffer,
    spokes: wgpu::Buffer,
    half_angles: wgpu::Buffer,
    rest: wgpu::Buffer,
    mean_slices: wgpu::Buffer,
    mean_rows: wgpu::Buffer,
    small_levels: wgpu::Buffer,
    interpolations: wgpu::Buffer,
    bending_slices: wgpu::Buffer,
    bending_rows: wgpu::Buffer,
    curved_slices: wgpu::Buffer,
    curved_rows: wgpu::Buffer,
    hinges: wgpu::Buffer,
    hinge_weights: wgpu::Buffer,
    hinge_bends: wgpu::Buffer,
    tethers: wgpu::Buffer,
    lengths: wgpu::Buffer,
    length_slices: wgpu::Buffer,
    length_rows: wgpu::Buffer,
    entry: wgpu::Buffer,
    targets: wgpu::Buffer,
    relative: wgpu::Buffer,
    pieces: wgpu::Buffer,
    sums: wgpu::Buffer,
    motions: wgpu::Buffer,
}

/// How much there is of what is not in the model.
pub(super) struct Room<'a> {
    /// Levels that are worked on in one dispatch.
    pub small_levels: &'a [SmallLevel],
    /// Passes over levels in a step.
    pub passes: usize,
    /// Steps per submission.
    pub steps: usize,
    /// Moving pins times steps per submission.
    pub pin_places: usize,
}

impl Buffers {
    /// Makes and fills all buffers, or says which limit is too small or that memory ran out.
    pub fn new(gpu: &Gpu, model: &Model, room: &Room) -> Result<Self, GpuError> {
        let make = Maker::new(gpu);
        let vertices = model.finest().count as usize;
        let point = size_of::<Vec4>();
        let buffers = Self {
            levels: UniformTable::new::<LevelUniform>(gpu, "levels", room.passes),
            steps: UniformTable::new::<StepUniform>(gpu, "steps", room.steps),
            points: [
                make.filled("points", &model.points)?,
                make.filled("points", &model.points)?,
                make.filled("points", &model.points)?,
            ],
            travel: make.empty("travel", 3 * point * vertices)?,
            status: make.filled("status", &NO_STATUS)?,
            no_status: make.filled("no status", &NO_STATUS)?,
            pins: make.empty("pins", point * room.pin_places)?,
            slices: make.filled("slices", &model.fans.offsets)?,
            spokes: make.filled("spokes", &model.fans.values)?,
            half_angles: make.filled("half angles", &model.half_angles)?,
            rest: make.filled("rest", &model.rest)?,
            mean_slices: make.filled("mean slices", &model.means.offsets)?,
            mean_rows: make.filled("mean rows", &model.means.values)?,
            small_levels: make.filled("small levels", room.small_levels)?,
            interpolations: make.filled("interpolations", &model.interpolations)?,
            bending_slices: make.filled("bending slices", &model.bending.offsets)?,
            bending_rows: make.filled("bending rows", &model.bending.values)?,
            curved_slices: make.filled("curved slices", &model.curved.offsets)?,
            curved_rows: make.filled("curved rows", &model.curved.values)?,
            hinges: make.filled("hinges", &model.hinges)?,
            hinge_weights: make.filled("hinge weights", &model.hinge_weights)?,
            hinge_bends: make.filled("hinge bends", &model.hinge_bends)?,
            tethers: make.filled("tethers", &model.tethers)?,
            lengths: make.filled("lengths", &model.lengths.all)?,
            length_slices: make.filled("length slices", &model.lengths.rows.offsets)?,
            length_rows: make.filled("length rows", &model.lengths.rows.values)?,
            entry: make.empty("entry", point * model.points.len())?,
            targets: make.empty("targets", point * model.hinges.len())?,
            relative: make.empty("relative", point * vertices)?,
            pieces: make.filled("pieces", &model.pieces.words)?,
            sums: make.empty("sums", 8 * point * model.pieces.stretches as usize)?,
            motions: make.empty("motions", 3 * point * model.pieces.pieces as usize)?,
        };
        // Memory that ran out is the first fault, and what it led to is not kept.
        gpu.check()?;
        Ok(buffers)
    }

    /// The buffer that a binding means, when passes read and write these two sets of points.
    pub fn of(&self, binding: Binding, [front, back]: [usize; 2]) -> &wgpu::Buffer {
        match binding {
            Binding::Slices => &self.slices,
            Binding::Spokes => &self.spokes,
            Binding::HalfAngles => &self.half_angles,
            Binding::Rest => &self.rest,
            Binding::MeanSlices => &self.mean_slices,
            Binding::MeanRows => &self.mean_rows,
            Binding::SmallLevels => &self.small_levels,
            Binding::Interpolations => &self.interpolations,
            Binding::BendingSlices => &self.bending_slices,
            Binding::BendingRows => &self.bending_rows,
            Binding::CurvedSlices => &self.curved_slices,
            Binding::CurvedRows => &self.curved_rows,
            Binding::Hinges => &self.hinges,
            Binding::HingeWeights => &self.hinge_weights,
            Binding::HingeBends => &self.hinge_bends,
            Binding::Tethers => &self.tethers,
            Binding::Pins => &self.pins,
            Binding::Lengths => &self.lengths,
            Binding::LengthSlices => &self.length_slices,
            Binding::LengthRows => &self.length_rows,
            Binding::Front => &self.points[front],
            Binding::Back => &self.points[back],
            Binding::Entry { .. } => &self.entry,
            Binding::Targets { .. } => &self.targets,
            Binding::Travel { .. } => &self.travel,
            Binding::Relative { .. } => &self.relative,
            Binding::Pieces => &self.pieces,
            Binding::Sums { .. } => &self.sums,
            Binding::Motions { .. } => &self.motions,
            Binding::Status => &self.status,
        }
    }
}

/// Makes storage buffers.
pub(super) struct Maker<'a> {
    gpu: &'a Gpu,
    /// The name and the value of what bounds the size of a buffer.
    limit: (&'static str, u64),
}

impl<'a> Maker<'a> {
    /// On a GPU, within its limits.
    pub fn new(gpu: &'a Gpu) -> Self {
        let limits = gpu.device.limits();
        let bindable = ("maxStorageBufferBindingSize", limits.max_storage_buffer_binding_size);
        let makeable = ("maxBufferSize", limits.max_buffer_size);
        Self { gpu, limit: if bindable.1 <= makeable.1 { bindable } else { makeable } }
    }

    /// A buffer of at least 16 bytes: what is not used must still be bound.
    pub fn empty(&self, label: &str, bytes: usize) -> Result<wgpu::Buffer, GpuError> {
        self.gpu.need(self.limit.0, bytes as u64, self.limit.1)?;
        Ok(self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes.max(16) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        }))
    }

    /// A buffer of these values.
    pub fn filled<T: Pod>(&self, label: &str, values: &[T]) -> Result<wgpu::Buffer, GpuError> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let buffer = self.empty(label, bytes.len())?;
        self.gpu.queue.write_buffer(&buffer, 0, bytes);
        Ok(buffer)
    }
}
