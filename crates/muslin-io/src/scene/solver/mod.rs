//! `[solver]` and `[cloth.solver]`: how the cloth is kept together.

mod keys;

use muslin::hierarchy::Nesting;
use muslin::solver::{Cycle, PositionBased, ShapeMatching, SolverConfig, Variant};

use super::backend::{BACKENDS, Backend};
use super::diagnostic::Report;
use super::table::{Table, chosen};
use super::{impulses, multilevel, position_based, radial_matching};
pub(super) use keys::{CLOTH_SHAPE, SHAPE};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    ShapeMatching,
    RadialMatching,
    PositionBased,
    Impulses,
    Multilevel,
}
const METHODS: [(&str, Method); 5] = [
    ("shape_matching", Method::ShapeMatching),
    ("radial_matching", Method::RadialMatching),
    ("position_based", Method::PositionBased),
    ("impulses", Method::Impulses),
    ("multilevel", Method::Multilevel),
];

/// Keys that not every method has.
const BELONGING: [(Method, &[&str]); 5] = [
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
    (Method::Multilevel, multilevel::KEYS),
];
const VARIANTS: [(&str, Variant); 3] = [
    ("full_approximation", Variant::FullApproximation),
    ("paper", Variant::Paper),
    ("gather", Variant::Gather),
];
const CYCLES: [(&str, Cycle); 2] = [("v", Cycle::V), ("sawtooth", Cycle::Sawtooth)];
const NESTINGS: [(&str, Nesting); 2] = [("nested", Nesting::Nested), ("non-nested", Nesting::NonNested)];

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
    /// Whether meshes of multilevel cloth are snapped to its grid.
    pub snap: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self {
            config: SolverConfig::default(),
            gpu_config: SolverConfig::ShapeMatching(ShapeMatching::for_gpu()),
            backend: Backend::Cpu,
            threads: 0,
            max_speed: 200.0,
            snap: false,
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
            snap: table.flag("snap").unwrap_or(default.snap),
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
        Method::Multilevel => SolverConfig::Multilevel(multilevel::read(table, base)),
    }
}

fn method_of(config: &SolverConfig) -> Method {
    match config {
        SolverConfig::RadialMatching(_) => Method::RadialMatching,
        SolverConfig::PositionBased(_) => Method::PositionBased,
        SolverConfig::Impulses(_) => Method::Impulses,
        SolverConfig::Multilevel(_) => Method::Multilevel,
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
    refuse_others(table, method_of(config), report);
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
        SolverConfig::Multilevel(config) => multilevel::check(table, config, report),
        _ => {}
    }
}

/// Refuses keys that only other methods have.
fn refuse_others(table: &Table<'_>, method: Method, report: &mut Report<'_>) {
    let name =
        |method: Method| METHODS.iter().find(|(_, known)| *known == method).map_or("", |(name, _)| name);
    let owners = |key: &str| -> Vec<Method> {
        BELONGING.iter().filter(|(_, keys)| keys.contains(&key)).map(|(method, _)| *method).collect()
    };
    for (first, keys) in &BELONGING {
        // A key of several methods is told of once.
        let told = |key: &&&str| table.has(key) && owners(key)[0] == *first && !owners(key).contains(&method);
        for key in keys.iter().filter(told) {
            let names: Vec<String> =
                owners(key).into_iter().map(|owner| format!("{:?}", name(owner))).collect();
            let plural = if names.len() > 1 { "s" } else { "" };
            let message = format!("\"{key}\" belongs to the method{plural} {}", names.join(" and "));
            let hint = format!("leave it out, or use method = {}", names.join(" or "));
            report.error_with_hint(&table.span_of(key), message, hint);
        }
    }
}
