//! What shaders are given: the layouts of bind groups, as the `@group` and `@binding` of `shaders/`.

use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType,
    SamplerBindingType, ShaderStages, TextureSampleType, TextureViewDimension,
};

/// All layouts.
#[derive(Debug)]
pub struct Layouts {
    /// `Frame` alone.
    pub frame: BindGroupLayout,
    /// `Frame`, shadows, ambient occlusion and the scale of values.
    pub lit: BindGroupLayout,
    /// A surface.
    pub surface: BindGroupLayout,
    /// The pass over vertices.
    pub vertices: BindGroupLayout,
    /// Depth and normals for ambient occlusion, and the unfiltered result.
    pub occlusion: BindGroupLayout,
    /// A picture to be halved.
    pub shrink: BindGroupLayout,
}

const UNFILTERED: TextureSampleType = TextureSampleType::Float { filterable: false };
const FILTERED: TextureSampleType = TextureSampleType::Float { filterable: true };
const UNIFORM: BindingType =
    BindingType::Buffer { ty: BufferBindingType::Uniform, has_dynamic_offset: false, min_binding_size: None };

fn texture(sample_type: TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: TextureViewDimension::D2, multisampled: false }
}

impl Layouts {
    /// On a device.
    pub fn new(device: &wgpu::Device) -> Self {
        let both = ShaderStages::VERTEX_FRAGMENT;
        let make = |label: &str, visibility: ShaderStages, types: &[BindingType]| {
            let entry = |(binding, &ty): (usize, &BindingType)| BindGroupLayoutEntry {
                binding: binding as u32,
                visibility,
                ty,
                count: None,
            };
            let entries: Vec<_> = types.iter().enumerate().map(entry).collect();
            device.create_bind_group_layout(&BindGroupLayoutDescriptor {
                label: Some(label),
                entries: &entries,
            })
        };
        let compare = BindingType::Sampler(SamplerBindingType::Comparison);
        let linear = BindingType::Sampler(SamplerBindingType::Filtering);
        let (plain, uints) = (texture(UNFILTERED), texture(TextureSampleType::Uint));
        let lit = [UNIFORM, texture(TextureSampleType::Depth), plain, compare, plain, plain, plain];
        Self {
            frame: make("frame", both, &[UNIFORM]),
            lit: make("frame with light", both, &lit),
            surface: make("surface", both, &[UNIFORM, uints, texture(FILTERED), linear, uints]),
            vertices: make("vertices", ShaderStages::FRAGMENT, &[UNIFORM, plain, uints, uints]),
            occlusion: make("occlusion", ShaderStages::FRAGMENT, &[plain, plain, plain]),
            shrink: make("shrink", ShaderStages::FRAGMENT, &[plain]),
        }
    }
}

/// A bind group of these resources, in order.
pub fn bind<'a>(
    device: &wgpu::Device,
    label: &str,
    layout: &BindGroupLayout,
    resources: &[wgpu::BindingResource<'a>],
) -> wgpu::BindGroup {
    let resources = resources.iter().cloned().zip(0..);
    let entry =
        |(resource, binding): (wgpu::BindingResource<'a>, u32)| wgpu::BindGroupEntry { binding, resource };
    let entries: Vec<_> = resources.map(entry).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
