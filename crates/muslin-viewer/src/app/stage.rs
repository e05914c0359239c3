//! The picture in the window's middle: a frame and a view in, a texture of egui out. Drawn only when it would be another.

use eframe::egui_wgpu::RenderState;
use egui::TextureId;

use crate::draw::{Options, PendingPicture, Renderer, View};
use crate::session::{Frame, GpuShare};

/// The renderer, and where its picture is in egui.
pub struct Stage {
    renderer: Renderer,
    state: RenderState,
    texture: Option<TextureId>,
    drawn: Option<Drawn>,
    pictures: u64,
}

/// What makes a picture another.
#[derive(Clone, Copy, PartialEq)]
struct Drawn {
    number: u64,
    opened: u64,
    view: View,
    options: Options,
    size: [u32; 2],
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stage").field("pictures", &self.pictures).finish_non_exhaustive()
    }
}

impl Stage {
    /// On the window's device.
    pub fn new(state: &RenderState) -> Self {
        let renderer = Renderer::new(&state.device, &state.queue);
        Self { renderer, state: state.clone(), texture: None, drawn: None, pictures: 0 }
    }

    /// What draws: "Vulkan, llvmpipe".
    pub fn name(&self) -> String {
        let info = self.state.adapter.get_info();
        match info.backend {
            wgpu::Backend::BrowserWebGpu => format!("WebGPU {}", info.name).trim().to_owned(),
            wgpu::Backend::Gl => format!("WebGL2, {}", info.name),
            backend => format!("{backend:?}, {}", info.name),
        }
    }

    /// Whether the processor draws, which takes time from the simulation.
    pub fn is_software(&self) -> bool {
        let info = self.state.adapter.get_info();
        info.device_type == wgpu::DeviceType::Cpu || info.name.to_lowercase().contains("swiftshader")
    }

    /// The device for scenes that are simulated on it; none on WebGL2, which cannot compute.
    pub fn share(&self) -> Option<GpuShare> {
        let info = self.state.adapter.get_info();
        (info.backend != wgpu::Backend::Gl).then(|| GpuShare {
            device: self.state.device.clone(),
            queue: self.state.queue.clone(),
            name: self.name(),
        })
    }

    /// How many pictures were drawn.
    pub fn pictures(&self) -> u64 {
        self.pictures
    }

    /// The picture of a frame.
    pub fn show(&mut self, frame: &Frame, view: View, options: Options, size: [u32; 2]) -> TextureId {
        let wanted = Drawn { number: frame.number, opened: frame.opened, view, options, size };
        if let Some(texture) = self.texture.filter(|_| self.drawn == Some(wanted)) {
            return texture;
        }
        self.drawn = Some(wanted);
        self.pictures += 1;
        let device = &self.state.device;
        let drawn = self.renderer.draw(&frame.scenery, &view, &options, size);
        let mut egui = self.state.renderer.write();
        let filter = wgpu::FilterMode::Linear;
        match self.texture {
            Some(texture) => {
                egui.update_egui_texture_from_wgpu_texture(device, drawn, filter, texture);
                texture
            }
            None => *self.texture.insert(egui.register_native_texture(device, drawn, filter)),
        }
    }

    /// Begins to draw a picture to be saved.
    pub fn picture(&mut self, frame: &Frame, view: View, options: Options, size: [u32; 2]) -> PendingPicture {
        self.renderer.picture(&frame.scenery, &view, &options, size)
    }

    /// Lets pictures arrive that are on their way.
    pub fn poll(&self) {
        // An error is one of the device: whoever draws next hears of it.
        let _ = self.state.device.poll(wgpu::PollType::Poll);
    }
}
