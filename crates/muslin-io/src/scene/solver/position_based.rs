//! The part of `[solver]` that only position-based dynamics has.

use muslin::cloth::Stiffness;
use muslin::solver::{Diagonals, Order, PositionBased, SolverConfig};

use crate::scene::schema::table::{Table, chosen};
use crate::scene::text::diagnostic::Report;

pub(in crate::scene) const ORDERS: [(&str, Order); 2] =
    [("gauss_seidel", Order::GaussSeidel), ("jacobi", Order::Jacobi)];
pub(in crate::scene) const DIAGONALS: [(&str, Diagonals); 3] =
    [("none", Diagonals::None), ("one", Diagonals::One), ("both", Diagonals::Both)];

/// The options given, and those of `base` where none are given.
pub(in crate::scene) fn read(table: &Table<'_>, base: &SolverConfig, plain: &PositionBased) -> PositionBased {
    let mut config = match base {
        SolverConfig::PositionBased(config) => config.clone(),
        _ => plain.clone(),
    };
    config.iterations = table.count("iterations").unwrap_or(config.iterations);
    if let Some(order) = chosen(table, "order", &ORDERS) {
        // A factor that was chosen for the other order does not go with this one.
        config.over_relaxation = match order {
            _ if order == config.order => config.over_relaxation,
            _ if order == plain.order => plain.over_relaxation,
            _ => 1.0,
        };
        config.order = order;
    }
    config.over_relaxation = table.real("over_relaxation").unwrap_or(config.over_relaxation);
    config.diagonals = chosen(table, "diagonals", &DIAGONALS).unwrap_or(config.diagonals);
    let fraction = table.real("stretch_stiffness").map(Stiffness::Fraction);
    let compliance = table.real("stretch_compliance").map(Stiffness::Compliance);
    config.stretch = fraction.or(compliance).or(config.stretch);
    config
}

/// Refuses combinations that do not exist, where they can be shown.
pub(in crate::scene) fn check(table: &Table<'_>, config: &PositionBased, report: &mut Report<'_>) {
    if config.order == Order::GaussSeidel && config.over_relaxation != 1.0 {
        let name = if table.has("over_relaxation") { "over_relaxation" } else { "order" };
        let message = "over_relaxation is for constraints that are averaged";
        report.error_with_hint(&table.span_of(name), message, "use order = \"jacobi\", or leave it out");
    }
}
