//! The renderer: its pipelines, what it keeps on the device between pictures, and the list of passes of a picture.
//!
//! ```text
//! positions ─► vertices (normals) ─┬─► shadow map ──────────────────────┐
//!                                  ├─► depth, normals ─► openness (AO) ─┤
//!                                  └─► surfaces, ground, sky, wireframe, marks ─► picture
//! ```

use wgpu::{LoadOp, Operations, StoreOp};

use super::device::layouts::{Layouts, bind};
use super::device::marks::Marks;
use super::device::pipelines::{DEPTH, Pattern, Pipelines, Quality};
use super::device::rows::Rows;
use super::device::surfaces::Surfaces;
use super::device::targets::{Lights, Targets, texture};
use super::frame::{Frame, linear};
use super::picture::PendingPicture;
use super::stage::Stage;
use super::values::value_color;
use super::{Options, Scenery, View};

/// Texels along a side of the shadow map, with soft light and without.
const SHADOW: [u32; 2] = [2048, 1024];

/// Draws sceneries on one device.
#[derive(Debug)]
pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    layouts: Layouts,
    pipelines: Pipelines,
    lights: Lights,
    surfaces: Surfaces,
    marks: Marks,
    window: Option<Targets>,
    /// Whether the device is a program on the CPU, to which samples are dear.
    is_software: bool,
}

impl Renderer {
    /// For a device, WebGL2's too (which has no compute shaders and no storage buffers).
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let layouts = Layouts::new(device);
        let pipelines = Pipelines::new(device, &layouts);
        let lights = lights(device, queue, &layouts, SHADOW[1]);
        Self {
            surfaces: Surfaces::new(device, queue),
            marks: Marks::default(),
            window: None,
            is_software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            device: device.clone(),
            queue: queue.clone(),
            layouts,
            pipelines,
            lights,
        }
    }

    /// Draws into a texture of its own (`Rgba8Unorm`, sRGB-encoded) of so many pixels, which is good until the next call.
    pub fn draw(
        &mut self,
        scenery: &Scenery,
        view: &View,
        options: &Options,
        size: [u32; 2],
    ) -> &wgpu::TextureView {
        let soft = options.soft_light;
        let quality = Quality { soft, samples: if self.is_software && !soft { 1 } else { 4 } };
        let size = self.possible(size);
        let targets = self.window.take().filter(|t| t.size == size && t.quality == quality);
        let targets = targets.unwrap_or_else(|| self.targets(size, quality));
        self.paint(scenery, view, options, &targets, 1.0);
        &self.window.insert(targets).result
    }

    /// Draws a picture to be saved, with more samples per pixel than the window has, and begins to bring it back.
    pub fn picture(
        &mut self,
        scenery: &Scenery,
        view: &View,
        options: &Options,
        size: [u32; 2],
    ) -> PendingPicture {
        let quality = Quality { soft: options.soft_light, samples: 4 };
        let size = self.possible(size);
        let large = size.map(|side| 2 * side);
        if self.possible(large) != large {
            let targets = self.targets(size, quality);
            self.paint(scenery, view, options, &targets, 1.0);
            return PendingPicture::new(&self.device, &self.queue, &targets.texture);
        }
        let targets = self.targets(large, quality);
        self.paint(scenery, view, options, &targets, 2.0);
        let usage = wgpu::TextureUsages::COPY_SRC;
        let small = texture(&self.device, "shrunk", size, wgpu::TextureFormat::Rgba8Unorm, 1, usage);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let read = [wgpu::BindingResource::TextureView(&targets.result)];
        let bound = bind(&self.device, "shrink", &self.layouts.shrink, &read);
        let view = small.create_view(&Default::default());
        cover(&mut encoder, &self.pipelines.shrink, &view, &[&bound]);
        self.queue.submit([encoder.finish()]);
        PendingPicture::new(&self.device, &self.queue, &small)
    }

    /// The nearest size that the device has textures of.
    fn possible(&self, size: [u32; 2]) -> [u32; 2] {
        size.map(|side| side.clamp(1, self.device.limits().max_texture_dimension_2d))
    }

    fn targets(&mut self, size: [u32; 2], quality: Quality) -> Targets {
        let texels = SHADOW[usize::from(!quality.soft)];
        if self.lights.texels != texels {
            self.lights = lights(&self.device, &self.queue, &self.layouts, texels);
            self.window = None;
        }
        Targets::new(&self.device, &self.layouts, &self.lights, size, quality)
    }

    /// All passes of a picture.
    fn paint(&mut self, scenery: &Scenery, view: &View, options: &Options, targets: &Targets, scale: f32) {
        let (device, queue) = (&self.device, &self.queue);
        let mut encoder = device.create_command_encoder(&Default::default());
        let means = (&self.layouts, &self.pipelines);
        self.surfaces.update(device, queue, &mut encoder, means, scenery, options.wireframe);
        self.pipelines.prepare(device, &self.layouts, Pattern::Weave(0), targets.quality);
        for drawn in self.surfaces.iter() {
            self.pipelines.prepare(device, &self.layouts, drawn.pattern, targets.quality);
        }
        let marks = if options.marks { &scenery.marks[..] } else { &[] };
        self.marks.write(device, queue, marks);
        let aspect = targets.size[0] as f32 / targets.size[1] as f32;
        let stage = Stage::new(scenery, view, aspect, self.surfaces.bounds(), self.lights.texels);
        let frame = Frame::new(scenery, view, options, &stage, targets.size, scale);
        queue.write_buffer(&self.lights.frame, 0, bytemuck::bytes_of(&frame));
        // The ground is not seen from below.
        let has_ground = scenery.ground.is_some_and(|g| view.eye.dot(stage.up) > g.height);

        self.shadow(&mut encoder);
        if targets.quality.soft {
            self.occlusion(&mut encoder, targets, has_ground);
        }
        self.color(&mut encoder, targets, has_ground, options.wireframe);
        queue.submit([encoder.finish()]);
    }

    /// What the key light sees.
    fn shadow(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = begin(encoder, "shadow", None, Some((&self.lights.shadow, 1.0)));
        pass.set_pipeline(&self.pipelines.shadow);
        pass.set_bind_group(0, &self.lights.bound_frame, &[]);
        self.draw_all(&mut pass);
    }

    /// How open places are to light from all around.
    fn occlusion(&self, encoder: &mut wgpu::CommandEncoder, targets: &Targets, has_ground: bool) {
        let depth = Some((&targets.near_depth, 0.0));
        let mut pass = begin(encoder, "near", Some((&targets.near_normal, None)), depth);
        pass.set_pipeline(&self.pipelines.near);
        pass.set_bind_group(0, &self.lights.bound_frame, &[]);
        self.draw_all(&mut pass);
        if has_ground {
            pass.set_pipeline(&self.pipelines.near_floor);
            pass.draw(0..6, 0..1);
        }
        drop(pass);
        let frame = &self.lights.bound_frame;
        let [first, second] = &targets.openness;
        cover(encoder, &self.pipelines.occlude, first, &[frame, &targets.occlude]);
        cover(encoder, &self.pipelines.smooth_out, second, &[frame, &targets.smooth_out]);
    }

    /// The picture.
    fn color(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        has_ground: bool,
        wireframe: bool,
    ) {
        let Some(around) = self.pipelines.around(targets.quality) else { return };
        let color = match &targets.color {
            Some(samples) => (samples, Some(&targets.result)),
            None => (&targets.result, None),
        };
        let mut pass = begin(encoder, "picture", Some(color), Some((&targets.depth, 0.0)));
        pass.set_bind_group(0, &targets.lit, &[]);
        for drawn in self.surfaces.iter() {
            let Some(pipeline) = self.pipelines.surface(drawn.pattern, targets.quality) else { continue };
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, drawn.flat.slice(..));
            pass.set_vertex_buffer(1, drawn.values.slice(..));
            drawn.surface.draw(&mut pass);
        }
        if has_ground {
            pass.set_pipeline(&around.floor);
            pass.draw(0..6, 0..1);
        }
        pass.set_pipeline(&around.sky);
        pass.draw(0..3, 0..1);
        pass.set_bind_group(0, &self.lights.bound_frame, &[]);
        if wireframe {
            pass.set_pipeline(&around.wire);
            self.surfaces.iter().for_each(|drawn| drawn.surface.draw_wire(&mut pass));
        }
        if let Some((buffer, count)) = self.marks.get() {
            pass.set_pipeline(&around.mark);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..6, 0..count);
        }
    }

    fn draw_all(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.surfaces.iter().for_each(|drawn| drawn.surface.draw(pass));
    }
}

