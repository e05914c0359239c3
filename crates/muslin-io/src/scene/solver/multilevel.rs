//! The part of `[solver]` that only multilevel cloth has.

use muslin::solver::SolverConfig;
use muslin::solver::multilevel::{LevelChoice, Multilevel, Parameterisation, Scheme};

use super::position_based::ORDERS;
use crate::scene::schema::table::{Table, chosen, words};
use crate::scene::schema::{Choice, Interval, Kind, Need, Schema, key};
use crate::scene::text::diagnostic::Report;

pub(in crate::scene) const PARAMETERISATIONS: [(&str, Parameterisation); 4] = [
    ("auto", Parameterisation::Auto),
    ("uvs", Parameterisation::Uvs),
    ("flat", Parameterisation::Flat),
    ("flatten", Parameterisation::Flatten),
];
pub(in crate::scene) const SCHEMES: [(&str, Scheme); 3] =
    [("jacobi", Scheme::Jacobi), ("gauss_seidel", Scheme::GaussSeidel), ("combined", Scheme::Combined)];

/// The method's keys; some of them are those of others too.
pub(in crate::scene) const KEYS: &[&str] = &[
    "spacing",
    "particles",
    "parameterisation",
    "most_distortion",
    "levels",
    "coarsest",
    "scheme",
    "plan",
    "iterations",
    "most_iterations",
    "level_iterations",
    "cycles",
    "strain_limit",
    "compression",
    "compression_passes",
    "shear",
    "bending_weft",
    "bending_warp",
    "bending_passes",
    "overlap",
    "snap",
];

/// Iterations of any kind.
pub(in crate::scene) const ITERATIONS: Kind = Kind::Integer(0, 100_000);
/// More levels than this no grid has.
const MOST_LEVELS: usize = 32;

const LEVEL: Schema = Schema::new(
    "solver.plan",
    "What multilevel cloth does on one level of its grid.",
    &[
        key("relaxation", "", Kind::Word(&words(&ORDERS)), Need::Required, "Which iteration."),
        key("iterations", "", ITERATIONS, Need::Required, "How many of them per pass through the levels."),
    ],
);
pub(in crate::scene) const PLAN: Kind = Kind::List { of: &Kind::Table(&LEVEL), least: 0, most: MOST_LEVELS };
pub(in crate::scene) const DISTORTION: Interval = Interval { least: 1e-9, most: 1e3, words: "above 0" };
/// The two ways to say how fine the grid is.
pub(in crate::scene) const SIZE_CHOICE: Choice = Choice { keys: &["spacing", "particles"], required: false };

/// The options given, and those of `base` where none are given.
pub(in crate::scene) fn read(table: &Table<'_>, base: &SolverConfig) -> Multilevel {
    let mut config = match base {
        SolverConfig::Multilevel(config) => config.clone(),
        _ => Multilevel::default(),
    };
    if let Some(particles) = table.count("particles") {
        // A spacing that was chosen for the scene does not go with it.
        (config.particles, config.spacing) = (particles, None);
    }
    config.spacing = table.number("spacing").or(config.spacing);
    config.parameterisation =
        chosen(table, "parameterisation", &PARAMETERISATIONS).unwrap_or(config.parameterisation);
    config.most_distortion = table.number("most_distortion").unwrap_or(config.most_distortion);
    config.levels = table.count("levels").unwrap_or(config.levels);
    config.coarsest = table.count("coarsest").unwrap_or(config.coarsest);
    config.scheme = chosen(table, "scheme", &SCHEMES).unwrap_or(config.scheme);
    if table.has("plan") {
        config.plan = table.tables("plan").iter().filter_map(level).collect();
    }
    config.iterations = table.count("iterations").or(config.iterations);
    config.most_iterations = table.count("most_iterations").unwrap_or(config.most_iterations);
    config.level_iterations = table.count("level_iterations").unwrap_or(config.level_iterations);
    config.cycles = table.count("cycles").unwrap_or(config.cycles);
    config.over_relaxation = table.real("over_relaxation").unwrap_or(config.over_relaxation);
    config.strain_limit = table.real("strain_limit").unwrap_or(config.strain_limit);
    config.compression = table.real("compression").unwrap_or(config.compression);
    config.compression_passes = table.count("compression_passes").unwrap_or(config.compression_passes);
    config.shear = table.real("shear").unwrap_or(config.shear);
    if let (Some(weft), Some(warp)) = (table.real("bending_weft"), table.real("bending_warp")) {
        config.bending = Some([weft, warp]);
    }
    config.bending_passes = table.count("bending_passes").unwrap_or(config.bending_passes);
    config.overlap = table.flag("overlap").unwrap_or(config.overlap);
    config
}

fn level(table: &Table<'_>) -> Option<LevelChoice> {
    let relaxation = chosen(table, "relaxation", &ORDERS)?;
    Some(LevelChoice { relaxation, iterations: table.count("iterations")? })
}

/// Refuses values that no grid takes, where they can be shown.
pub(in crate::scene) fn check(table: &Table<'_>, config: &Multilevel, report: &mut Report<'_>) {
    for (given, missing) in [("bending_weft", "bending_warp"), ("bending_warp", "bending_weft")] {
        if table.has(given) && !table.has(missing) {
            let hint = "leave both out: the material's bending is used in both directions";
            report.error_with_hint(&table.span_of(given), format!("{given} needs {missing}"), hint);
        }
    }
    if config.over_relaxation >= 2.0 {
        let message = "over_relaxation of multilevel cloth must be below 2";
        report.error_with_hint(&table.span_of("over_relaxation"), message, "leave it out: it is 1.9");
    }
}
