//! The compute kernels: their sources, what each is bound to, and how they are compiled.

use std::collections::HashMap;

use super::buffers::Buffers;
use super::device::Gpu;

/// The kernels of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kernel {
    Air,
    Predict,
    PredictInWind,
    RestBend,
    Bend,
    Edges,
    Triangles,
    Restrict,
    Tail,
    Prolongate,
    Finish,
}

/// What a kernel is bound to. Binding 0 is always the uniform of the level or of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Slices,
    Spokes,
    HalfAngles,
    Rest,
    Injections,
    FinestVertices,
    FinerVertices,
    SmallLevels,
    Interpolations,
    BendingSlices,
    BendingRows,
    CurvedSlices,
    CurvedRows,
    Hinges,
    HingeWeights,
    HingeBends,
    Tethers,
    Pins,
    /// The buffer of points that is read.
    Front,
    /// The buffer of points that is written.
    Back,
    /// Read or written, according to the flag.
    Entry {
        writes: bool,
    },
    Targets {
        writes: bool,
    },
    Velocities {
        writes: bool,
    },
    Relative {
        writes: bool,
    },
    Status,
}

impl Binding {
    pub fn writes(self) -> bool {
        match self {
            Self::Back | Self::Status => true,
            Self::Entry { writes }
            | Self::Targets { writes }
            | Self::Velocities { writes }
            | Self::Relative { writes } => writes,
            _ => false,
        }
    }
}

const LEVEL: &str = include_str!("shaders/level.wgsl");
const STEP: &str = include_str!("shaders/step.wgsl");
const FAN: &str = include_str!("shaders/fan.wgsl");
const INJECT: &str = include_str!("shaders/inject.wgsl");

impl Kernel {
    /// All kernels, in the order of a step.
    pub const ALL: [Kernel; 11] = [
        Self::Air,
        Self::Predict,
        Self::PredictInWind,
        Self::RestBend,
        Self::Bend,
        Self::Edges,
        Self::Triangles,
        Self::Restrict,
        Self::Tail,
        Self::Prolongate,
        Self::Finish,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Air => "air",
            Self::Predict => "predict",
            Self::PredictInWind => "predict_in_wind",
            Self::RestBend => "rest_bend",
            Self::Bend => "bend",
            Self::Edges => "edges",
            Self::Triangles => "triangles",
            Self::Restrict => "restrict",
            Self::Tail => "tail",
            Self::Prolongate => "prolongate",
            Self::Finish => "finish",
        }
    }

    /// Whether its uniform is that of the step (or else of the level).
    pub fn is_per_step(self) -> bool {
        matches!(self, Self::Air | Self::Predict | Self::PredictInWind | Self::Finish)
    }

    /// Its source: sizes and shared parts first.
    pub fn source(self, small: SmallSizes) -> String {
        let parts: &[&str] = match self {
            Self::Air => &[STEP, include_str!("shaders/air.wgsl")],
            Self::Predict => &[STEP, include_str!("shaders/predict.wgsl")],
            Self::PredictInWind => &[STEP, FAN, include_str!("shaders/predict_in_wind.wgsl")],
            Self::RestBend => &[LEVEL, include_str!("shaders/rest_bend.wgsl")],
            Self::Bend => &[LEVEL, include_str!("shaders/bend.wgsl")],
            Self::Edges => &[LEVEL, FAN, INJECT, include_str!("shaders/edges.wgsl")],
            Self::Triangles => &[LEVEL, FAN, INJECT, include_str!("shaders/triangles.wgsl")],
            Self::Restrict => &[LEVEL, include_str!("shaders/restrict.wgsl")],
            Self::Tail => &[LEVEL, FAN, include_str!("shaders/tail.wgsl")],
            Self::Prolongate => &[LEVEL, include_str!("shaders/prolongate.wgsl")],
            Self::Finish => &[STEP, FAN, include_str!("shaders/finish.wgsl")],
        };
        let SmallSizes { threads, total, largest } = small;
        let sizes =
            format!("const THREADS = {threads}u;\nconst TOTAL = {total}u;\nconst LARGEST = {largest}u;\n");
        sizes + &parts.concat()
    }

    /// What it is bound to, from binding 1 on: at most eight, which every WebGPU device allows.
    pub fn bindings(self) -> &'static [Binding] {
        use Binding::*;
        match self {
            Self::Air => &[Velocities { writes: false }, Rest, Front, Relative { writes: true }],
            Self::Predict => &[Velocities { writes: false }, Pins, Front, Back],
            Self::PredictInWind => &[
                Velocities { writes: false },
                Pins,
                Slices,
                Spokes,
                HalfAngles,
                Relative { writes: false },
                Front,
                Back,
            ],
            Self::RestBend => &[Hinges, HingeWeights, HingeBends, Front, Targets { writes: true }],
            Self::Bend => &[
                BendingSlices,
                BendingRows,
                CurvedSlices,
                CurvedRows,
                Targets { writes: false },
                Tethers,
                Front,
                Back,
            ],
            Self::Edges => &[Slices, Spokes, Injections, Front, Back, Entry { writes: true }],
            Self::Triangles => {
                &[Slices, Spokes, HalfAngles, Rest, Injections, Front, Back, Entry { writes: true }]
            }
            Self::Restrict => &[FinestVertices, Front, Back, Entry { writes: true }],
            Self::Tail => &[SmallLevels, Slices, Spokes, FinerVertices, Interpolations, Front, Back],
            Self::Prolongate => &[Interpolations, Entry { writes: false }, Front, Back],
            Self::Finish => &[Slices, Spokes, Front, Back, Velocities { writes: true }, Status],
        }
    }
}

/// What one workgroup can hold of the small levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SmallSizes {
    pub threads: u32,
    /// Points of all small levels together.
    pub total: u32,
    /// Points of the largest of them.
    pub largest: u32,
}

impl SmallSizes {
    /// As much as a device allows.
    pub fn of(limits: &wgpu::Limits) -> Self {
        let threads = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        // Two parts for all levels, of which each has half the points of the next, one for the next pass.
        let largest = limits.max_compute_workgroup_storage_size / 16 / 3;
        Self { threads: threads.min(1024), total: 2 * largest, largest }
    }
}

/// The compiled kernels with their bindings for every pair of point buffers.
pub(super) struct Kernels {
    pipelines: HashMap<Kernel, wgpu::ComputePipeline>,
    groups: HashMap<(Kernel, u8, u8), wgpu::BindGroup>,
}

impl Kernels {
    /// Compiles the kernels that are used and binds them.
    pub fn new(gpu: &Gpu, buffers: &Buffers, used: &[Kernel]) -> Self {
        let small = SmallSizes::of(&gpu.device.limits());
        let mut kernels = Self { pipelines: HashMap::new(), groups: HashMap::new() };
        for &kernel in used {
            let layout = layout(gpu, kernel);
            kernels.pipelines.insert(kernel, pipeline(gpu, kernel, &layout, small));
            for front in 0..3u8 {
                for back in (0..3u8).filter(|&back| back != front) {
                    let group = bind(gpu, kernel, &layout, buffers, [front, back].map(usize::from));
                    kernels.groups.insert((kernel, front, back), group);
                }
            }
        }
        kernels
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
