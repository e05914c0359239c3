//! `[check]`: what must hold at the end of a run.

use glam::DVec3;
use muslin::Simulation;

use super::schema::table::Table;
use super::schema::{Key, Kind, Need, Schema, key};
use super::text::diagnostic::Report;

const UNCHECKED: Need = Need::Otherwise("not checked");

const BOUNDS: Schema = Schema::new(
    "check.bounds",
    "A box in which all particles must be.",
    &[
        key("min", "m", Kind::VECTOR, Need::Required, "The corner with the smallest coordinates."),
        key("max", "m", Kind::VECTOR, Need::Required, "The corner with the largest coordinates."),
    ],
);

const KEYS: &[Key] = &[
    key(
        "strain_avg_max",
        "",
        Kind::NOT_NEGATIVE,
        UNCHECKED,
        "Largest mean strain of the edges, as a fraction.",
    ),
    key(
        "strain_max_edge_max",
        "",
        Kind::NOT_NEGATIVE,
        UNCHECKED,
        "Largest strain of any edge, as a fraction.",
    ),
    key(
        "constraint_strain_max",
        "",
        Kind::NOT_NEGATIVE,
        UNCHECKED,
        "Largest strain of an edge that is no diagonal of a quad: what `impulses` keep below their tolerance.",
    ),
    key(
        "strain_global_max",
        "",
        Kind::NOT_NEGATIVE,
        UNCHECKED,
        "Largest elongation along gravity, as a fraction.",
    ),
    key(
        "stretch_max",
        "",
        Kind::NOT_NEGATIVE,
        UNCHECKED,
        "Largest stretch along a thread of `multilevel` cloth, as a fraction; compression does not count.",
    ),
    key(
        "seam_gap_max",
        "m",
        Kind::NOT_NEGATIVE,
        UNCHECKED,
        "Widest gap between the two sides of a seam of `multilevel` cloth.",
    ),
    key("bounds", "", Kind::Table(&BOUNDS), UNCHECKED, "A box in which all particles must be."),
    key("max_speed", "m/s", Kind::NOT_NEGATIVE, UNCHECKED, "Highest speed of any particle."),
    key(
        "self_intersections",
        "",
        Kind::COUNT,
        UNCHECKED,
        "Most places, of all cloths, where one passes through itself.",
    ),
    key(
        "collider_penetrations",
        "",
        Kind::COUNT,
        UNCHECKED,
        "Most places, of all cloths, where one is inside a collider.",
    ),
];

pub(super) const SCHEMA: Schema = Schema::new(
    "[check]",
    "What must hold for every cloth at the end. `muslin run` fails if it does not.",
    KEYS,
);

/// What must hold for every cloth at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Check {
    /// Largest mean strain of the edges, as a fraction.
    pub strain_avg_max: Option<f64>,
    /// Largest strain of any edge, as a fraction.
    pub strain_max_edge_max: Option<f64>,
    /// Largest strain of an edge that is no diagonal of a quad, as a fraction.
    pub constraint_strain_max: Option<f64>,
    /// Largest elongation along gravity, as a fraction.
    pub strain_global_max: Option<f64>,
    /// Largest stretch along a thread of multilevel cloth, as a fraction.
    pub stretch_max: Option<f64>,
    /// Widest gap between the two sides of a seam of multilevel cloth, metres.
    pub seam_gap_max: Option<f64>,
    /// Lowest and highest corner of a box in which all particles must be, metres.
    pub bounds: Option<(DVec3, DVec3)>,
    /// Highest speed of any particle, m/s.
    pub max_speed: Option<f64>,
    /// Most places where a cloth passes through itself.
    pub self_intersections: Option<usize>,
    /// Most places where cloth is inside a collider.
    pub collider_penetrations: Option<usize>,
}

impl Check {
    pub(super) fn read(table: Option<Table<'_>>, report: &mut Report<'_>) -> Self {
        let Some(table) = table else { return Self::default() };
        let bounds = table.table("bounds").and_then(|bounds| {
            let (min, max) = (bounds.vector_f64("min")?, bounds.vector_f64("max")?);
            if !min.cmple(max).all() {
                report.error(&bounds.span_of("max"), "max must not lie below min in any direction");
            }
            Some((min, max))
        });
        Self {
            strain_avg_max: table.number("strain_avg_max"),
            strain_max_edge_max: table.number("strain_max_edge_max"),
            constraint_strain_max: table.number("constraint_strain_max"),
            strain_global_max: table.number("strain_global_max"),
            stretch_max: table.number("stretch_max"),
            seam_gap_max: table.number("seam_gap_max"),
            bounds,
            max_speed: table.number("max_speed"),
            self_intersections: table.count("self_intersections"),
            collider_penetrations: table.count("collider_penetrations"),
        }
    }

    /// Whether anything is checked.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What does not hold, one sentence each.
    pub fn problems(&self, simulation: &Simulation) -> Vec<String> {
        let strain = simulation.strain();
        let speeds = simulation.velocities().into_iter().map(|v| f64::from(v.length()));
        let figures = [
            ("the mean strain", self.strain_avg_max, Some(strain.average)),
            ("the largest strain of an edge", self.strain_max_edge_max, Some(strain.max_edge)),
            (
                "the largest strain of a constraint",
                self.constraint_strain_max,
                self.constraint_strain_max.map(|_| simulation.constraint_strain()),
            ),
            ("the elongation along gravity", self.strain_global_max, strain.global),
            ("the largest stretch along a thread", self.stretch_max, simulation.thread_stretch()),
            (
                "the widest gap of a seam",
                self.seam_gap_max,
                self.seam_gap_max.and_then(|_| simulation.seam_gap()),
            ),
            ("the highest speed", self.max_speed, Some(speeds.fold(0.0, f64::max))),
        ];
        let mut problems = Vec::new();
        for (what, limit, found) in figures {
            // A figure that is not a number is not within any limit.
            if let (Some(limit), Some(found)) = (limit, found)
                && (found > limit || found.is_nan())
            {
                problems.push(format!("{what} is {found:.4}, above the limit of {limit}"));
            }
        }
        if let Some((min, max)) = self.bounds {
            let outside = |p: &DVec3| !(min.cmple(*p).all() && p.cmple(max).all());
            let positions = simulation.places();
            if let Some(vertex) = positions.iter().position(outside) {
                let count = positions.iter().filter(|p| outside(p)).count();
                let place = positions[vertex];
                problems.push(format!(
                    "{count} particles are out of bounds, the first is vertex {vertex} at {place}"
                ));
            }
        }
        problems
    }

    /// What does not hold of what was counted in the whole world, one sentence each.
    pub fn intersection_problems(
        &self,
        self_intersections: usize,
        collider_penetrations: usize,
    ) -> Vec<String> {
        let counts = [
            ("self-intersections", self.self_intersections, self_intersections),
            ("penetrations of colliders", self.collider_penetrations, collider_penetrations),
        ];
        let above =
            |&(_, limit, found): &(&str, Option<usize>, usize)| limit.is_some_and(|most| found > most);
        let sentence = |(what, limit, found): (&str, Option<usize>, usize)| {
            format!("there are {found} {what}, above the limit of {}", limit.unwrap_or_default())
        };
        counts.into_iter().filter(above).map(sentence).collect()
    }
}
