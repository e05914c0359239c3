//! The device that the window draws with, and scenes may be simulated on.
//!
//! Natively never OpenGL: wgpu would take it in silence, in software and rounding otherwise. A page has WebGL2 where there is no
//! WebGPU, for drawing alone.

use std::sync::Arc;

use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};

/// What is looked for.
const BACKENDS: wgpu::Backends =
    if cfg!(target_arch = "wasm32") { wgpu::Backends::all() } else { wgpu::Backends::PRIMARY };

/// How eframe makes its device: with all that the adapter can do, for the simulation needs more than the least.
pub fn configuration() -> WgpuConfiguration {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    setup.instance_descriptor.backends = BACKENDS;
    setup.device_descriptor = Arc::new(|adapter| wgpu::DeviceDescriptor {
        label: Some("muslin-viewer"),
        required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
        required_limits: adapter.limits(),
        ..Default::default()
    });
    WgpuConfiguration { wgpu_setup: WgpuSetup::CreateNew(setup), ..Default::default() }
}

/// Looks whether there is anything to draw with, before a window is opened; the error is one line.
#[cfg(not(target_arch = "wasm32"))]
pub fn probe() -> Result<(), String> {
    if cfg!(all(unix, not(target_vendor = "apple"))) {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
            return Err("there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned());
        }
    }
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = BACKENDS;
    let instance = wgpu::Instance::new(descriptor);
    if pollster::block_on(instance.enumerate_adapters(BACKENDS)).is_empty() {
        return Err("there is no graphics adapter for Vulkan, Metal or DirectX 12 (on Debian `apt install \
                    mesa-vulkan-drivers` has one in software)"
            .to_owned());
    }
    Ok(())
}
