//! `[forces]`: gravity and wind.

use glam::Vec3;
use muslin::forces::wind::Wind;

use super::UpAxis;
use super::schema::table::Table;
use super::schema::{Interval, Key, Kind, Need, Schema, key};
use super::text::diagnostic::Report;

const WIND_KEYS: &[Key] = &[
    key(
        "velocity",
        "m/s",
        Kind::Vector(SPEED),
        Need::Default("[0.0, 0.0, 0.0]"),
        "Mean velocity of the air.",
    ),
    key(
        "gusts",
        "",
        Kind::NOT_NEGATIVE,
        Need::Default("0.0"),
        "Strength of gusts: the air's velocity varies by up to this fraction of the mean speed.",
    ),
    key("gust_size", "m", Kind::LENGTH, Need::Default("1.0"), "Size of a gust."),
    key("seed", "", Kind::COUNT, Need::Default("0"), "Seed of the gusts."),
    key("air_density", "kg/m³", NOT_NEGATIVE, Need::Default("1.225"), "Density of the air."),
    key("drag", "", NOT_NEGATIVE, Need::Default("1.2"), "Drag coefficient: force along the relative wind."),
    key("lift", "", NOT_NEGATIVE, Need::Default("0.6"), "Lift coefficient: force across the relative wind."),
];

const NOT_NEGATIVE: Kind = Kind::Number(Interval { most: 1e6, ..Interval::NOT_NEGATIVE });
const SPEED: Interval = Interval { least: -1e4, most: 1e4, words: "between -1e4 and 1e4" };

const WIND: Schema = Schema::new(
    "[forces.wind]",
    "Air that moves, or is of another kind. Without this table, or with an empty one, air stands still and slows the \
     cloth down.",
    WIND_KEYS,
);

const KEYS: &[Key] = &[
    key(
        "gravity",
        "m/s²",
        Kind::Vector(SPEED),
        Need::Otherwise("9.81 downwards, against `up`"),
        "Acceleration of everything that is free to move.",
    ),
    key(
        "air",
        "",
        Kind::Flag,
        Need::Default("true"),
        "Whether there is air around the cloth; false is a vacuum, in which cloth swings for minutes.",
    ),
    key(
        "wind",
        "",
        Kind::Table(&WIND),
        Need::Otherwise("still air"),
        "How the air moves, and what it is like.",
    ),
];

pub(super) const SCHEMA: Schema = Schema::new("[forces]", "What acts on every cloth.", KEYS);

/// What acts on every cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// m/s².
    pub gravity: Vec3,
    /// Air around the cloth; `None` is a vacuum.
    pub wind: Option<Wind>,
}

impl Forces {
    pub(super) fn read(table: Option<Table<'_>>, up: UpAxis, report: &mut Report<'_>) -> Self {
        let gravity = table.as_ref().and_then(|table| table.vector("gravity"));
        let air = table.as_ref().and_then(|table| table.flag("air")).unwrap_or(true);
        let wind = table.as_ref().and_then(|table| table.table("wind"));
        if let (false, Some(table), Some(_)) = (air, &table, &wind) {
            let hint = "leave out one of them";
            report.error_with_hint(&table.span_of("wind"), "there is no wind with air = false", hint);
        }
        let wind = air.then(|| wind.map_or_else(Wind::default, read_wind));
        Self { gravity: gravity.unwrap_or(Vec3::ZERO - 9.81 * up.direction()), wind }
    }
}

fn read_wind(table: Table<'_>) -> Wind {
    let default = Wind::default();
    Wind {
        velocity: table.vector("velocity").unwrap_or(default.velocity),
        gusts: table.real("gusts").unwrap_or(default.gusts),
        gust_size: table.real("gust_size").unwrap_or(default.gust_size),
        seed: table.count("seed").unwrap_or(default.seed),
        air_density: table.real("air_density").unwrap_or(default.air_density),
        drag: table.real("drag").unwrap_or(default.drag),
        lift: table.real("lift").unwrap_or(default.lift),
    }
}
