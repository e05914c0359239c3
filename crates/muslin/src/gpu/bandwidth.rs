//! How fast the GPU's memory is: the yardstick for kernels that do little but read and write.

use std::time::{Duration, Instant};

use super::device::{Gpu, GpuError};

/// Bytes of a copy: more than any cache holds.
const COPY: u64 = 256 << 20;
/// Copies in one submission, so that submitting them takes no part of the time worth mentioning.
const COPIES: u32 = 4;
/// How long submissions are repeated; the fastest one counts.
const AT_LEAST: Duration = Duration::from_millis(200);

impl Gpu {
    /// Gigabytes per second that a copy from buffer to buffer reads and writes together. Takes 512 MiB of
    /// the GPU's memory for a moment.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn copy_bandwidth(&self) -> Result<f64, GpuError> {
        let size = COPY.min(self.device.limits().max_buffer_size);
        let buffer = || {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("bandwidth"),
                size,
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let (from, to) = (buffer(), buffer());
        self.check()?;
        let copy = || {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            for _ in 0..COPIES {
                encoder.copy_buffer_to_buffer(&from, 0, &to, 0, size);
            }
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
}
