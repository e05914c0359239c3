//! A device that belongs to the caller's program: a renderer's, whose buffers and queue are ours too.
//!
//! Its handlers (uncaptured errors, device lost) stay the program's. What our own calls get wrong is caught by error scopes
//! around each of them and becomes a [`GpuError`]; nothing of it reaches these handlers. A device that is gone makes calls
//! fail in silence, so that is found out by trying, when a read-back has failed.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use super::device::{Gpu, GpuError, keep, locked, named};

/// What a scope has caught, sooner or later.
type Caught = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;

/// Scopes that are closed and have not said yet what they caught: in browsers that takes a while, elsewhere there are none.
#[derive(Clone, Default)]
pub(super) struct Scopes(Arc<Mutex<Vec<Caught>>>);

impl std::fmt::Debug for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scopes").finish_non_exhaustive()
    }
}

impl Gpu {
    /// Uses a device that is open already: a renderer's, so that it can draw from our buffers
    /// ([`GpuSimulation::positions_on_device`](crate::gpu::GpuSimulation::positions_on_device)). The types are those of
    /// [`gpu::wgpu`](crate::gpu::wgpu).
    ///
    /// It needs compute shaders and these limits, which all of WebGPU has: `max_storage_buffers_per_shader_stage` 8,
    /// `max_compute_invocations_per_workgroup` and `max_compute_workgroup_size_x` 256,
    /// `max_dynamic_uniform_buffers_per_pipeline_layout` 1; how much a cloth needs beyond that is checked when it is laid
    /// out. No feature is needed; `Features::TIMESTAMP_QUERY` is for profiles.
    ///
    /// The device's handlers of uncaptured errors and of its loss are left alone, and are not told of errors of ours: these are
    /// returned, from this call or the next. That the device was lost is noticed by the next read-back that fails (in
    /// browsers as [`GpuError::ReadBack`], elsewhere as [`GpuError::Lost`]).
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self, GpuError> {
        let info = device.adapter_info();
        let gpu = Self { device, queue, info, fault: Arc::default(), scopes: Some(Scopes::default()) };
        gpu.need_for_kernels(None)?;
        let uniforms = gpu.device.limits().max_dynamic_uniform_buffers_per_pipeline_layout;
        gpu.need("maxDynamicUniformBuffersPerPipelineLayout", 1, uniforms.into())?;
        Ok(gpu)
    }

    /// The device, shared with the program that opened it.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its queue. What is submitted there comes after the steps that are queued.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Breaks the device on purpose, as a driver reset would: for tests of what happens then.
    #[doc(hidden)]
    pub fn break_for_test(&self) {
        self.device.destroy();
    }

    /// Does what calls the device so that errors come to [`Gpu::check`].
    pub(crate) fn watched<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(scopes) = &self.scopes else { return work() };
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let open = [OutOfMemory, Internal, Validation].map(|filter| self.device.push_error_scope(filter));
        let result = work();
        // The last one that was opened is closed first.
        for scope in open.into_iter().rev() {
            let mut caught: Caught = Box::pin(scope.pop());
            match caught.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(error) => self.caught(error),
                Poll::Pending => locked(&scopes.0).push(caught),
            }
        }
        result
    }

    /// Asks the scopes that have not said yet what they caught.
    pub(super) fn hear(&self) {
        let Some(scopes) = &self.scopes else { return };
        locked(&scopes.0).retain_mut(|caught| {
            match caught.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(error) => {
                    self.caught(error);
                    false
                }
                Poll::Pending => true,
            }
        });
    }

    fn caught(&self, error: Option<wgpu::Error>) {
        if let Some(error) = error {
            let error = named(&error);
            // Whatever is said of a device that is gone comes from that.
            keep(&self.fault, if self.is_lost() { lost() } else { error });
        }
    }

    /// Whether the device is gone, on the caller's device: then nothing can be mapped any more.
    pub(super) fn is_lost(&self) -> bool {
        if self.scopes.is_none() {
            return false; // it would have said so
        }
        let usage = wgpu::BufferUsages::COPY_SRC;
        let descriptor =
            wgpu::BufferDescriptor { label: Some("alive"), size: 16, usage, mapped_at_creation: true };
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let open = [OutOfMemory, Internal, Validation].map(|filter| self.device.push_error_scope(filter));
        let is_mapped = self.device.create_buffer(&descriptor).get_mapped_range_mut(..).is_ok();
        open.into_iter().rev().for_each(drop);
        !is_mapped
    }

    /// What a read-back that failed means.
    pub(super) fn explained(&self, error: GpuError) -> GpuError {
        if matches!(error, GpuError::ReadBack { .. }) && self.is_lost() {
            keep(&self.fault, lost());
            return lost();
        }
        error
    }
}

fn lost() -> GpuError {
    GpuError::Lost { reason: "its owner's handler knows why".into() }
}
