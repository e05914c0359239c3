//! How fast the GPU's memory is: the yardstick for kernels that do little but read and write. Not in browsers:
//! it waits.

use std::time::{Duration, Instant};

use glam::Vec4;

use super::kernel::{Binding, Dispatch, Entry, Family, Kernel, WORKGROUP};
use super::{Engine, Gpu, GpuError, Memory};

/// Workgroups of a copy of 240 MiB: more than any cache holds, and no more than one dispatch may have.
const WORKGROUPS: u32 = 61_440;
/// Copies in one submission, so that submitting them takes no part of the time worth mentioning.
const COPIES: usize = 16;
/// How long submissions are repeated; the fastest one counts. A GPU that was idle needs a while to wake up.
const AT_LEAST: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
pub(super) struct Copying;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Buffer {
    Points,
    From,
    To,
}

impl Family for Copying {
    type Buffer = Buffer;
    /// Points.
    type Work = u64;
    const KERNELS: &'static [&'static Kernel<Self>] = &[&COPY];
}

static COPY: Kernel<Copying> = Kernel {
    name: "copy",
    sources: &[include_str!("shaders/copy.wgsl")],
    entry: Entry::Each("points.x"),
    uniform: Buffer::Points,
    bindings: &[Binding::Read(Buffer::From), Binding::Write(Buffer::To)],
    least_bytes: |points| 2 * size_of::<Vec4>() as u64 * points,
};

impl Gpu {
    /// Gigabytes per second that a kernel reads and writes together when it only copies. (The driver's own
    /// copy of buffers does not reach that: on an H200 0.8 TB/s of 3.9.) Takes 480 MiB of the GPU's memory for a
    /// moment.
    pub fn copy_bandwidth(&self) -> Result<f64, GpuError> {
        let limits = self.device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let points = u64::from(WORKGROUPS * WORKGROUP).min(largest / size_of::<Vec4>() as u64) as u32;
        let mut memory = Memory::<Copying>::new(self);
        memory.room_for_uniforms::<[u32; 4]>(Buffer::Points, 1);
        memory.write_uniforms(Buffer::Points, &[[points; 4]]);
        memory.room(Buffer::From, points as usize * size_of::<Vec4>())?;
        memory.room(Buffer::To, points as usize * size_of::<Vec4>())?;
        let mut engine = Engine::new(self, memory, Copying::KERNELS.iter().copied(), "")?;
        let copy = Dispatch { kernel: &COPY, turns: [Buffer::To; 3], uniform: 0, items: points, level: 0 };
        engine.bind(&[copy]);
        let copies = || {
            let encoder = engine.encode([copy; COPIES]);
            let begin = Instant::now();
            self.submit(encoder);
            self.wait().map(|()| begin.elapsed())
        };
        // The first one also clears the buffers.
        copies()?;
        let begin = Instant::now();
        let mut fastest = copies()?;
        while begin.elapsed() < AT_LEAST {
            fastest = fastest.min(copies()?);
        }
        let bytes = COPIES as u64 * (COPY.least_bytes)(&u64::from(points));
        Ok(bytes as f64 * 1e-9 / fastest.as_secs_f64().max(1e-9))
    }
}
