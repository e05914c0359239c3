//! `[solver]` and `[cloth.solver]`: how the cloth is kept together.

pub(super) mod backend;
mod impulses;
mod keys;
mod multilevel;
mod position_based;
mod radial_matching;

use muslin::hierarchy::Nesting;
use muslin::solver::{Cycle, Order, PositionBased, ShapeMatching, SolverConfig, Variant};

use super::schema::table::{Table, chosen};
use super::text::diagnostic::Report;
use backend::{BACKENDS, Backend};
pub(super) use keys::{CLOTH_SCHEMA, SCHEMA};
use position_based::ORDERS;

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
            "order",
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
/// With the order that they stand for, unless `order` says another. `gather` is the older name of an order.
const VARIANTS: [(&str, (Variant, Option<Order>)); 3] = [
    ("full_approximation", (Variant::FullApproximation, None)),
    ("paper", (Variant::Paper, None)),
    ("gather", (Variant::FullApproximation, Some(Order::Jacobi))),
];
const CYCLES: [(&str, Cycle); 2] = [("v", Cycle::V), ("sawtooth", Cycle::Sawtooth)];
const NESTINGS: [(&str, Nesting); 2] = [("nested", Nesting::Nested), ("non-nested", Nesting::NonNested)];

/// How cloth is kept together.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// The method with its options.
    pub choice: SolverChoice,
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
            choice: SolverChoice::default(),
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
        let backend = chosen(&table, "backend", &BACKENDS).unwrap_or(default.backend);
        let choice = default.choice.with(&table);
        check_config(&table, choice.on(backend), report);
        Self {
            choice,
            backend,
            threads: table.count("threads").unwrap_or(default.threads),
            max_speed: table.real("max_speed").unwrap_or(default.max_speed),
            snap: table.flag("snap").unwrap_or(default.snap),
        }
    }
}

/// A method with the options given, on whatever computes: what is not given is what serves best there.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverChoice {
    cpu: SolverConfig,
    gpu: SolverConfig,
}

impl Default for SolverChoice {
    fn default() -> Self {
        Self { cpu: SolverConfig::default(), gpu: SolverConfig::ShapeMatching(ShapeMatching::for_gpu()) }
    }
}

impl SolverChoice {
    /// What it is on a back end; before one is chosen, that on the CPU.
    pub fn on(&self, backend: Backend) -> &SolverConfig {
        if backend == Backend::Gpu { &self.gpu } else { &self.cpu }
    }

    /// The same, to be changed.
    pub fn on_mut(&mut self, backend: Backend) -> &mut SolverConfig {
        if backend == Backend::Gpu { &mut self.gpu } else { &mut self.cpu }
    }

    /// The options that a table gives, and those of this where it gives none.
    pub(super) fn with(&self, table: &Table<'_>) -> Self {
        let cpu =
            Defaults { shape_matching: ShapeMatching::default(), position_based: PositionBased::default() };
        let gpu =
            Defaults { shape_matching: ShapeMatching::for_gpu(), position_based: PositionBased::for_gpu() };
        Self { cpu: read_config(table, &self.cpu, &cpu), gpu: read_config(table, &self.gpu, &gpu) }
    }
}

/// The options of methods of which others serve a GPU, where none are given.
struct Defaults {
    shape_matching: ShapeMatching,
    position_based: PositionBased,
}

/// The options given, and those of `base` where none are given; `plain` where `base` is another method.
fn read_config(table: &Table<'_>, base: &SolverConfig, plain: &Defaults) -> SolverConfig {
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
    if let Some(chosen) = chosen(table, "variant", &VARIANTS) {
        (config.variant, config.order) = chosen;
    }
    config.order = chosen(table, "order", &ORDERS).or(config.order);
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
            if config.variant == Variant::Paper && config.order == Some(Order::Jacobi) =>
        {
            let name = if table.has("order") { "order" } else { "variant" };
            let message = "the \"paper\" variant has no \"jacobi\" order";
            report.error_with_hint(&table.span_of(name), message, "leave order out, or use another variant");
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
