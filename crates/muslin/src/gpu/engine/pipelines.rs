//! Kernels compiled, bound, and recorded.

use std::collections::HashMap;

use super::device::{Gpu, GpuError};
use super::kernel::{Binding, Dispatch, Family, Kernel};
use super::memory::Memory;

/// The kernels of a family at work on its memory.
pub(crate) struct Engine<F: Family> {
    pub gpu: Gpu,
    pub memory: Memory<F>,
    pipelines: Pipelines<F>,
}

/// The compiled kernels, and their bindings for the buffers that came up. Those are few and come again and again; all that
/// could be are many more.
struct Pipelines<F: Family> {
    compiled: HashMap<&'static str, Compiled>,
    groups: HashMap<(&'static str, [F::Buffer; 3]), wgpu::BindGroup>,
}

struct Compiled {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl<F: Family> Engine<F> {
    /// Compiles kernels, each of which may come several times, behind the family's constants.
    pub fn new(
        gpu: &Gpu,
        memory: Memory<F>,
        kernels: impl Iterator<Item = &'static Kernel<F>>,
        constants: &str,
    ) -> Result<Self, GpuError> {
        let mut compiled = HashMap::new();
        compile(gpu, &mut compiled, kernels, constants)?;
        Ok(Self { gpu: gpu.clone(), memory, pipelines: Pipelines { compiled, groups: HashMap::new() } })
    }

    /// Works on other memory from now on, with these dispatches bound; what is compiled already (behind the same constants) is
    /// not compiled again. If that fails it goes on with what it had.
    pub fn set_memory<'a>(
        &mut self,
        memory: Memory<F>,
        dispatches: impl Iterator<Item = &'a Dispatch<F>> + Clone,
        constants: &str,
    ) -> Result<(), GpuError> {
        let kernels = dispatches.clone().map(|dispatch| dispatch.kernel);
        compile(&self.gpu, &mut self.pipelines.compiled, kernels, constants)?;
        let groups = std::mem::take(&mut self.pipelines.groups);
        let memory = std::mem::replace(&mut self.memory, memory);
        dispatches.for_each(|dispatch| self.bind(std::slice::from_ref(dispatch)));
        self.gpu.check().inspect_err(|_| (self.pipelines.groups, self.memory) = (groups, memory))
    }

    /// Binds what is not bound yet.
    pub fn bind(&mut self, dispatches: &[Dispatch<F>]) {
        let Pipelines { compiled, groups } = &mut self.pipelines;
        for dispatch in dispatches {
            groups.entry(dispatch.bound()).or_insert_with(|| {
                let compiled = &compiled[dispatch.kernel.name];
                self.gpu.watched(|| compiled.bind(&self.gpu, &self.memory, dispatch))
            });
        }
    }

    /// Records dispatches that are bound, in one pass.
    pub fn encode(&self, dispatches: impl IntoIterator<Item = Dispatch<F>>) -> wgpu::CommandEncoder {
        self.gpu.watched(|| self.encode_them(dispatches))
    }

    fn encode_them(&self, dispatches: impl IntoIterator<Item = Dispatch<F>>) -> wgpu::CommandEncoder {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let mut before = None;
        for dispatch in dispatches {
            self.record(&mut pass, &dispatch, before);
            before = Some(dispatch.kernel);
        }
        drop(pass);
        encoder
    }

    /// Records a dispatch; `before` is the kernel of the one before it in this pass.
    pub(super) fn record(
        &self,
        pass: &mut wgpu::ComputePass,
        dispatch: &Dispatch<F>,
        before: Option<&'static Kernel<F>>,
    ) {
        if before != Some(dispatch.kernel) {
            pass.set_pipeline(&self.pipelines.compiled[dispatch.kernel.name].pipeline);
        }
        let offset = self.memory.offset(dispatch.kernel.uniform, dispatch.uniform);
        pass.set_bind_group(0, &self.pipelines.groups[&dispatch.bound()], &[offset]);
        pass.dispatch_workgroups(dispatch.workgroups(), 1, 1);
    }
}

/// Compiles what is not compiled yet.
fn compile<F: Family>(
    gpu: &Gpu,
    compiled: &mut HashMap<&'static str, Compiled>,
    kernels: impl Iterator<Item = &'static Kernel<F>>,
    constants: &str,
) -> Result<(), GpuError> {
    for kernel in kernels {
        compiled.entry(kernel.name).or_insert_with(|| gpu.watched(|| Compiled::new(gpu, kernel, constants)));
    }
    gpu.check()
}

impl Compiled {
    fn new<F: Family>(gpu: &Gpu, kernel: &Kernel<F>, constants: &str) -> Self {
        let layout = layout(gpu, kernel);
        let pipeline = pipeline(gpu, kernel.name, kernel.source(constants), &layout);
        Self { layout, pipeline }
    }

    fn bind<F: Family>(&self, gpu: &Gpu, memory: &Memory<F>, dispatch: &Dispatch<F>) -> wgpu::BindGroup {
        let kernel = dispatch.kernel;
        let uniform = wgpu::BindGroupEntry { binding: 0, resource: memory.uniform(kernel.uniform) };
        let entry = |(binding, bound)| {
            let buffer = &memory[Binding::buffer(bound, dispatch.turns)];
            wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
        };
        let buffers = (1..).zip(kernel.bindings.iter().copied()).map(entry);
        let entries: Vec<_> = std::iter::once(uniform).chain(buffers).collect();
        let label = Some(kernel.name);
        let descriptor = wgpu::BindGroupDescriptor { label, layout: &self.layout, entries: &entries };
        gpu.device.create_bind_group(&descriptor)
    }
}

/// A uniform with an offset, then buffers, written to or not.
fn layout<F: Family>(gpu: &Gpu, kernel: &Kernel<F>) -> wgpu::BindGroupLayout {
    let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, true)];
    for (number, binding) in (1..).zip(kernel.bindings) {
        let read_only = !binding.writes();
        entries.push(entry(number, wgpu::BufferBindingType::Storage { read_only }, false));
    }
    let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(kernel.name), entries: &entries };
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
