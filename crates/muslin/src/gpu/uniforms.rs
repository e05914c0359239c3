//! The uniforms of the kernels, as Rust sees them. A test compares every offset with the shaders'.

use bytemuck::{Pod, Zeroable};

use super::device::Gpu;

/// `Level` of level.wgsl: one pass over a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LevelUniform {
    pub first: u32,
    pub count: u32,
    pub only_stretched: u32,
    pub padding: u32,
    pub alpha: f32,
    pub beta: f32,
    pub coarse_in_back: u32,
    pub tethers: u32,
}

/// `SmallLevel` of tail.wgsl: a level that fits into one workgroup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct SmallLevel {
    pub first: u32,
    pub count: u32,
    pub offset: u32,
    pub only_stretched: u32,
    pub beta: f32,
    pub down: u32,
    pub up: u32,
    pub padding: u32,
}

/// `Step` of step.wgsl: what changes from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct StepUniform {
    pub gained: [f32; 3],
    pub dt: f32,
    pub air_velocity: [f32; 3],
    pub gust_speed: f32,
    pub gust_phase: [f32; 3],
    pub per_gust_size: f32,
    pub vertices: u32,
    pub first_pin: u32,
    pub max_speed: f32,
    pub bounds: f32,
    pub damping: f32,
    pub air_density: f32,
    pub drag: f32,
    pub lift: f32,
    pub seed: u32,
    pub kept: f32,
    pub padding: [u32; 2],
}

/// Uniforms of one kind in one buffer, chosen by offset.
pub(super) struct UniformTable {
    buffer: wgpu::Buffer,
    /// Bytes from one to the next.
    stride: u32,
    /// Bytes of one.
    size: u32,
}

impl UniformTable {
    /// Room for `count` uniforms of type `T`.
    pub fn new<T: Pod>(gpu: &Gpu, label: &str, count: usize) -> Self {
        let size = size_of::<T>() as u32;
        let stride = size.next_multiple_of(gpu.device.limits().min_uniform_buffer_offset_alignment);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: u64::from(stride) * count.max(1) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, stride, size }
    }

    /// Writes uniforms from the first on.
    pub fn write<T: Pod>(&self, gpu: &Gpu, values: &[T]) {
        let mut bytes = vec![0u8; values.len() * self.stride as usize];
        for (slot, value) in bytes.chunks_mut(self.stride as usize).zip(values) {
            slot[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(value));
        }
        gpu.queue.write_buffer(&self.buffer, 0, &bytes);
    }

    /// The offset of a uniform.
    pub fn offset(&self, number: usize) -> u32 {
        number as u32 * self.stride
    }

    /// What a kernel is bound to.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.buffer,
            offset: 0,
            size: std::num::NonZeroU64::new(u64::from(self.size)),
        })
    }
}
