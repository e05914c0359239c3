//! The part of `[solver]` that only the impulse solver has.

use muslin::solver::{ImpulseDirections, ImpulseMethod, ImpulseStart, Impulses, SolverConfig, SpringDamper};

use crate::scene::schema::table::{Table, chosen};
use crate::scene::text::diagnostic::Report;

pub(in crate::scene) const RESOLUTIONS: [(&str, ImpulseMethod); 3] = [
    ("iterative", ImpulseMethod::Iterative),
    ("linear_system", ImpulseMethod::LinearSystem),
    ("auto", ImpulseMethod::Auto),
];
pub(in crate::scene) const DIRECTIONS: [(&str, ImpulseDirections); 3] =
    [("start", ImpulseDirections::Start), ("end", ImpulseDirections::End), ("auto", ImpulseDirections::Auto)];
pub(in crate::scene) const STARTS: [(&str, ImpulseStart); 3] = [
    ("preview", ImpulseStart::Preview),
    ("hierarchy", ImpulseStart::Hierarchy),
    ("auto", ImpulseStart::Auto),
];
pub(in crate::scene) const KEYS: &[&str] = &[
    "resolution",
    "tolerance",
    "most_iterations",
    "velocity_impulses",
    "directions",
    "start_from",
    "warm_start",
    "shear_stiffness",
    "shear_damping",
    "bending_stiffness",
    "bending_damping",
];

/// The options given, and those of `base` where none are given.
pub(in crate::scene) fn read(table: &Table<'_>, base: &SolverConfig) -> Impulses {
    let mut config = match base {
        SolverConfig::Impulses(config) => config.clone(),
        _ => Impulses::default(),
    };
    config.method = chosen(table, "resolution", &RESOLUTIONS).unwrap_or(config.method);
    config.directions = chosen(table, "directions", &DIRECTIONS).unwrap_or(config.directions);
    config.start = chosen(table, "start_from", &STARTS).unwrap_or(config.start);
    config.warm_start = table.number("warm_start").unwrap_or(config.warm_start);
    config.tolerance = table.number("tolerance").unwrap_or(config.tolerance);
    config.iterations = table.count("most_iterations").unwrap_or(config.iterations);
    config.velocity_impulses = table.flag("velocity_impulses").unwrap_or(config.velocity_impulses);
    config.over_relaxation = table.number("over_relaxation").or(config.over_relaxation);
    if table.has("shear_stiffness") {
        config.shear = Some(spring(table, ["shear_stiffness", "shear_damping"], config.shear));
    }
    config.bending = spring(table, ["bending_stiffness", "bending_damping"], Some(config.bending));
    config
}

fn spring(table: &Table<'_>, keys: [&str; 2], base: Option<SpringDamper>) -> SpringDamper {
    let base = base.unwrap_or_default();
    SpringDamper {
        stiffness: table.real(keys[0]).unwrap_or(base.stiffness),
        damping: table.real(keys[1]).unwrap_or(base.damping),
    }
}

/// Refuses values that no impulse solver takes, where they can be shown.
pub(in crate::scene) fn check(table: &Table<'_>, config: &Impulses, report: &mut Report<'_>) {
    if table.has("shear_damping") && !table.has("shear_stiffness") {
        let message = "shear_damping needs shear_stiffness";
        let hint = "leave both out: those of the material are used";
        report.error_with_hint(&table.span_of("shear_damping"), message, hint);
    }
    if config.over_relaxation.is_some_and(|factor| factor >= 2.0) {
        let message = "over_relaxation of impulses must be below 2";
        report.error_with_hint(
            &table.span_of("over_relaxation"),
            message,
            "leave it out: a factor that suits the cloth is used",
        );
    }
}
