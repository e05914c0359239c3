//! The GPU: finding one, opening it, and noticing when it fails.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::kernel::WORKGROUP;
use super::scopes::Scopes;

/// Which adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct GpuOptions {
    /// A part of the adapter's name, upper and lower case alike; `None` takes the fastest kind there is.
    pub adapter: Option<String>,
    /// Use no more than every browser has: WebGPU's default limits. To try on a desktop what a page will do.
    pub browser_limits: bool,
}

/// What went wrong on the GPU.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter to open.
    #[error("no GPU found ({reason}); a software driver also serves: on Debian, mesa-vulkan-drivers")]
    NoAdapter {
        /// What was looked for, and what is there.
        reason: String,
    },
    /// The adapter was found but would not open.
    #[error("the GPU '{adapter}' could not be opened: {reason}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// The cloth needs more than the adapter allows.
    #[error("the GPU's limit {limit} is {available}, but this cloth needs {needed}")]
    Limit {
        /// The limit's name in WebGPU.
        limit: &'static str,
        /// What this cloth needs.
        needed: u64,
        /// What the adapter allows.
        available: u64,
    },
    /// The GPU has not enough memory left.
    #[error("the GPU is out of memory: {reason}")]
    OutOfMemory {
        /// What the driver said.
        reason: String,
    },
    /// The device is gone: a driver reset, an unplugged adapter, a sleeping machine.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// What the driver said.
        reason: String,
    },
    /// The state could not be copied back.
    #[error("the GPU's results could not be read back: {reason}")]
    ReadBack {
        /// What the driver said.
        reason: String,
    },
    /// The driver refused what we sent. A bug of ours or of the driver.
    #[error("the GPU's driver refused a command: {reason}")]
    Refused {
        /// What it said.
        reason: String,
    },
}

/// An open GPU, to be shared by any number of simulations.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(super) info: wgpu::AdapterInfo,
    pub(super) fault: Arc<Mutex<Option<GpuError>>>,
    /// How errors are heard of on a device whose handlers belong to somebody else.
    pub(super) scopes: Option<Scopes>,
}

impl Gpu {
    /// Opens an adapter and waits for it. Not in browsers, where nothing may wait: see [`Gpu::open`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new(options: &GpuOptions) -> Result<Self, GpuError> {
        pollster::block_on(Self::open(options))
    }

    /// Opens an adapter.
    pub async fn open(options: &GpuOptions) -> Result<Self, GpuError> {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        let instance = wgpu::Instance::new(descriptor);
        let adapter = find_adapter(&instance, options).await?;
        let info = adapter.get_info();
        // All that the adapter has: how much a cloth needs is checked when its buffers are made, by name.
        let wanted = wgpu::Features::TIMESTAMP_QUERY;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("muslin"),
            required_features: adapter.features() & wanted,
            required_limits: if options.browser_limits { wgpu::Limits::default() } else { adapter.limits() },
            ..Default::default()
        };
        let refused = |e: wgpu::RequestDeviceError| GpuError::NoDevice {
            adapter: info.name.clone(),
            reason: e.to_string(),
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(refused)?;
        let fault = Arc::new(Mutex::new(None));
        watch(&device, &fault);
        Ok(Self { device, queue, info, fault, scopes: None })
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Whether it is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// What went wrong since the device was opened, if anything.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.hear();
        let has_fault = locked(&self.fault).is_some();
        if has_fault {
            // A lost device refuses commands before it says that it is lost.
            let _ = self.device.poll(wgpu::PollType::Poll);
        }
        let mut fault = locked(&self.fault);
        // Any other is told once; other simulations on this device may go on.
        let found = if matches!(*fault, Some(GpuError::Lost { .. })) { fault.clone() } else { fault.take() };
        found.map_or(Ok(()), Err)
    }

    /// Waits for all that was submitted.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        let lost = |e: wgpu::PollError| GpuError::Lost { reason: e.to_string() };
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(lost)?;
        self.check()
    }

    /// Fails if kernels cannot run here, the largest of them with so many workgroups.
    pub(crate) fn need_for_kernels(&self, workgroups: Option<u32>) -> Result<(), GpuError> {
        let limits = self.device.limits();
        let needs = [
            ("maxStorageBuffersPerShaderStage", 8, limits.max_storage_buffers_per_shader_stage),
            ("maxComputeInvocationsPerWorkgroup", WORKGROUP, limits.max_compute_invocations_per_workgroup),
            ("maxComputeWorkgroupSizeX", WORKGROUP, limits.max_compute_workgroup_size_x),
            (
                "maxComputeWorkgroupsPerDimension",
                workgroups.unwrap_or(1),
                limits.max_compute_workgroups_per_dimension,
            ),
        ];
        needs.into_iter().try_for_each(|(limit, needed, has)| self.need(limit, needed.into(), has.into()))
    }

    /// Fails if the device allows less than is needed.
    pub(super) fn need(&self, limit: &'static str, needed: u64, available: u64) -> Result<(), GpuError> {
        if needed <= available { Ok(()) } else { Err(GpuError::Limit { limit, needed, available }) }
    }

    /// A buffer that nobody has mapped.
    pub(crate) fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let label = Some(label);
        let descriptor = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false };
        self.watched(|| self.device.create_buffer(&descriptor))
    }

    /// Submits what was encoded.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        self.watched(|| self.queue.submit([encoder.finish()]))
    }

    /// Writes a buffer from its beginning, before what is submitted next.
    pub(crate) fn write(&self, buffer: &wgpu::Buffer, bytes: &[u8]) {
        self.watched(|| self.queue.write_buffer(buffer, 0, bytes));
    }
}

