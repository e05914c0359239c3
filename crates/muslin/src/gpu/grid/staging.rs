//! Bringing the coarse mesh back while the next step may already be under way.

use std::sync::{Arc, Mutex};

use glam::Vec4;

use super::buffers::{Buffers, STATUS_WORDS};
use crate::gpu::device::{Gpu, GpuError};
use crate::solver::multilevel::grid::Projected;

/// A copy of the coarse mesh and of the step's status, on its way or arrived.
pub(super) struct Staging {
    buffer: wgpu::Buffer,
    /// Bytes of the vertices; the status follows.
    bytes: u64,
    /// Since the last submission; `None` before the first.
    arriving: Option<Arriving>,
}

struct Arriving {
    done: Arc<Mutex<Option<Result<(), String>>>>,
    submission: wgpu::SubmissionIndex,
}

impl Staging {
    /// Room for so many vertices.
    pub fn new(gpu: &Gpu, vertices: usize) -> Result<Self, GpuError> {
        let bytes = (2 * vertices * size_of::<Vec4>()) as u64;
        let size = bytes + size_of::<[u32; STATUS_WORDS]>() as u64;
        gpu.need("maxBufferSize", size, gpu.device.limits().max_buffer_size)?;
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("coarse mesh"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Ok(Self { buffer, bytes, arriving: None })
    }

    /// Records the copy; what was on its way in here before is given up.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers) {
        if self.arriving.take().is_some() {
            self.buffer.unmap();
        }
        if self.bytes > 0 {
            encoder.copy_buffer_to_buffer(&buffers.vertices, 0, &self.buffer, 0, self.bytes);
        }
        let words = size_of::<[u32; STATUS_WORDS]>() as u64;
        encoder.copy_buffer_to_buffer(&buffers.status, 0, &self.buffer, self.bytes, words);
    }

    /// To be called when what was recorded is submitted.
    pub fn submitted(&mut self, submission: wgpu::SubmissionIndex) {
        let done = Arc::new(Mutex::new(None));
        let flag = Arc::clone(&done);
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            let mut flag = flag.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *flag = Some(result.map_err(|e| e.to_string()));
        });
        self.arriving = Some(Arriving { done, submission });
    }

    /// Waits for the copy (not in browsers, where nothing may wait) and takes what is in it.
    pub fn take(&self, gpu: &Gpu, vertices: &mut [Projected]) -> Result<[u32; STATUS_WORDS], GpuError> {
        let failed = |reason: String| GpuError::ReadBack { reason };
        let arriving = self.arriving.as_ref().ok_or_else(|| failed("nothing was asked for".into()))?;
        #[cfg(not(target_arch = "wasm32"))]
        arriving.look_out(gpu);
        wait(gpu, &arriving.submission)?;
        let done = arriving.done();
        done.ok_or_else(|| failed("it has not arrived yet".into()))?.map_err(failed)?;
        let view = self.buffer.get_mapped_range(..).map_err(|e| failed(e.to_string()))?;
        let (places, words) = view.split_at(self.bytes as usize);
        for (vertex, bytes) in vertices.iter_mut().zip(places.chunks_exact(2 * size_of::<Vec4>())) {
            let [place, velocity] = bytemuck::pod_read_unaligned::<[Vec4; 2]>(bytes).map(Vec4::truncate);
            *vertex = Projected { place, velocity };
        }
        Ok(bytemuck::pod_read_unaligned(words))
    }
}

impl Arriving {
    fn done(&self) -> Option<Result<(), String>> {
        self.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Asks again and again whether it is there, for a short while: a step takes less than a thread needs to wake up.
    /// Where the CPU does the GPU's work, that would only keep it from it.
    #[cfg(not(target_arch = "wasm32"))]
    fn look_out(&self, gpu: &Gpu) {
        if gpu.is_software() {
            return;
        }
        let start = std::time::Instant::now();
        while self.done().is_none()
            && start.elapsed() < LOOK_OUT
            && gpu.device.poll(wgpu::PollType::Poll).is_ok()
        {}
    }
}

/// How long it is asked for before a thread goes to sleep.
#[cfg(not(target_arch = "wasm32"))]
const LOOK_OUT: std::time::Duration = std::time::Duration::from_millis(2);

/// Waits for a submission, and for the callbacks of what it was needed for.
#[cfg(not(target_arch = "wasm32"))]
fn wait(gpu: &Gpu, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
    let what = wgpu::PollType::Wait { submission_index: Some(submission.clone()), timeout: None };
    let polled = gpu.device.poll(what);
    if polled.is_err() {
        // A lost device does not know the submission, and says that it is lost when all before it are done.
        let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
    }
    gpu.check()?;
    polled.map(|_| ()).map_err(|e| GpuError::ReadBack { reason: e.to_string() })
}

#[cfg(target_arch = "wasm32")]
fn wait(gpu: &Gpu, _: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
    let _ = gpu.device.poll(wgpu::PollType::Poll);
    gpu.check()
}

/// Copies buffers out, and waits for it.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn read<const N: usize>(
    gpu: &Gpu,
    buffers: [&wgpu::Buffer; N],
    points: [usize; N],
) -> Result<[Vec<Vec4>; N], GpuError> {
    gpu.check()?;
    let bytes = |points: usize| (points * size_of::<Vec4>()) as u64;
    let size = bytes(points.iter().sum());
    gpu.need("maxBufferSize", size, gpu.device.limits().max_buffer_size)?;
    let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut at = 0;
    for (buffer, count) in buffers.into_iter().zip(points) {
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, at, bytes(count));
        at += bytes(count);
    }
    let submission = gpu.queue.submit([encoder.finish()]);
    staging.map_async(wgpu::MapMode::Read, .., |_| {});
    wait(gpu, &submission)?;
    let failed = |e: wgpu::MapRangeError| GpuError::ReadBack { reason: e.to_string() };
    let view = staging.get_mapped_range(..).map_err(failed)?;
    let mut all: Vec<Vec4> = bytemuck::pod_collect_to_vec(&view);
    Ok(points.map(|count| all.drain(..count).collect()))
}
