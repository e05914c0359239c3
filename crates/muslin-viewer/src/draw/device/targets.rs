//! What pictures of a size are drawn into.

use super::layouts::{Layouts, bind};
use super::pipelines::{DEPTH, PIXEL, Quality, SHARE};

/// Textures of a size, and what is bound to read them.
#[derive(Debug)]
pub struct Targets {
    /// Pixels.
    pub size: [u32; 2],
    pub quality: Quality,
    /// Samples; without them, the picture is drawn at once.
    pub color: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    /// The picture.
    pub texture: wgpu::Texture,
    pub result: wgpu::TextureView,
    /// At half resolution, for ambient occlusion: depth, normals, and the openness before and after it is smoothed.
    pub near_depth: wgpu::TextureView,
    pub near_normal: wgpu::TextureView,
    pub openness: [wgpu::TextureView; 2],
    pub occlude: wgpu::BindGroup,
    pub smooth_out: wgpu::BindGroup,
    pub lit: wgpu::BindGroup,
}

/// The shadow map and what else every lit surface reads.
#[derive(Debug)]
pub struct Lights {
    pub frame: wgpu::Buffer,
    pub bound_frame: wgpu::BindGroup,
    pub shadow: wgpu::TextureView,
    pub texels: u32,
    pub compare: wgpu::Sampler,
    pub values: wgpu::TextureView,
}

/// A texture that is drawn into and read.
pub fn texture(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    samples: u32,
    use_too: wgpu::TextureUsages,
) -> wgpu::Texture {
    let read = if samples == 1 { wgpu::TextureUsages::TEXTURE_BINDING } else { wgpu::TextureUsages::empty() };
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | read | use_too,
        view_formats: &[],
    })
}

impl Targets {
    /// For pictures of a size.
    pub fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        lights: &Lights,
        size: [u32; 2],
        quality: Quality,
    ) -> Self {
        let none = wgpu::TextureUsages::empty();
        let plain = wgpu::TextureViewDescriptor::default();
        let make = |label, size, format, samples| {
            texture(device, label, size, format, samples, none).create_view(&plain)
        };
        let half = if quality.soft { size.map(|side| side.div_ceil(2)) } else { [1, 1] };
        let picture = texture(device, "picture", size, PIXEL, 1, wgpu::TextureUsages::COPY_SRC);
        let near_depth = make("near depth", half, DEPTH, 1);
        let near_normal = make("near normals", half, PIXEL, 1);
        let openness = ["unfiltered openness", "openness"].map(|label| make(label, half, SHARE, 1));
        let view = |view| wgpu::BindingResource::TextureView(view);
        let occlusion = |label, read| {
            let resources = [view(&near_depth), view(&near_normal), view(read)];
            bind(device, label, &layouts.occlusion, &resources)
        };
        let lit = [
            lights.frame.as_entire_binding(),
            view(&lights.shadow),
            view(&lights.shadow),
            wgpu::BindingResource::Sampler(&lights.compare),
            view(&openness[1]),
            view(&near_depth),
            view(&lights.values),
        ];
        Self {
            size,
            quality,
            color: (quality.samples > 1).then(|| make("samples", size, PIXEL, quality.samples)),
            depth: make("depth", size, DEPTH, quality.samples),
            result: picture.create_view(&plain),
            texture: picture,
            occlude: occlusion("occlude", &openness[1]),
            smooth_out: occlusion("smooth out", &openness[0]),
            lit: bind(device, "lit", &layouts.lit, &lit),
            near_depth,
            near_normal,
            openness,
        }
    }
}
