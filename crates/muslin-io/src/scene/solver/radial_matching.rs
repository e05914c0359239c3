//! The part of `[solver]` that only radial matching has.

use muslin::solver::{RadialMatching, RadialRegions, RadialUpdate, SolverConfig};

use crate::scene::schema::table::{Table, chosen};

pub(in crate::scene) const REGIONS: [(&str, RadialRegions); 3] =
    [("triangles", RadialRegions::Triangles), ("edges", RadialRegions::Edges), ("both", RadialRegions::Both)];
pub(in crate::scene) const UPDATES: [(&str, RadialUpdate); 2] =
    [("impulses", RadialUpdate::Impulses), ("positions", RadialUpdate::Positions)];

/// The options given, and those of `base` where none are given.
pub(in crate::scene) fn read(table: &Table<'_>, base: &SolverConfig) -> RadialMatching {
    let mut config = match base {
        SolverConfig::RadialMatching(config) => config.clone(),
        _ => RadialMatching::default(),
    };
    config.regions = chosen(table, "regions", &REGIONS).unwrap_or(config.regions);
    config.update = chosen(table, "update", &UPDATES).unwrap_or(config.update);
    config
}
