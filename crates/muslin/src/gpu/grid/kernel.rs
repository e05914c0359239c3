//! The kernels of a grid: their sources, and what each is bound to.

use super::uniforms::MOST_TAIL_LEVELS;
use crate::gpu::device::WORKGROUP;
use crate::solver::multilevel::relax::SHARES;

/// The most texels that a level of [`Kernel::Tail`] may have: 16 KiB of workgroup memory, which every device has.
pub(super) const TAIL_TEXELS: u32 = 1024;

/// Columns and rows that a workgroup of [`Kernel::Jacobi`] has in its memory: a tile and a margin around it, which is as
/// wide as there are iterations at once.
pub(super) const WINDOW: u32 = 16;

/// The kernels of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kernel {
    Sample,
    Integrate,
    Bend,
    Tail,
    Start,
    Jacobi,
    GaussSeidel,
    Elastic,
    Contact,
    StitchPull,
    StitchMove,
    Finish,
    Project,
}

/// What a kernel is bound to. Binding 0 is always its uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Codes,
    Holds {
        writes: bool,
    },
    Samples,
    Moves,
    Near,
    HeldNumbers,
    HeldPlaces,
    Stitches,
    StitchedTexels,
    StitchTerms,
    StencilRows,
    Stencils,
    /// One of the sets of points that a dispatch names, by its place there.
    Points {
        place: usize,
        writes: bool,
    },
    Pulls {
        writes: bool,
    },
    Vertices,
    Status,
    /// What rounding took from places.
    Rests,
}

impl Binding {
    pub fn writes(self) -> bool {
        match self {
            Self::Points { writes, .. } | Self::Pulls { writes } | Self::Holds { writes } => writes,
            Self::Vertices | Self::Status | Self::Rests => true,
            _ => false,
        }
    }
}

/// Which uniform a kernel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uniform {
    Step,
    Level,
    Tail,
}

const LEVEL: &str = include_str!("shaders/level.wgsl");
const ONE_LEVEL: &str = include_str!("shaders/one_level.wgsl");
const RULE: &str = include_str!("shaders/rule.wgsl");
const ROUNDED: &str = include_str!("shaders/rounded.wgsl");
const LENGTH: &str = concat!(include_str!("shaders/rounded.wgsl"), include_str!("shaders/length.wgsl"));
const HOLDS: &str = include_str!("shaders/holds.wgsl");
const HOLD: &str = include_str!("shaders/hold.wgsl");
const NEIGHBOUR: &str = include_str!("shaders/neighbour.wgsl");
const AVERAGE: &str = include_str!("shaders/average.wgsl");
const SPRING: &str = include_str!("shaders/spring.wgsl");
const SWEEP: &str = include_str!("shaders/sweep.wgsl");
const PARENTS: &str = include_str!("shaders/parents.wgsl");
const STITCH: &str = include_str!("shaders/stitch.wgsl");
const PULL: &str = include_str!("shaders/pull.wgsl");
const MOVE: &str = include_str!("shaders/move.wgsl");
const SAMPLED: &str = include_str!("shaders/sampled.wgsl");
const STEP: &str = include_str!("shaders/step.wgsl");
const SAID: &str = include_str!("shaders/said.wgsl");

