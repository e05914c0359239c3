//! `[solver]` and `[cloth.solver]`: how the cloth is kept together.

use muslin::hierarchy::Nesting;
use muslin::solver::{Cycle, PositionBased, ShapeMatching, SolverConfig, Variant};

use super::backend::{BACKENDS, Backend};
use super::diagnostic::Report;
use super::shape::{Choice, Interval, Key, Kind, Need, Shape, key};
use super::table::{Table, chosen, words};
use super::{impulses, position_based, radial_matching};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    ShapeMatching,
    RadialMatching,
    PositionBased,
    Impulses,
}
const METHODS: [(&str, Method); 4] = [
    ("shape_matching", Method::ShapeMatching),
    ("radial_matching", Method::RadialMatching),
    ("position_based", Method::PositionBased),
    ("impulses", Method::Impulses),
];

/// Keys that only one method has.
const BELONGING: [(Method, &[&str]); 4] = [
    (
        Method::ShapeMatching,
        &[
            "variant",
            "cycle",
            "cycles",
            "levels",
            "removal",
            "fewest_triangles",
            "nesting",
            "edges",
            "coarse_passes",
            "edge_passes",
            "conserve_wrinkles",
        ],
    ),
    (Method::RadialMatching, &["regions", "update"]),
    (Method::PositionBased, &["iterations", "order", "stretch_stiffness", "stretch_compliance", "diagonals"]),
    (Method::Impulses, impulses::KEYS),
];
const VARIANTS: [(&str, Variant); 3] = [
    ("full_approximation", Variant::FullApproximation),
    ("paper", Variant::Paper),
    ("gather", Variant::Gather),
];
const CYCLES: [(&str, Cycle); 2] = [("v", Cycle::V), ("sawtooth", Cycle::Sawtooth)];
const NESTINGS: [(&str, Nesting); 2] = [("nested", Nesting::Nested), ("non-nested", Nesting::NonNested)];

const REMOVAL: Interval = Interval { least: 0.01, most: 0.99, words: "between 0.01 and 0.99" };
const OVER_RELAXATION: Interval = Interval { least: 0.01, most: 3.99, words: "between 0.01 and 3.99" };
const WARM_START: Interval = Interval { least: 0.0, most: 0.5, words: "between 0 and 0.5" };
const STRAIN: Interval = Interval { least: 1e-12, most: 1.0, words: "between 1e-12 and 1" };
const MAX_SPEED: Interval = Interval { most: 1e6, ..Interval::LENGTH };

