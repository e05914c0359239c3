//! Copies that come back to the host, while the next step may already be under way.

use std::sync::{Arc, Mutex};

use super::device::{Gpu, GpuError, locked};

/// Memory that the host can read: a copy of buffers, on its way or arrived.
pub(crate) struct Staging {
    buffer: wgpu::Buffer,
    /// What has been said of the copy with a number, if anything has.
    said: Arc<Mutex<Said>>,
    /// Since the last submission; `None` before the first.
    arriving: Option<Arriving>,
}

/// The number of a copy, and what became of it. (One for all copies: a read-back takes no memory of ours.)
#[derive(Default)]
struct Said {
    copy: u64,
    done: Option<Result<(), String>>,
}

struct Arriving {
    said: Arc<Mutex<Said>>,
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))] // nothing may wait for it there
    submission: wgpu::SubmissionIndex,
}

fn failed(reason: impl ToString) -> GpuError {
    GpuError::ReadBack { reason: reason.to_string() }
}

impl Staging {
    /// Room for so many bytes.
    pub fn new(gpu: &Gpu, label: &str, bytes: u64) -> Result<Self, GpuError> {
        gpu.need("maxBufferSize", bytes, gpu.device.limits().max_buffer_size)?;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Ok(Self { buffer: gpu.buffer(label, bytes, usage), said: Arc::default(), arriving: None })
    }

    /// Records the copy: so many bytes of each buffer, one after the other. What was on its way in here before is given up.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder, parts: &[(&wgpu::Buffer, u64)]) {
        // One that failed was never mapped.
        if self.arriving.take().is_some_and(|before| !matches!(before.done(), Some(Err(_)))) {
            self.buffer.unmap();
        }
        let mut at = 0;
        for &(buffer, bytes) in parts.iter().filter(|(_, bytes)| *bytes > 0) {
            encoder.copy_buffer_to_buffer(buffer, 0, &self.buffer, at, bytes);
            at += bytes;
        }
    }

    /// Submits what was recorded.
    pub fn submit(&mut self, gpu: &Gpu, encoder: wgpu::CommandEncoder) {
        let submission = gpu.submit(encoder);
        let copy = {
            let mut said = locked(&self.said);
            *said = Said { copy: said.copy + 1, done: None };
            said.copy
        };
        let told = Arc::clone(&self.said);
        gpu.watched(|| {
            self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
                let mut said = locked(&told);
                // One that was given up may be told of late.
                if said.copy == copy {
                    said.done = Some(result.map_err(|e| e.to_string()));
                }
            });
        });
        self.arriving = Some(Arriving { said: Arc::clone(&self.said), submission });
    }

    /// Whether what was submitted has arrived, or why it will not; `None` if it is still on its way. Who has waited for it need not
    /// ask the device again.
    pub fn outcome(&self, gpu: &Gpu) -> Option<Result<(), GpuError>> {
        let done = || self.arriving.as_ref().and_then(Arriving::done);
        if done().is_none() {
            let _ = gpu.device.poll(wgpu::PollType::Poll);
        }
        if let Err(fault) = gpu.check() {
            return Some(Err(fault));
        }
        Some(done()?.map_err(|reason| gpu.explained(failed(reason))))
    }

    /// Copies buffers out behind what is encoded already, and waits for it.
    pub fn read(
        gpu: &Gpu,
        mut encoder: wgpu::CommandEncoder,
        parts: &[(&wgpu::Buffer, u64)],
    ) -> Result<Vec<u8>, GpuError> {
        let mut staging = Self::new(gpu, "read", parts.iter().map(|(_, bytes)| bytes).sum())?;
        staging.record(&mut encoder, parts);
        staging.submit(gpu, encoder);
        Ok(staging.wait_for(gpu)?.to_vec())
    }

    /// What has arrived, or `None` if it is still on its way.
    pub fn arrived(&self, gpu: &Gpu) -> Option<Result<wgpu::BufferView, GpuError>> {
        let view = || self.buffer.get_mapped_range(..).map_err(|error| gpu.explained(failed(error)));
        Some(self.outcome(gpu)?.and_then(|()| view()))
    }

    /// Waits until it has arrived, or the device is gone.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&self, gpu: &Gpu) -> Result<(), GpuError> {
        self.arriving.as_ref().map_or(Ok(()), |arriving| arriving.wait(gpu))
    }

    /// Waits for it, but not in browsers, where nothing may wait.
    pub fn wait_for(&self, gpu: &Gpu) -> Result<wgpu::BufferView, GpuError> {
        #[cfg(not(target_arch = "wasm32"))]
        self.wait(gpu)?;
        self.arrived(gpu).unwrap_or_else(|| {
            Err(failed("it has not arrived yet, and in a browser nothing may wait for it"))
        })
    }
}

impl Arriving {
    fn done(&self) -> Option<Result<(), String>> {
        locked(&self.said).done.clone()
    }
}

/// How long it is asked for before a thread goes to sleep.
#[cfg(not(target_arch = "wasm32"))]
const LOOK_OUT: std::time::Duration = std::time::Duration::from_millis(2);

#[cfg(not(target_arch = "wasm32"))]
impl Arriving {
    /// Waits for the submission, and for the callbacks of what it was needed for.
    fn wait(&self, gpu: &Gpu) -> Result<(), GpuError> {
        self.poll_for_a_while(gpu);
        let what = wgpu::PollType::Wait { submission_index: Some(self.submission.clone()), timeout: None };
        let polled = gpu.device.poll(what);
        if polled.is_err() {
            // A lost device does not know the submission, and says that it is lost when all before it are done.
            let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
        }
        gpu.check()?;
        polled.map(|_| ()).map_err(|error| gpu.explained(failed(error)))
    }

    /// Asks again and again whether it is there, for a short while: a step takes less than a thread needs to wake up.
    /// Where the CPU does the GPU's work, that would only keep it from it.
    fn poll_for_a_while(&self, gpu: &Gpu) {
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
