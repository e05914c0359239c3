//! The kernels, compiled and bound.

use std::collections::HashMap;

use super::buffers::Buffers;
use super::device::Gpu;
use super::kernel::{Kernel, SmallSizes};
use super::uniforms::UniformTable;

/// The compiled kernels with their bindings for every pair of point buffers.
pub(super) struct Pipelines {
    pipelines: HashMap<Kernel, wgpu::ComputePipeline>,
    groups: HashMap<(Kernel, u8, u8), wgpu::BindGroup>,
}

impl Pipelines {
    /// Compiles the kernels that are used and binds them.
    pub fn new(gpu: &Gpu, buffers: &Buffers, used: &[Kernel]) -> Self {
        let small = SmallSizes::of(&gpu.device.limits());
        let mut all = Self { pipelines: HashMap::new(), groups: HashMap::new() };
        for &kernel in used {
            let writes = kernel.bindings().iter().map(|binding| binding.writes());
            let compiled = Compiled::new(gpu, kernel.name(), kernel.source(small), writes);
            let uniform = if kernel.is_per_step() { &buffers.steps } else { &buffers.levels };
            for front in 0..3u8 {
                for back in (0..3u8).filter(|&back| back != front) {
                    let points = [front, back].map(usize::from);
                    let bound = kernel.bindings().iter().map(|&binding| buffers.of(binding, points));
                    let group = compiled.bind(gpu, kernel.name(), uniform, bound);
                    all.groups.insert((kernel, front, back), group);
                }
            }
            all.pipelines.insert(kernel, compiled.pipeline);
        }
        all
    }

    /// Records one dispatch.
    pub fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass,
        kernel: Kernel,
        [front, back]: [u8; 2],
        uniform_offset: u32,
        workgroups: u32,
    ) {
        pass.set_pipeline(&self.pipelines[&kernel]);
        pass.set_bind_group(0, &self.groups[&(kernel, front, back)], &[uniform_offset]);
        pass.dispatch_workgroups(workgroups, 1, 1);
    }
}

/// A compiled kernel.
pub(super) struct Compiled {
    pub layout: wgpu::BindGroupLayout,
    pub pipeline: wgpu::ComputePipeline,
}

impl Compiled {
    /// Compiles a kernel: binding 0 is a uniform with an offset, the others are buffers, written to or not.
    pub fn new(gpu: &Gpu, name: &str, source: String, writes: impl Iterator<Item = bool>) -> Self {
        let layout = layout(gpu, name, writes);
        let pipeline = pipeline(gpu, name, source, &layout);
        Self { layout, pipeline }
    }

    /// Binds it.
    pub fn bind<'a>(
        &self,
        gpu: &Gpu,
        name: &str,
        uniform: &UniformTable,
        buffers: impl Iterator<Item = &'a wgpu::Buffer>,
    ) -> wgpu::BindGroup {
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniform.binding() }];
        for (binding, buffer) in (1..).zip(buffers) {
            entries.push(wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
        }
        let descriptor =
            wgpu::BindGroupDescriptor { label: Some(name), layout: &self.layout, entries: &entries };
        gpu.device.create_bind_group(&descriptor)
    }
}

fn layout(gpu: &Gpu, name: &str, writes: impl Iterator<Item = bool>) -> wgpu::BindGroupLayout {
    let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true)];
    for (binding, writes) in (1..).zip(writes) {
        entries.push(entry(binding, wgpu::BufferBindingType::Storage { read_only: !writes }, false));
    }
    let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries };
    gpu.device.create_bind_group_layout(&descriptor)
}

fn pipeline(gpu: &Gpu, name: &str, source: String, layout: &wgpu::BindGroupLayout) -> wgpu::ComputePipeline {
    let label = Some(name);
    let source = wgpu::ShaderSource::Wgsl(source.into());
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
    let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module: &module,
        entry_point: Some("main"),
        // Every word of workgroup memory is written before it is read.
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}