/// Generates the keys twice: of the scene, and of one cloth, where absent means "as in `[solver]`". Keys that not
/// every method has state their defaults in words.
macro_rules! method_keys {
    ($absent:expr, $otherwise:expr, [$($more:expr),*]) => {
        &[
            key("method", "", Kind::Word(&words(&METHODS)), $absent("\"shape_matching\""),
                "The solver. The keys from `variant` to `conserve_wrinkles` are for shape matching."),
            key("variant", "", Kind::Word(&words(&VARIANTS)), $absent("\"full_approximation\""),
                "Which form of the method: the stiffest, the printed one, or that of a GPU."),
            key("cycle", "", Kind::Word(&words(&CYCLES)), $absent("\"v\""),
                "When the levels are worked on: down and up, or up only. On the GPU `\"sawtooth\"`."),
            key("cycles", "", Kind::Integer(1, 1000), $absent("1"), "Cycles per step; substeps serve better."),
            key("levels", "", Kind::Integer(1, 32), $absent("8"),
                "Levels of the hierarchy, the mesh included, or as many as it allows. On the GPU 12."),
            key("removal", "", Kind::Number(REMOVAL), $absent("0.5"),
                "Fraction of the triangles that goes from each level to the next coarser one. On the GPU 0.75."),
            key("fewest_triangles", "", Kind::Integer(1, 1_000_000), $absent("1"),
                "No level gets fewer triangles than this. On the GPU 120."),
            key("nesting", "", Kind::Word(&words(&NESTINGS)), $absent("\"nested\""),
                "Whether coarse vertices coincide with fine ones."),
            key("edges", "", Kind::Flag, $absent("true"), "Whether edges count as regions besides triangles."),
            key("coarse_passes", "", Kind::Integer(1, 100), $absent("1"),
                "Passes over the regions of a coarse level whenever it is visited. On the GPU 2."),
            key("edge_passes", "", Kind::Integer(1, 8), $absent("1"),
                "Passes over the edges of the mesh itself whenever it is visited. On the GPU 2."),
            key("over_relaxation", "", Kind::Number(OVER_RELAXATION), $absent("1.0"),
                "Factor on corrections that are averaged: by the gather variant, on the GPU, where it is 2.5, and by \
                 the order `\"jacobi\"`, for which it is 1.9 there. For `impulses` that of the iterative method, below 2; \
                 there it is 1.7, and more for tolerances below 0.005."),
            key("conserve_wrinkles", "", Kind::Flag, $absent("true"),
                "Whether coarse levels leave compressed regions alone."),
            key("regions", "", Kind::Word(&words(&radial_matching::REGIONS)), $otherwise("`\"both\"`"),
                "`radial_matching`: what pulls its points back."),
            key("update", "", Kind::Word(&words(&radial_matching::UPDATES)), $otherwise("`\"positions\"`"),
                "`radial_matching`: whether deformation is measured at the start of a step and becomes impulses, \
                 as in its paper, or at its end and corrects positions."),
            key("iterations", "", Kind::Integer(1, 100_000), $otherwise("16"),
                "`position_based`: passes over all constraints per substep."),
            key("order", "", Kind::Word(&words(&position_based::ORDERS)), $otherwise("`\"gauss_seidel\"`"),
                "`position_based`: constraints one after the other, or all at once and averaged. On the GPU `\"jacobi\"`."),
            key("stretch_stiffness", "", Kind::Number(Interval::FRACTION), $otherwise("that of the material"),
                "`position_based`: fraction of an edge's stretch that a substep undoes; 1 is stiffest."),
            key("stretch_compliance", "m/N", Kind::Number(Interval::NOT_NEGATIVE), $otherwise("that of the material"),
                "`position_based`: in its place the inverse of a spring constant, for every edge."),
            key("diagonals", "", Kind::Word(&words(&position_based::DIAGONALS)), $otherwise("`\"one\"`"),
                "`position_based`: which diagonals of quads keep their length, where the mesh knows its quads."),
            key("resolution", "", Kind::Word(&words(&impulses::RESOLUTIONS)), $otherwise("`\"auto\"`"),
                "`impulses`: edges one after the other, all at once by a linear system, or whichever is faster."),
            key("tolerance", "", Kind::Number(STRAIN), $otherwise("0.01"),
                "`impulses`: the largest strain of an edge that is allowed, as a fraction."),
            key("most_iterations", "", Kind::Integer(1, 10_000_000), $otherwise("10000"),
                "`impulses`: most passes over all edges per substep; too few leave more strain than allowed."),
            key("velocity_impulses", "", Kind::Flag, $otherwise("`true`"),
                "`impulses`: whether velocities are corrected too."),
            key("directions", "", Kind::Word(&words(&impulses::DIRECTIONS)), $otherwise("`\"auto\"`"),
                "`impulses`: whether they act along edges at the start of a step, as in the paper, \
                 or at its end. `\"auto\"` is the start for cloth without pins in scenes without colliders and bodies."),
            key("start_from", "", Kind::Word(&words(&impulses::STARTS)), $otherwise("`\"auto\"`"),
                "`impulses`, one after the other: whether they begin with where particles would go, as in the paper, or \
                 after two cycles of shape matching. `\"auto\"` is the latter for cloth with pins and tolerances from 0.005."),
            key("warm_start", "", Kind::Number(WARM_START), $otherwise("0"),
                "`impulses`: how much of the last step's corrections a step begins with."),
            key("shear_stiffness", "N/m", Kind::Number(Interval::NOT_NEGATIVE), $otherwise("that of the material"),
                "`impulses`: of springs along a diagonal of each quad."),
            key("shear_damping", "N·s/m", Kind::Number(Interval::NOT_NEGATIVE), $otherwise("that of the material"),
                "`impulses`: of the same springs."),
            key("bending_stiffness", "N/m", Kind::Number(Interval::NOT_NEGATIVE), $otherwise("0"),
                "`impulses`: of springs between particles two edges apart, besides the material's bending."),
            key("bending_damping", "N·s/m", Kind::Number(Interval::NOT_NEGATIVE), $otherwise("0"),
                "`impulses`: of the same springs."),
            $($more),*
        ]
    };
}

