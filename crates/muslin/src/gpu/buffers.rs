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
    pub velocities: wgpu::Buffer,
    pub status: wgpu::Buffer,
    /// The status before anything happened.
    pub no_status: wgpu::Buffer,
    pub pins: wgpu::Buffer,
    slices: wgpu::Buffer,
    spokes: wgpu::Buffer,
    half_angles: wgpu::Buffer,
    rest: wgpu::Buffer,
    injections: wgpu::Buffer,
    finest_vertices: wgpu::Buffer,
    finer_vertices: wgpu::Buffer,
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
            velocities: make.empty("velocities", point * vertices)?,
            status: make.filled("status", &NO_STATUS)?,
            no_status: make.filled("no status", &NO_STATUS)?,
            pins: make.empty("pins", point * room.pin_places)?,
            slices: make.filled("slices", &model.fans.offsets)?,
            spokes: make.filled("spokes", &model.fans.values)?,
            half_angles: make.filled("half angles", &model.half_angles)?,
            rest: make.filled("rest", &model.rest)?,
            injections: make.filled("injections", &model.injections)?,
            finest_vertices: make.filled("finest vertices", &model.finest_vertices)?,
            finer_vertices: make.filled("finer vertices", &model.finer_vertices)?,
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
            Binding::Injections => &self.injections,
            Binding::FinestVertices => &self.finest_vertices,
            Binding::FinerVertices => &self.finer_vertices,
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
            Binding::Velocities { .. } => &self.velocities,
            Binding::Relative { .. } => &self.relative,
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