/// Begins a pass that clears what it draws into: the colour (and what it is resolved to), the depth and what it is cleared to.
fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    color: Option<(&wgpu::TextureView, Option<&wgpu::TextureView>)>,
    depth: Option<(&wgpu::TextureView, f32)>,
) -> wgpu::RenderPass<'a> {
    let color = color.map(|(view, resolve_target)| {
        // Samples are of no use once they are resolved.
        let store = if resolve_target.is_some() { StoreOp::Discard } else { StoreOp::Store };
        let ops = Operations { load: LoadOp::Clear(wgpu::Color::BLACK), store };
        Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops })
    });
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: color.as_slice(),
        depth_stencil_attachment: depth.map(|(view, far)| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(Operations { load: LoadOp::Clear(far), store: StoreOp::Store }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}

/// A pass over all pixels.
fn cover(
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &wgpu::RenderPipeline,
    view: &wgpu::TextureView,
    groups: &[&wgpu::BindGroup],
) {
    let mut pass = begin(encoder, "cover", Some((view, None)), None);
    pass.set_pipeline(pipeline);
    for (i, &group) in groups.iter().enumerate() {
        pass.set_bind_group(i as u32, group, &[]);
    }
    pass.draw(0..3, 0..1);
}

fn lights(device: &wgpu::Device, queue: &wgpu::Queue, layouts: &Layouts, texels: u32) -> Lights {
    let frame = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("frame"),
        size: size_of::<Frame>() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let bound_frame = bind(device, "frame", &layouts.frame, &[frame.as_entire_binding()]);
    let none = wgpu::TextureUsages::empty();
    let shadow = texture(device, "shadow", [texels; 2], DEPTH, 1, none).create_view(&Default::default());
    let compare = device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("nearer"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare: Some(wgpu::CompareFunction::LessEqual),
        ..Default::default()
    });
    let scale: Vec<[f32; 4]> =
        (0..256).map(|i| linear(value_color(i as f32 / 255.0)).extend(1.0).to_array()).collect();
    let values = Rows::small(device, queue, "scale of values", &scale, wgpu::TextureFormat::Rgba32Float);
    Lights { frame, bound_frame, shadow, texels, compare, values: values.view }
}