const fn as_in_solver(_: &'static str) -> Need {
    Need::Otherwise("as in `[solver]`")
}

const KEYS: &[Key] = method_keys!(
    Need::Default,
    Need::Otherwise,
    [
        key(
            "backend",
            "",
            Kind::Word(&words(&BACKENDS)),
            Need::Default("\"cpu\""),
            "What computes; `\"auto\"` is the GPU if there is one that can do all of the scene, else the CPU."
        ),
        key(
            "threads",
            "",
            Kind::Integer(0, 1024),
            Need::Default("0"),
            "Worker threads; 0 means one per core."
        ),
        key(
            "max_speed",
            "m/s",
            Kind::Number(MAX_SPEED),
            Need::Default("200.0"),
            "No particle moves faster than this."
        )
    ]
);
const CLOTH_KEYS: &[Key] = method_keys!(as_in_solver, as_in_solver, []);

const STRETCH_CHOICE: &[Choice] =
    &[Choice { keys: &["stretch_stiffness", "stretch_compliance"], required: false }];

pub(super) const SHAPE: Shape =
    Shape::new("[solver]", "How cloth is kept together. Results do not depend on `threads`.", KEYS)
        .choosing(STRETCH_CHOICE);
pub(super) const CLOTH_SHAPE: Shape =
    Shape::new("[cloth.solver]", "Options of the solver for one cloth.", CLOTH_KEYS).choosing(STRETCH_CHOICE);

/// How cloth is kept together.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// The method with its options.
    pub config: SolverConfig,
    /// The same on a GPU, where other defaults serve better.
    pub gpu_config: SolverConfig,
    /// What computes.
    pub backend: Backend,
    /// Worker threads; 0 means one per core.
    pub threads: usize,
    /// No particle moves faster than this, m/s.
    pub max_speed: f32,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            config: SolverConfig::default(),
            gpu_config: SolverConfig::ShapeMatching(ShapeMatching::for_gpu()),
            backend: Backend::Cpu,
            threads: 0,
            max_speed: 200.0,
        }
    }
}

impl Solver {
    pub(super) fn read(table: Option<Table<'_>>, report: &mut Report<'_>) -> Self {
        let default = Self::default();
        let Some(table) = table else { return default };
        let config = read_config(&table, &default.config, &Defaults::cpu());
        let gpu_config = read_config(&table, &default.gpu_config, &Defaults::gpu());
        let backend = chosen(&table, "backend", &BACKENDS).unwrap_or(default.backend);
        check_config(&table, if backend == Backend::Gpu { &gpu_config } else { &config }, report);
        Self {
            config,
            gpu_config,
            backend,
            threads: table.count("threads").unwrap_or(default.threads),
            max_speed: table.real("max_speed").unwrap_or(default.max_speed),
        }
    }
}

/// The options of methods where none are given: other ones serve a GPU.
pub(super) struct Defaults {
    shape_matching: ShapeMatching,
    position_based: PositionBased,
}

impl Defaults {
    pub fn cpu() -> Self {
        Self { shape_matching: ShapeMatching::default(), position_based: PositionBased::default() }
    }

    pub fn gpu() -> Self {
        Self { shape_matching: ShapeMatching::for_gpu(), position_based: PositionBased::for_gpu() }
    }
}

