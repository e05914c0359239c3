//! The memory of a family: buffers, and tables of uniforms, under their names.

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::ops::Index;

use bytemuck::Pod;

use super::device::{Gpu, GpuError};
use super::kernel::Family;

/// All buffers of a family.
pub(crate) struct Memory<F: Family> {
    gpu: Gpu,
    /// The name and the value of what bounds the size of a buffer.
    limit: (&'static str, u64),
    buffers: HashMap<F::Buffer, wgpu::Buffer>,
    uniforms: HashMap<F::Buffer, Uniforms>,
}

/// Uniforms of one kind in one buffer, chosen by offset.
struct Uniforms {
    buffer: wgpu::Buffer,
    /// Bytes from one to the next.
    stride: u32,
    /// Bytes of one.
    size: u32,
}

impl<F: Family> Memory<F> {
    /// Nothing yet, on a GPU and within its limits.
    pub fn new(gpu: &Gpu) -> Self {
        let limits = gpu.device.limits();
        let bindable = ("maxStorageBufferBindingSize", limits.max_storage_buffer_binding_size);
        let makeable = ("maxBufferSize", limits.max_buffer_size);
        let limit = if bindable.1 <= makeable.1 { bindable } else { makeable };
        Self { gpu: gpu.clone(), limit, buffers: HashMap::new(), uniforms: HashMap::new() }
    }

    /// A buffer of at least 16 bytes: what is not used must still be bound.
    pub fn room(&mut self, name: F::Buffer, bytes: usize) -> Result<(), GpuError> {
        self.room_for(name, bytes, wgpu::BufferUsages::empty())
    }

    /// The same for a buffer that is used in other ways too: drawn from, say.
    pub fn room_for(
        &mut self,
        name: F::Buffer,
        bytes: usize,
        use_too: wgpu::BufferUsages,
    ) -> Result<(), GpuError> {
        self.gpu.need(self.limit.0, bytes as u64, self.limit.1)?;
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let buffer = self.gpu.buffer(&format!("{name:?}"), bytes.max(16) as u64, usage | use_too);
        self.buffers.insert(name, buffer);
        Ok(())
    }

    /// A buffer of these values.
    pub fn fill<T: Pod>(&mut self, name: F::Buffer, values: &[T]) -> Result<(), GpuError> {
        self.room(name, size_of_val(values))?;
        self.write(name, values);
        Ok(())
    }

    /// A table of so many uniforms of type `T`.
    pub fn room_for_uniforms<T: Pod>(&mut self, name: F::Buffer, count: usize) {
        let size = size_of::<T>() as u32;
        let stride = size.next_multiple_of(self.gpu.device.limits().min_uniform_buffer_offset_alignment);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = self.gpu.buffer(&format!("{name:?}"), u64::from(stride) * count.max(1) as u64, usage);
        self.uniforms.insert(name, Uniforms { buffer, stride, size });
    }

    /// Writes a buffer from its beginning.
    pub fn write<T: Pod>(&self, name: F::Buffer, values: &[T]) {
        if !values.is_empty() {
            self.gpu.write(&self[name], bytemuck::cast_slice(values));
        }
    }

    /// Writes uniforms from the first on.
    pub fn write_uniforms<T: Pod>(&self, name: F::Buffer, values: &[T]) {
        self.write_uniforms_by(name, values, &mut Vec::new());
    }

    /// The same with memory of the caller's, which is used again.
    pub fn write_uniforms_by<T: Pod>(&self, name: F::Buffer, values: &[T], bytes: &mut Vec<u8>) {
        let Uniforms { buffer, stride, .. } = &self.uniforms[&name];
        bytes.clear();
        bytes.resize(values.len() * *stride as usize, 0);
        for (slot, value) in bytes.chunks_mut(*stride as usize).zip(values) {
            slot[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(value));
        }
        self.gpu.write(buffer, bytes);
    }

    /// The offset of a uniform in its table.
    pub(super) fn offset(&self, name: F::Buffer, number: usize) -> u32 {
        number as u32 * self.uniforms[&name].stride
    }

    /// What binding 0 is.
    pub(super) fn uniform(&self, name: F::Buffer) -> wgpu::BindingResource<'_> {
        let Uniforms { buffer, size, .. } = &self.uniforms[&name];
        let size = NonZeroU64::new(u64::from(*size));
        wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size })
    }
}

impl<F: Family> Index<F::Buffer> for Memory<F> {
    type Output = wgpu::Buffer;

    fn index(&self, name: F::Buffer) -> &wgpu::Buffer {
        &self.buffers[&name]
    }
}
