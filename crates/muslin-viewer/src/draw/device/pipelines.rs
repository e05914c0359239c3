//! The pipelines: shaders put together from their parts, and what each draws into.

use std::collections::HashMap;

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
macro_rules! shader {
    ($($name:literal),+) => { concat!($(include_str!(concat!("../shaders/", $name, ".wgsl")), "\n"),+) };
}

/// What the colour of a surface is made of: a pipeline each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A weave, as in `shaders/weave.wgsl`.
    Weave(u32),
    /// Values by the colour scale.
    Values,
}

/// How much work a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quality {
    /// Whether shadows are soft and folds dark.
    pub soft: bool,
    /// Samples per pixel: 4 or 1.
    pub samples: u32,
}

/// What draws into a picture beside surfaces.
#[derive(Debug)]
pub struct Around {
    pub floor: RenderPipeline,
    pub sky: RenderPipeline,
    pub wire: RenderPipeline,
    pub mark: RenderPipeline,
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
    pub shrink: RenderPipeline,
    /// Made when they are first used.
    surfaces: HashMap<(Pattern, Quality), RenderPipeline>,
    around: HashMap<Quality, Around>,
    cloth: wgpu::ShaderModule,
    ground: wgpu::ShaderModule,
    wire: wgpu::ShaderModule,
    marks: wgpu::ShaderModule,
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
    /// What shaders leave open.
    constants: &'a [(&'a str, f64)],
}

impl Plan<'_> {
    /// The same over what is already there.
    fn blended(self) -> Self {
        let over = |(entry, format, _)| (entry, format, Some(BlendState::ALPHA_BLENDING));
        Self { fragment: self.fragment.map(over), ..self }
    }

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
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants: self.constants, ..Default::default() };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.vertex),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: compilation_options.clone(),
                buffers: self.buffers,
            },
            primitive: Default::default(),
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

        let Layouts { frame, surface, .. } = layouts;
        let make = |plan: Plan<'_>, groups: &[&wgpu::BindGroupLayout]| Plan { groups, ..plan }.make(device);
        let cast = Plan { depth: Some((true, CompareFunction::Less)), ..plain(&depth, "seen_by_light") };
        Self {
            vertices: make(pass(&vertices, "gather", VERTEX), &[&layouts.vertices]),
            shadow: make(cast, &[frame, surface]),
            near: make(near(&depth, "seen_by_camera", "normal"), &[frame, surface]),
            near_floor: make(near(&floor, "lay", "floor_normal"), &[frame]),
            occlude: make(pass(&occlusion, "occlude", SHARE), &[frame, &layouts.occlusion]),
            smooth_out: make(pass(&occlusion, "smooth_out", SHARE), &[frame, &layouts.occlusion]),
            shrink: make(pass(&shrink, "shrink", PIXEL), &[&layouts.shrink]),
            surfaces: HashMap::new(),
            around: HashMap::new(),
            cloth,
            ground,
            wire,
            marks,
        }
    }

    /// Makes what is needed to draw a pattern, and what is around it.
    pub fn prepare(&mut self, device: &wgpu::Device, layouts: &Layouts, pattern: Pattern, quality: Quality) {
        self.prepare_around(device, layouts, quality);
        let [flat, value, _] = buffers();
        self.surfaces.entry((pattern, quality)).or_insert_with(|| {
            let weave = if let Pattern::Weave(weave) = pattern { weave } else { 0 };
            let values = f64::from(u8::from(pattern == Pattern::Values));
            Plan {
                buffers: &[Some(flat), Some(value)],
                groups: &[&layouts.lit, &layouts.surface],
                constants: &[quality.constant(), ("WEAVE", f64::from(weave)), ("VALUES", values)],
                depth: Some((true, CompareFunction::Greater)),
                ..seen(&self.cloth, ["show", "shade"], quality)
            }
            .make(device)
        });
    }

    fn prepare_around(&mut self, device: &wgpu::Device, layouts: &Layouts, quality: Quality) {
        let Layouts { frame, lit, surface, .. } = layouts;
        let not_behind = Some((false, CompareFunction::GreaterEqual));
        let constants = &[quality.constant()];
        let [.., mark] = buffers();
        self.around.entry(quality).or_insert_with(|| {
            let floor = Plan {
                groups: &[lit],
                constants,
                depth: Some((true, CompareFunction::Greater)),
                ..seen(&self.ground, ["lay", "shade_floor"], quality)
            };
            let sky = seen(&self.ground, ["span", "shade_sky"], quality);
            let sky = Plan { groups: &[lit], depth: not_behind, ..sky };
            let wire = seen(&self.wire, ["span_wire", "draw_wire"], quality).blended();
            let wire = Plan { groups: &[frame, surface], depth: not_behind, ..wire };
            let mark = Plan {
                groups: &[frame],
                buffers: &[Some(mark)],
                depth: Some((false, CompareFunction::Always)),
                ..seen(&self.marks, ["put", "draw_mark"], quality).blended()
            };
            let [floor, sky, wire, mark] = [floor, sky, wire, mark].map(|plan| plan.make(device));
            Around { floor, sky, wire, mark }
        });
    }

    /// What draws a pattern, if it is prepared.
    pub fn surface(&self, pattern: Pattern, quality: Quality) -> Option<&RenderPipeline> {
        self.surfaces.get(&(pattern, quality))
    }

    /// What draws all else, if it is prepared.
    pub fn around(&self, quality: Quality) -> Option<&Around> {
        self.around.get(&quality)
    }
}

impl Quality {
    /// What it is to shaders.
    fn constant(self) -> (&'static str, f64) {
        ("SOFT", f64::from(u8::from(self.soft)))
    }
}

fn plain<'a>(module: &'a wgpu::ShaderModule, vertex: &'a str) -> Plan<'a> {
    let (groups, buffers, constants) = (&[], &[], &[]);
    Plan { module, groups, vertex, buffers, fragment: None, depth: None, samples: 1, constants }
}

/// Into the picture.
fn seen<'a>(module: &'a wgpu::ShaderModule, [vertex, fragment]: [&'a str; 2], quality: Quality) -> Plan<'a> {
    Plan { fragment: Some((fragment, PIXEL, None)), samples: quality.samples, ..plain(module, vertex) }
}

/// Depth and normals at half resolution.
fn near<'a>(module: &'a wgpu::ShaderModule, vertex: &'a str, fragment: &'a str) -> Plan<'a> {
    let (fragment, depth) = (Some((fragment, PIXEL, None)), Some((true, CompareFunction::Greater)));
    Plan { fragment, depth, ..plain(module, vertex) }
}

/// Over all pixels.
fn pass<'a>(module: &'a wgpu::ShaderModule, fragment: &'a str, format: TextureFormat) -> Plan<'a> {
    Plan { fragment: Some((fragment, format, None)), ..plain(module, "cover") }
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
