//! What cloth collides with (`[[collider]]`, `[[body]]`), how collisions are handled (`[collision]`), and values for pairs
//! of bodies (`[[contact]]`).

pub(super) mod body;
pub(super) mod collider;
pub(super) mod surface;

use std::collections::BTreeSet;

use muslin::collision::{CollisionSettings, ImpulseResponse, PairSurface, Response, StartPolicy};

use super::Context;
use super::schema::table::{Table, chosen, words};
use super::schema::{Key, Kind, Need, Schema, key};
use super::text::hint::nearest;
use super::text::source::quoted;
use surface::{FRICTION, STIFFNESS, THICKNESS};

/// The most tables of contacts in a scene.
pub(super) const MOST_CONTACTS: usize = 1000;

const START_POLICIES: [(&str, StartPolicy); 3] =
    [("refuse", StartPolicy::Refuse), ("ignore", StartPolicy::Ignore), ("untangle", StartPolicy::Untangle)];

const RESPONSES: [(&str, Response); 2] = [
    ("continuous", Response::Continuous),
    ("impulses", Response::Impulses(ImpulseResponse { separation: 0.1 })),
];

const KEYS: &[Key] = &[
    key("self", "", Kind::Flag, Need::Default("true"), "Whether cloth collides with itself."),
    key("passes", "", Kind::Integer(1, 1000), Need::Default("4"), "Passes over the contacts of a step."),
    key(
        "rounds",
        "",
        Kind::Integer(1, 1000),
        Need::Default("12"),
        "Rounds of continuous detection before what still meets moves as a rigid body.",
    ),
    key(
        "level",
        "",
        Kind::Integer(0, 31),
        Need::Default("0"),
        "How many levels above the mesh collisions are handled first: coarser is faster where cloth lies in \
         layers, but particles in between keep only half of the gaps.",
    ),
    key(
        "start",
        "",
        Kind::Word(&words(&START_POLICIES)),
        Need::Default("\"refuse\""),
        "What to do about cloth that starts intersecting something: refuse it, let it pass until it is free, or \
         pull it apart.",
    ),
    key(
        "response",
        "",
        Kind::Word(&words(&RESPONSES)),
        Need::Default("\"continuous\""),
        "What keeps bodies apart: contacts and continuous detection, which let nothing through, or only impulses \
         on what is too close, which are cheaper and may.",
    ),
    key(
        "separation",
        "",
        Kind::FRACTION,
        Need::Default("0.1"),
        "The largest part of an overlap that a step makes up for by impulses.",
    ),
];

pub(super) const SCHEMA: Schema = Schema::new(
    "[collision]",
    "How collisions are handled. Cloths always collide with each other, with colliders and with bodies.",
    KEYS,
);

const BETWEEN: Kind = Kind::List { of: &Kind::Text, least: 2, most: 2 };
const OF_SURFACES: Need = Need::Otherwise("from both surfaces");

const CONTACT_KEYS: &[Key] = &[
    key("between", "", BETWEEN, Need::Required, "Two names; the same one twice is a cloth with itself."),
    key("thickness", "m", THICKNESS, OF_SURFACES, "Kept free between the two."),
    key("friction", "", FRICTION, OF_SURFACES, "Coefficient of friction while sliding."),
    key(
        "static_friction",
        "",
        FRICTION,
        Need::Otherwise("as `friction`, or from both surfaces"),
        "Coefficient of friction at rest; `friction` is the least.",
    ),
    key("stiffness", "N/m³", STIFFNESS, OF_SURFACES, "Pressure per metre by which the two are too close."),
];

pub(super) const CONTACT_SCHEMA: Schema = Schema::new(
    "[[contact]]",
    "Own values for two bodies. Otherwise the thickness is half of each cloth's and all of a collider's or rigid body's, \
     friction and stiffness the geometric means.",
    CONTACT_KEYS,
);

/// The response; impulses know no coarser level.
fn read_response(table: &Table<'_>, level: usize, context: &mut Context<'_>) -> Response {
    match chosen(table, "response", &RESPONSES) {
        Some(Response::Impulses(base)) => {
            if level > 0 {
                let message = "there are no coarser levels for impulses";
                let hint = "leave `level` away, or use response = \"continuous\"";
                context.report.error_with_hint(&table.span_of("level"), message, hint);
            }
            let separation = table.real("separation").unwrap_or(base.separation);
            Response::Impulses(ImpulseResponse { separation })
        }
        other => other.unwrap_or_default(),
    }
}

/// What is wrong with a contact without cloth.
fn contact_problem(with_body: bool) -> &'static str {
    match with_body {
        true => "between bodies, and with colliders, friction is that of their surfaces: one must be a cloth",
        false => "colliders do not collide with each other: one must be a cloth",
    }
}

/// The settings, with the contacts as pairs. Cloths, colliders and bodies are known by name.
pub(super) fn read(
    table: Option<Table<'_>>,
    contacts: &[Table<'_>],
    [cloths, colliders, bodies]: [&[&str]; 3],
    context: &mut Context<'_>,
) -> CollisionSettings {
    let mut settings = CollisionSettings::default();
    if let Some(table) = table {
        settings.self_collisions = table.flag("self").unwrap_or(settings.self_collisions);
        settings.passes = table.count("passes").unwrap_or(settings.passes);
        settings.rounds = table.count("rounds").unwrap_or(settings.rounds);
        settings.level = table.count("level").unwrap_or(settings.level);
        settings.start = chosen(&table, "start", &START_POLICIES).unwrap_or(settings.start);
        settings.response = read_response(&table, settings.level, context);
    }
    let known: Vec<&str> = cloths.iter().chain(colliders).chain(bodies).copied().collect();
    let mut pairs = BTreeSet::new();
    for table in contacts {
        let Some(between) = table.texts("between").and_then(|names| <[&str; 2]>::try_from(names).ok()) else {
            continue;
        };
        let mut all_known = true;
        for (i, name) in between.iter().enumerate().filter(|(_, name)| !known.contains(name)) {
            all_known = false;
            let hint = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean {}?", quoted(near)),
                None => {
                    let names: Vec<String> = known.iter().take(20).map(|name| quoted(name)).collect();
                    format!("there are {}", names.join(", "))
                }
            };
            let message = format!("there is no cloth, collider or body named {}", quoted(name));
            context.report.error_with_hint(&table.span_of_element("between", i), message, hint);
        }
        let span = table.span_of("between");
        if all_known && !between.iter().any(|name| cloths.contains(name)) {
            context.report.error(&span, contact_problem(between.iter().any(|name| bodies.contains(name))));
        }
        let [a, b] = between;
        if !pairs.insert([a.min(b), a.max(b)]) {
            let message = format!("there is a contact between {} and {} already", quoted(a), quoted(b));
            context.report.error(&span, message);
        }
        settings.pairs.push(PairSurface {
            between: between.map(str::to_owned),
            thickness: table.real("thickness"),
            friction: table.real("friction"),
            static_friction: table.real("static_friction"),
            stiffness: table.real("stiffness"),
        });
    }
    settings
}