/// What a mutex guards, also when a thread has panicked with it.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The adapter whose name was asked for, or the best kind: discrete, integrated, anything else.
async fn find_adapter(instance: &wgpu::Instance, options: &GpuOptions) -> Result<wgpu::Adapter, GpuError> {
    let Some(name) = &options.adapter else {
        let wanted = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let none = |e: wgpu::RequestAdapterError| GpuError::NoAdapter { reason: e.to_string() };
        return instance.request_adapter(&wanted).await.map_err(none);
    };
    let all = instance.enumerate_adapters(wgpu::Backends::all()).await;
    let names: Vec<String> = all.iter().map(|adapter| adapter.get_info().name).collect();
    let wanted = name.to_lowercase();
    let found = all.into_iter().find(|a| a.get_info().name.to_lowercase().contains(&wanted));
    found
        .ok_or_else(|| GpuError::NoAdapter { reason: format!("none is named '{name}'; there are {names:?}") })
}

/// Keeps the first fault, or that the device is gone, for [`Gpu::check`]: without handlers, wgpu would panic.
fn watch(device: &wgpu::Device, fault: &Arc<Mutex<Option<GpuError>>>) {
    let lost = Arc::clone(fault);
    device.set_device_lost_callback(move |_, reason| keep(&lost, GpuError::Lost { reason }));
    let errors = Arc::clone(fault);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| keep(&errors, named(&error))));
}

/// Keeps a fault, unless another came first; of those, that the device is gone says most.
pub(super) fn keep(fault: &Mutex<Option<GpuError>>, error: GpuError) {
    let mut fault = locked(fault);
    if fault.is_none() || matches!(error, GpuError::Lost { .. }) {
        *fault = Some(error);
    }
}

/// What the driver's error is to us.
pub(super) fn named(error: &wgpu::Error) -> GpuError {
    let reason = error.to_string();
    match error {
        wgpu::Error::OutOfMemory { .. } => GpuError::OutOfMemory { reason },
        _ => GpuError::Refused { reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_without_memory_is_told_from_one_that_refuses() {
        let source = || Box::new(std::io::Error::other("no more")) as Box<_>;
        let memory = wgpu::Error::OutOfMemory { source: source() };
        assert!(matches!(named(&memory), GpuError::OutOfMemory { .. }));
        let internal = wgpu::Error::Internal { source: source(), description: "odd".into() };
        assert_eq!(named(&internal), GpuError::Refused { reason: internal.to_string() });
    }
}
