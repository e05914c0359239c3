//! The compute kernels: their sources, and what each is bound to.

/// The kernels of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kernel {
    Air,
    Predict,
    PredictInWind,
    RestBend,
    Bend,
    Gathered,
    Coloured,
    Edges,
    Triangles,
    Restrict,
    Tail,
    Prolongate,
    Finish,
    Momenta,
    RigidMotion,
    Damp,
}

/// What a kernel is bound to. Binding 0 is always the uniform of the level or of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Slices,
    Spokes,
    HalfAngles,
    Rest,
    MeanSlices,
    MeanRows,
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
    Lengths,
    LengthSlices,
    LengthRows,
    Pieces,
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
    Travel {
        writes: bool,
    },
    Relative {
        writes: bool,
    },
    Sums {
        writes: bool,
    },
    Motions {
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
            | Self::Travel { writes }
            | Self::Relative { writes }
            | Self::Sums { writes }
            | Self::Motions { writes } => writes,
            _ => false,
        }
    }
}

const LEVEL: &str = include_str!("shaders/level.wgsl");
const STEP: &str = include_str!("shaders/step.wgsl");
const FAN: &str = include_str!("shaders/fan.wgsl");
const LENGTH: &str = include_str!("shaders/length.wgsl");
const EDGE: &str = include_str!("shaders/edge.wgsl");
const TRIANGLE: &str = include_str!("shaders/triangle.wgsl");
const INTEGRATE: &str = include_str!("shaders/integrate.wgsl");

impl Kernel {
    /// All kernels, in the order of a step.
    pub const ALL: [Kernel; 16] = [
        Self::Air,
        Self::Predict,
        Self::PredictInWind,
        Self::RestBend,
        Self::Bend,
        Self::Gathered,
        Self::Coloured,
        Self::Edges,
        Self::Triangles,
        Self::Restrict,
        Self::Tail,
        Self::Prolongate,
        Self::Finish,
        Self::Momenta,
        Self::RigidMotion,
        Self::Damp,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Air => "air",
            Self::Predict => "predict",
            Self::PredictInWind => "predict_in_wind",
            Self::RestBend => "rest_bend",
            Self::Bend => "bend",
            Self::Gathered => "gathered",
            Self::Coloured => "coloured",
            Self::Edges => "edges",
            Self::Triangles => "triangles",
            Self::Restrict => "restrict",
            Self::Tail => "tail",
            Self::Prolongate => "prolongate",
            Self::Finish => "finish",
            Self::Momenta => "momenta",
            Self::RigidMotion => "rigid_motion",
            Self::Damp => "damp",
        }
    }

    /// Whether its uniform is that of the step (or else of the level).
    pub fn is_per_step(self) -> bool {
        let damps = matches!(self, Self::Momenta | Self::RigidMotion | Self::Damp);
        damps || matches!(self, Self::Air | Self::Predict | Self::PredictInWind | Self::Finish)
    }

    /// Its source: sizes and shared parts first.
    pub fn source(self, small: SmallSizes) -> String {
        let parts: &[&str] = match self {
            Self::Air => &[STEP, include_str!("shaders/air.wgsl")],
            Self::Predict => &[STEP, INTEGRATE, include_str!("shaders/predict.wgsl")],
            Self::PredictInWind => &[STEP, FAN, INTEGRATE, include_str!("shaders/predict_in_wind.wgsl")],
            Self::RestBend => &[LEVEL, include_str!("shaders/rest_bend.wgsl")],
            Self::Bend => &[LEVEL, include_str!("shaders/bend.wgsl")],
            Self::Gathered => &[LEVEL, LENGTH, include_str!("shaders/gathered.wgsl")],
            Self::Coloured => &[LEVEL, LENGTH, include_str!("shaders/coloured.wgsl")],
            Self::Edges => &[LEVEL, FAN, EDGE, include_str!("shaders/edges.wgsl")],
            Self::Triangles => &[LEVEL, FAN, TRIANGLE, include_str!("shaders/triangles.wgsl")],
            Self::Restrict => &[LEVEL, include_str!("shaders/restrict.wgsl")],
            Self::Tail => &[LEVEL, FAN, EDGE, include_str!("shaders/tail.wgsl")],
            Self::Prolongate => &[LEVEL, include_str!("shaders/prolongate.wgsl")],
            Self::Finish => &[STEP, include_str!("shaders/finish.wgsl")],
            Self::Momenta => &[STEP, include_str!("shaders/momenta.wgsl")],
            Self::RigidMotion => &[STEP, include_str!("shaders/rigid_motion.wgsl")],
            Self::Damp => &[STEP, include_str!("shaders/damp.wgsl")],
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
            Self::Air => &[Travel { writes: false }, Rest, Front, Relative { writes: true }],
            Self::Predict => &[Travel { writes: true }, Pins, Front, Back],
            Self::PredictInWind => &[
                Travel { writes: true },
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
            Self::Gathered => &[LengthSlices, LengthRows, Lengths, Front, Back],
            Self::Coloured => &[Lengths, Back],
            Self::Edges => &[Slices, Spokes, Front, Back],
            Self::Triangles => &[Slices, Spokes, HalfAngles, Rest, Front, Back],
            Self::Restrict => &[MeanSlices, MeanRows, Front, Back, Entry { writes: true }],
            Self::Tail => &[SmallLevels, Slices, Spokes, MeanSlices, MeanRows, Interpolations, Front, Back],
            Self::Prolongate => &[Interpolations, Entry { writes: false }, Front, Back],
            Self::Finish => &[Front, Back, Travel { writes: true }, Status],
            Self::Momenta => &[Pieces, Front, Travel { writes: false }, Rest, Sums { writes: true }],
            Self::RigidMotion => {
                &[Pieces, Front, Travel { writes: false }, Sums { writes: false }, Motions { writes: true }]
            }
            Self::Damp => &[Pieces, Front, Motions { writes: false }, Travel { writes: true }],
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
