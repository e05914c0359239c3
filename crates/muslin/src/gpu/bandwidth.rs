//! How fast the GPU's memory is: the yardstick for kernels that do little but read and write. Not in browsers:
//! it waits.

use std::time::{Duration, Instant};

use super::device::{Gpu, GpuError, WORKGROUP};

/// Workgroups of a copy of 240 MiB: more than any cache holds, and no more than one dispatch may have.
const WORKGROUPS: u32 = 61_440;
/// Copies in one submission, so that submitting them takes no part of the time worth mentioning.
const COPIES: u32 = 16;
/// How long submissions are repeated; the fastest one counts. A GPU that was idle needs a while to wake up.
const AT_LEAST: Duration = Duration::from_millis(500);

impl Gpu {
    /// Gigabytes per second that a kernel reads and writes together when it only copies. (The driver's own
    /// copy of buffers does not reach that: on an H200 0.8 TB/s of 3.9.) Takes 480 MiB of the GPU's memory for a
    /// moment.
    pub fn copy_bandwidth(&self) -> Result<f64, GpuError> {
        let limits = self.device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 16;
        let workgroups = u64::from(WORKGROUPS).min(largest / u64::from(WORKGROUP)) as u32;
        let size = u64::from(workgroups) * u64::from(WORKGROUP) * 16;
        let (pipeline, group) = self.copy_kernel(size);
        self.check()?;
        let copy = || {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            (0..COPIES).for_each(|_| pass.dispatch_workgroups(workgroups, 1, 1));
            drop(pass);
            let begin = Instant::now();
            self.queue.submit([encoder.finish()]);
            let lost = |e: wgpu::PollError| GpuError::Lost { reason: e.to_string() };
            self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(lost)?;
            self.check().map(|()| begin.elapsed())
        };
        // The first one also clears the buffers.
        copy()?;
        let begin = Instant::now();
        let mut fastest = copy()?;
        while begin.elapsed() < AT_LEAST {
            fastest = fastest.min(copy()?);
        }
        Ok(2.0 * f64::from(COPIES) * size as f64 * 1e-9 / fastest.as_secs_f64().max(1e-9))
    }

    fn copy_kernel(&self, size: u64) -> (wgpu::ComputePipeline, wgpu::BindGroup) {
        let label = Some("bandwidth");
        let usage = wgpu::BufferUsages::STORAGE;
        let buffer = || {
            let descriptor = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false };
            self.device.create_buffer(&descriptor)
        };
        let (from, to) = (buffer(), buffer());
        let source = wgpu::ShaderSource::Wgsl(include_str!("shaders/copy.wgsl").into());
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        });
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: from.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: to.as_entire_binding() },
            ],
        });
        (pipeline, group)
    }
}
