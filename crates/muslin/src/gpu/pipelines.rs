//! The kernels, compiled and bound.

use std::collections::HashMap;

use super::buffers::Buffers;
use super::device::Gpu;
use super::kernel::{Kernel, SmallSizes};

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
            let layout = layout(gpu, kernel);
            all.pipelines.insert(kernel, pipeline(gpu, kernel, &layout, small));
            for front in 0..3u8 {
                for back in (0..3u8).filter(|&back| back != front) {
                    let group = bind(gpu, kernel, &layout, buffers, [front, back].map(usize::from));
                    all.groups.insert((kernel, front, back), group);
                }
            }
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

fn layout(gpu: &Gpu, kernel: Kernel) -> wgpu::BindGroupLayout {
    let entry = |binding: usize, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true)];
    for (i, binding) in kernel.bindings().iter().enumerate() {
        let storage = wgpu::BufferBindingType::Storage { read_only: !binding.writes() };
        entries.push(entry(i + 1, storage, false));
    }
    let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(kernel.name()), entries: &entries };
    gpu.device.create_bind_group_layout(&descriptor)
}

fn pipeline(
    gpu: &Gpu,
    kernel: Kernel,
    layout: &wgpu::BindGroupLayout,
    small: SmallSizes,
) -> wgpu::ComputePipeline {
    let label = Some(kernel.name());
    let source = wgpu::ShaderSource::Wgsl(kernel.source(small).into());
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

fn bind(
    gpu: &Gpu,
    kernel: Kernel,
    layout: &wgpu::BindGroupLayout,
    buffers: &Buffers,
    points: [usize; 2],
) -> wgpu::BindGroup {
    let uniform = if kernel.is_per_step() { &buffers.steps } else { &buffers.levels };
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniform.binding() }];
    for (i, &binding) in kernel.bindings().iter().enumerate() {
        let resource = buffers.of(binding, points).as_entire_binding();
        entries.push(wgpu::BindGroupEntry { binding: i as u32 + 1, resource });
    }
    let descriptor = wgpu::BindGroupDescriptor { label: Some(kernel.name()), layout, entries: &entries };
    gpu.device.create_bind_group(&descriptor)
}