/// The options given, and those of `base` where none are given; `plain` where `base` is another method.
pub(super) fn read_config(table: &Table<'_>, base: &SolverConfig, plain: &Defaults) -> SolverConfig {
    match chosen(table, "method", &METHODS).unwrap_or_else(|| method_of(base)) {
        Method::ShapeMatching => {
            SolverConfig::ShapeMatching(read_shape_matching(table, base, &plain.shape_matching))
        }
        Method::RadialMatching => SolverConfig::RadialMatching(radial_matching::read(table, base)),
        Method::PositionBased => {
            SolverConfig::PositionBased(position_based::read(table, base, &plain.position_based))
        }
        Method::Impulses => SolverConfig::Impulses(impulses::read(table, base)),
    }
}

fn method_of(config: &SolverConfig) -> Method {
    match config {
        SolverConfig::RadialMatching(_) => Method::RadialMatching,
        SolverConfig::PositionBased(_) => Method::PositionBased,
        SolverConfig::Impulses(_) => Method::Impulses,
        _ => Method::ShapeMatching,
    }
}

fn read_shape_matching(table: &Table<'_>, base: &SolverConfig, plain: &ShapeMatching) -> ShapeMatching {
    let mut config = match base {
        SolverConfig::ShapeMatching(config) => config.clone(),
        _ => plain.clone(),
    };
    let hierarchy = &mut config.hierarchy;
    hierarchy.levels = table.count("levels").unwrap_or(hierarchy.levels);
    hierarchy.removal = table.number("removal").unwrap_or(hierarchy.removal);
    hierarchy.fewest_triangles = table.count("fewest_triangles").unwrap_or(hierarchy.fewest_triangles);
    hierarchy.nesting = chosen(table, "nesting", &NESTINGS).unwrap_or(hierarchy.nesting);
    config.variant = chosen(table, "variant", &VARIANTS).unwrap_or(config.variant);
    config.cycle = chosen(table, "cycle", &CYCLES).unwrap_or(config.cycle);
    config.cycles = table.count("cycles").unwrap_or(config.cycles);
    config.coarse_passes = table.count("coarse_passes").unwrap_or(config.coarse_passes);
    config.edge_passes = table.count("edge_passes").unwrap_or(config.edge_passes);
    config.over_relaxation = table.real("over_relaxation").unwrap_or(config.over_relaxation);
    config.edges = table.flag("edges").unwrap_or(config.edges);
    config.conserve_wrinkles = table.flag("conserve_wrinkles").unwrap_or(config.conserve_wrinkles);
    config
}

/// Refuses combinations that do not exist, where they can be shown.
pub(super) fn check_config(table: &Table<'_>, config: &SolverConfig, report: &mut Report<'_>) {
    for (method, keys) in BELONGING.iter().filter(|(method, _)| *method != method_of(config)) {
        let name = METHODS.iter().find(|(_, known)| known == method).map_or("", |(name, _)| name);
        for key in keys.iter().filter(|key| table.has(key)) {
            let message = format!("\"{key}\" belongs to the method \"{name}\"");
            let hint = format!("leave it out, or use method = \"{name}\"");
            report.error_with_hint(&table.span_of(key), message, hint);
        }
    }
    match config {
        SolverConfig::RadialMatching(_) if table.has("over_relaxation") => {
            let message = "the method \"radial_matching\" has no over-relaxation";
            report.error_with_hint(&table.span_of("over_relaxation"), message, "leave it out");
        }
        SolverConfig::ShapeMatching(config)
            if config.variant == Variant::Paper && config.cycle == Cycle::Sawtooth =>
        {
            let name = if table.has("cycle") { "cycle" } else { "variant" };
            let message = "the \"paper\" variant has no \"sawtooth\" cycle";
            report.error_with_hint(&table.span_of(name), message, "use cycle = \"v\", or another variant");
        }
        SolverConfig::PositionBased(config) => position_based::check(table, config, report),
        SolverConfig::Impulses(config) => impulses::check(table, config, report),
        _ => {}
    }
}
