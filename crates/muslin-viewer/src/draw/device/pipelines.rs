//! The pipelines: shaders put together from their parts, and what each draws into.

use wgpu::{
    BlendState, CompareFunction, DepthStencilState, RenderPipeline, TextureFormat, VertexBufferLayout,
    VertexFormat, VertexStepMode,
};

use super::layouts::Layouts;

/// Pixels of pictures: bytes, which shaders encode as sRGB.
pub const PIXEL: TextureFormat = TextureFormat::Rgba8Unorm;
/// Depth of everything.
pub const DEPTH: TextureFormat = TextureFormat::Depth32Float;
/// A vertex: the bits of its position, and its normal in 2 × 16 bits. Integers, because not all devices render to floats.
pub const VERTEX: TextureFormat = TextureFormat::Rgba32Uint;
/// A share of light.
pub const SHARE: TextureFormat = TextureFormat::R8Unorm;
/// Samples per pixel.
pub const SAMPLES: u32 = 4;

macro_rules! shader {
    ($($name:literal),+) => { concat!($(include_str!(concat!("../shaders/", $name, ".wgsl")), "\n"),+) };
}

/// All pipelines.
#[derive(Debug)]
pub struct Pipelines {
    pub vertices: RenderPipeline,
    pub shadow: RenderPipeline,
    pub near: RenderPipeline,
    pub near_floor: RenderPipeline,
    pub occlude: RenderPipeline,
    pub smooth_out: RenderPipeline,
    pub surface: RenderPipeline,
    pub floor: RenderPipeline,
    pub sky: RenderPipeline,
    pub wire: RenderPipeline,
    pub mark: RenderPipeline,
    pub shrink: RenderPipeline,
}

/// What is particular about a pipeline.
struct Plan<'a> {
    module: &'a wgpu::ShaderModule,
    groups: &'a [&'a wgpu::BindGroupLayout],
    vertex: &'a str,
    buffers: &'a [Option<VertexBufferLayout<'a>>],
    fragment: Option<(&'a str, TextureFormat, Option<BlendState>)>,
    depth: Option<(bool, CompareFunction)>,
    samples: u32,
    cull: Option<wgpu::Face>,
}

impl Plan<'_> {
    fn make(&self, device: &wgpu::Device) -> RenderPipeline {
        let groups: Vec<_> = self.groups.iter().map(|&group| Some(group)).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.vertex),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let target = self.fragment.map(|(_, format, blend)| {
            Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
        });
        let compilation_options = wgpu::PipelineCompilationOptions::default();
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.vertex),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: compilation_options.clone(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode: self.cull, ..Default::default() },
            depth_stencil: self.depth.map(|(write, compare)| DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: self.fragment.map(|(entry, ..)| wgpu::FragmentState {
                module: self.module,
                entry_point: Some(entry),
                compilation_options,
                targets: target.as_slice(),
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

impl Pipelines {
    /// On a device.
    pub fn new(device: &wgpu::Device, layouts: &Layouts) -> Self {
        let module = |label: &str, text: &'static str| {
            let source = wgpu::ShaderSource::Wgsl(text.into());
            device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source })
        };
        let vertices = module("vertices", shader!("vertices"));
        let depth = module("depth", shader!("frame", "surface", "depth"));
        let floor = module("floor", shader!("frame", "floor"));
        let occlusion = module("occlusion", shader!("frame", "occlusion"));
        let cloth = module("cloth", shader!("frame", "surface", "light", "weave", "cloth"));
        let ground = module("ground", shader!("frame", "light", "floor", "ground"));
        let wire = module("wire", shader!("frame", "surface", "wire"));
        let marks = module("marks", shader!("frame", "marks"));
        let shrink = module("shrink", shader!("shrink"));

        let Layouts { frame, lit, surface, .. } = layouts;
        let (greater, always) = (CompareFunction::Greater, CompareFunction::Always);
        let over = Some(BlendState::ALPHA_BLENDING);
        let plain = |module, vertex| Plan {
            module,
            groups: &[],
            vertex,
            buffers: &[],
            fragment: None,
            depth: None,
            samples: 1,
            cull: None,
        };
        let seen = |module, vertex, fragment, blend, depth| Plan {
            fragment: Some((fragment, PIXEL, blend)),
            depth: Some(depth),
            samples: SAMPLES,
            ..plain(module, vertex)
        };
        let pass = |module, fragment, format| Plan {
            fragment: Some((fragment, format, None)),
            ..plain(module, "cover")
        };
        let make = |plan: Plan<'_>, groups: &[&wgpu::BindGroupLayout]| Plan { groups, ..plan }.make(device);
        let near = |module, vertex, fragment| Plan {
            fragment: Some((fragment, PIXEL, None)),
            depth: Some((true, greater)),
            ..plain(module, vertex)
        };
        let [flat, value, mark] = buffers();
        let shown = seen(&cloth, "show", "shade", None, (true, greater));
        let put = seen(&marks, "put", "draw_mark", over, (false, always));
        let wired = seen(&wire, "span_wire", "draw_wire", over, (false, CompareFunction::GreaterEqual));
        let sky = seen(&ground, "span", "shade_sky", None, (false, CompareFunction::GreaterEqual));
        let laid = seen(&ground, "lay", "shade_floor", None, (true, greater));
        let cast = Plan { depth: Some((true, CompareFunction::Less)), ..plain(&depth, "seen_by_light") };
        Self {
            vertices: make(pass(&vertices, "gather", VERTEX), &[&layouts.vertices]),
            shadow: make(cast, &[frame, surface]),
            near: make(near(&depth, "seen_by_camera", "normal"), &[frame, surface]),
            near_floor: make(near(&floor, "lay", "floor_normal"), &[frame]),
            occlude: make(pass(&occlusion, "occlude", SHARE), &[frame, &layouts.occlusion]),
            smooth_out: make(pass(&occlusion, "smooth_out", SHARE), &[frame, &layouts.occlusion]),
            surface: make(Plan { buffers: &[Some(flat), Some(value)], ..shown }, &[lit, surface]),
            floor: make(laid, &[lit]),
            sky: make(sky, &[lit]),
            wire: make(wired, &[frame, surface]),
            mark: make(Plan { buffers: &[Some(mark)], ..put }, &[frame]),
            shrink: make(pass(&shrink, "shrink", PIXEL), &[&layouts.shrink]),
        }
    }
}

/// Flat coordinates, values, and marks.
fn buffers() -> [VertexBufferLayout<'static>; 3] {
    const FLAT: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![0 => Float32x2];
    const VALUE: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![1 => Float32];
    const MARK: &[wgpu::VertexAttribute] = &wgpu::vertex_attr_array![0 => Float32x3, 1 => Uint32];
    let layout = |attributes: &'static [wgpu::VertexAttribute], step_mode| VertexBufferLayout {
        array_stride: attributes.iter().map(|a: &wgpu::VertexAttribute| VertexFormat::size(&a.format)).sum(),
        step_mode,
        attributes,
    };
    let vertex = VertexStepMode::Vertex;
    [layout(FLAT, vertex), layout(VALUE, vertex), layout(MARK, VertexStepMode::Instance)]
}