impl Kernel {
    /// All kernels, in the order of a step.
    pub const ALL: [Kernel; 13] = [
        Self::Sample,
        Self::Integrate,
        Self::Bend,
        Self::Tail,
        Self::Start,
        Self::Jacobi,
        Self::GaussSeidel,
        Self::Elastic,
        Self::Contact,
        Self::StitchPull,
        Self::StitchMove,
        Self::Finish,
        Self::Project,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sample => "sample",
            Self::Integrate => "integrate",
            Self::Bend => "bend",
            Self::Tail => "tail",
            Self::Start => "start",
            Self::Jacobi => "jacobi",
            Self::GaussSeidel => "gauss_seidel",
            Self::Elastic => "elastic",
            Self::Contact => "contact",
            Self::StitchPull => "stitch_pull",
            Self::StitchMove => "stitch_move",
            Self::Finish => "finish",
            Self::Project => "project",
        }
    }

    pub fn uniform(self) -> Uniform {
        match self {
            Self::Sample | Self::Integrate | Self::Bend => Uniform::Step,
            Self::Contact | Self::Finish | Self::Project => Uniform::Step,
            Self::Tail => Uniform::Tail,
            _ => Uniform::Level,
        }
    }

    /// Its source, with so many threads for the tail: sizes and shared parts first.
    pub fn source(self, tail_threads: u32) -> String {
        let parts: &[&str] = match self {
            Self::Sample => &[STEP, SAID, SAMPLED, include_str!("shaders/sample.wgsl")],
            Self::Integrate => &[STEP, SAID, include_str!("shaders/integrate.wgsl")],
            Self::Bend => &[STEP, ROUNDED, include_str!("shaders/bend.wgsl")],
            Self::Tail => {
                let tail = include_str!("shaders/tail.wgsl");
                &[
                    LEVEL, RULE, LENGTH, HOLDS, HOLD, NEIGHBOUR, AVERAGE, SPRING, SWEEP, PARENTS, STITCH,
                    PULL, MOVE, tail,
                ]
            }
            Self::Start => &[LEVEL, ONE_LEVEL, HOLDS, HOLD, PARENTS, include_str!("shaders/start.wgsl")],
            Self::Jacobi => &[
                LEVEL,
                ONE_LEVEL,
                RULE,
                LENGTH,
                HOLDS,
                HOLD,
                NEIGHBOUR,
                AVERAGE,
                include_str!("shaders/jacobi.wgsl"),
            ],
            Self::GaussSeidel => &[
                LEVEL,
                ONE_LEVEL,
                RULE,
                LENGTH,
                HOLDS,
                HOLD,
                SWEEP,
                include_str!("shaders/gauss_seidel.wgsl"),
            ],
            Self::Elastic => &[
                LEVEL,
                ONE_LEVEL,
                LENGTH,
                HOLDS,
                HOLD,
                NEIGHBOUR,
                SPRING,
                include_str!("shaders/elastic.wgsl"),
            ],
            Self::Contact => &[STEP, HOLDS, SAMPLED, include_str!("shaders/contact.wgsl")],
            Self::StitchPull => {
                &[LEVEL, ONE_LEVEL, ROUNDED, STITCH, PULL, include_str!("shaders/stitch_pull.wgsl")]
            }
            Self::StitchMove => &[LEVEL, ONE_LEVEL, STITCH, MOVE, include_str!("shaders/stitch_move.wgsl")],
            Self::Finish => &[STEP, SAID, include_str!("shaders/finish.wgsl")],
            Self::Project => &[STEP, include_str!("shaders/project.wgsl")],
        };
        let slots = TAIL_TEXELS.div_ceil(tail_threads);
        let sizes = format!(
            "const THREADS = {tail_threads}u;\nconst SLOTS = {slots}u;\nconst TEXELS = {TAIL_TEXELS}u;\n\
             const MOST_LEVELS = {MOST_TAIL_LEVELS}u;\nconst WINDOW = {WINDOW}u;\nconst WORKGROUP = {WORKGROUP}u;\n\
             const THREAD_SHARE = {:?};\nconst DIAGONAL_SHARE = {:?};\n",
            SHARES[0], SHARES[2]
        );
        sizes + &parts.concat()
    }

    /// What it is bound to, from binding 1 on: at most eight, which every WebGPU device allows.
    pub fn bindings(self) -> &'static [Binding] {
        use Binding::*;
        const fn read(place: usize) -> Binding {
            Points { place, writes: false }
        }
        const fn write(place: usize) -> Binding {
            Points { place, writes: true }
        }
        const BOUNDS: Binding = Holds { writes: false };
        match self {
            Self::Sample => const { &[Samples, Moves, write(0), write(1), Rests] },
            Self::Integrate => {
                const { &[Codes, HeldNumbers, HeldPlaces, read(0), read(1), write(2), Status, Rests] }
            }
            Self::Bend => const { &[Codes, read(0), write(1)] },
            Self::Tail => {
                const {
                    &[
                        Codes,
                        BOUNDS,
                        read(0),
                        write(1),
                        Stitches,
                        StitchedTexels,
                        StitchTerms,
                        Pulls { writes: true },
                    ]
                }
            }
            Self::Start => const { &[Codes, read(0), BOUNDS, read(1), write(2)] },
            Self::Jacobi => const { &[Codes, BOUNDS, read(0), read(1), write(2)] },
            Self::GaussSeidel => const { &[Codes, BOUNDS, read(0), write(1)] },
            Self::Elastic => const { &[Codes, BOUNDS, read(0), read(1), write(2)] },
            Self::Contact => const { &[Samples, Near, read(0), write(1), Holds { writes: true }] },
            Self::StitchPull => const { &[Stitches, read(0), read(1), Pulls { writes: true }] },
            Self::StitchMove => const { &[StitchedTexels, StitchTerms, Pulls { writes: false }, write(0)] },
            Self::Finish => const { &[Codes, read(0), write(1), Status, write(2), Rests] },
            Self::Project => const { &[StencilRows, Stencils, read(0), read(1), Vertices] },
        }
    }
}

/// How many threads the tail may have on a device: as many as a set of a level may have edges, if it can be.
pub(super) fn tail_threads(limits: &wgpu::Limits) -> u32 {
    let most = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
    most.min(TAIL_TEXELS / 2)
}
