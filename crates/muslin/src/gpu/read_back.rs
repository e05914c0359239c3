//! Bringing the state back, without holding up the GPU.

use std::sync::{Arc, Mutex};

use glam::Vec4;

use super::buffers::{Buffers, STATUS_WORDS};
use super::device::{Gpu, GpuError};

/// A copy of the state that is on its way.
pub(super) struct ReadBack {
    staging: wgpu::Buffer,
    vertices: usize,
    done: Arc<Mutex<Option<Result<(), String>>>>,
    /// When and after how many steps the state was that.
    pub time: f64,
    pub steps: u64,
    /// Seconds of the last substep before.
    pub last_step: f64,
}

/// What came back.
pub(super) struct Arrived {
    pub points: Vec<Vec4>,
    pub velocities: Vec<Vec4>,
    pub remainders: Vec<Vec4>,
    pub status: [u32; STATUS_WORDS],
}

impl ReadBack {
    /// Queues the copy, into the buffer of an earlier one that has arrived if there is one.
    pub fn begin(
        gpu: &Gpu,
        buffers: &Buffers,
        start: usize,
        vertices: usize,
        (time, steps, last_step): (f64, u64, f64),
        earlier: Option<Self>,
    ) -> Result<Self, GpuError> {
        gpu.check()?;
        let bytes = (vertices * size_of::<Vec4>()) as u64;
        let size = 3 * bytes + (STATUS_WORDS * size_of::<u32>()) as u64;
        let staging = match earlier {
            Some(earlier) => {
                earlier.staging.unmap();
                earlier.staging
            }
            None => {
                gpu.need("maxBufferSize", size, gpu.device.limits().max_buffer_size)?;
                gpu.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("read back"),
                    size,
                    usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                })
            }
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&buffers.points[start], 0, &staging, 0, bytes);
        encoder.copy_buffer_to_buffer(&buffers.travel, 0, &staging, bytes, 2 * bytes);
        encoder.copy_buffer_to_buffer(&buffers.status, 0, &staging, 3 * bytes, size - 3 * bytes);
        // Counted from here on anew: steps that are queued while this is on its way belong to the next.
        encoder.copy_buffer_to_buffer(&buffers.no_status, 0, &buffers.status, 0, size - 3 * bytes);
        gpu.queue.submit([encoder.finish()]);
        let done = Arc::new(Mutex::new(None));
        let flag = Arc::clone(&done);
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            let mut flag = flag.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *flag = Some(result.map_err(|e| e.to_string()));
        });
        Ok(Self { staging, vertices, done, time, steps, last_step })
    }

    /// Waits until it has arrived, or the device is gone.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self, gpu: &Gpu) -> Result<(), GpuError> {
        let failed = |e: wgpu::PollError| GpuError::ReadBack { reason: e.to_string() };
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(failed)?;
        gpu.check()
    }

    /// What arrived, or `None` if it is still on its way.
    pub fn take(&self, gpu: &Gpu) -> Option<Result<Arrived, GpuError>> {
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        if let Err(fault) = gpu.check() {
            return Some(Err(fault));
        }
        let done = self.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()?;
        Some(done.map_err(|reason| GpuError::ReadBack { reason }).and_then(|()| self.unpack()))
    }

    fn unpack(&self) -> Result<Arrived, GpuError> {
        let failed = |e: wgpu::MapRangeError| GpuError::ReadBack { reason: e.to_string() };
        let view = self.staging.get_mapped_range(..).map_err(failed)?;
        let bytes = self.vertices * size_of::<Vec4>();
        let points = bytemuck::pod_collect_to_vec(&view[..bytes]);
        let velocities = bytemuck::pod_collect_to_vec(&view[bytes..2 * bytes]);
        let remainders = bytemuck::pod_collect_to_vec(&view[2 * bytes..3 * bytes]);
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&view[3 * bytes..]);
        let mut status = [0; STATUS_WORDS];
        status.copy_from_slice(&words);
        Ok(Arrived { points, velocities, remainders, status })
    }
}
