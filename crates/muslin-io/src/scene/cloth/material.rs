//! `fabric` and `[cloth.material]`: what a cloth is made of.

use muslin::cloth::{BendingForm, Damping, FABRICS, Material, Stretch, fabric};

use super::bending;
use crate::scene::collision::surface;
use crate::scene::schema::table::{Table, chosen, words};
use crate::scene::schema::{Interval, Key, Kind, Need, Schema, key};
use crate::scene::text::diagnostic::Report;

const FORMS: [(&str, BendingForm); 2] =
    [("position", BendingForm::Position), ("explicit", BendingForm::Explicit)];

#[derive(Clone, Copy)]
enum DampingForm {
    Deformation,
    Printed,
}
const DAMPING_FORMS: [(&str, DampingForm); 2] =
    [("deformation", DampingForm::Deformation), ("printed", DampingForm::Printed)];

/// The names of the fabrics.
const FABRIC_NAMES: [&str; FABRICS.len()] = {
    let mut names = [""; FABRICS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = FABRICS[i].name;
        i += 1;
    }
    names
};
pub(in crate::scene) const FABRIC: Kind = Kind::Word(&FABRIC_NAMES);

const STRAIN_LIMIT: Interval = Interval { least: 0.001, most: 1.0, words: "between 0.001 and 1" };

const OF_FABRIC: &str = "that of the fabric";

const STRETCH_KEYS: &[Key] = &[
    key("alpha", "", Kind::FRACTION, Need::Otherwise("1"), "Coefficient of triangles: 1 is stiffest."),
    key("beta", "", Kind::FRACTION, Need::Otherwise("1"), "Coefficient of edges: 1 is stiffest."),
    key(
        "weft",
        "N/m",
        Kind::POSITIVE,
        Need::Otherwise(OF_FABRIC),
        "Stiffness along u of the texture coordinates.",
    ),
    key("warp", "N/m", Kind::POSITIVE, Need::Otherwise(OF_FABRIC), "Stiffness along v."),
    key(
        "shear",
        "N/m",
        Kind::NOT_NEGATIVE,
        Need::Otherwise(OF_FABRIC),
        "Shear force per width and shear angle.",
    ),
];
const STRETCH: Schema = Schema::new(
    "material.stretch",
    "Resistance to stretch: either `alpha` and `beta`, or `weft`, `warp` and `shear`. \
     [materials.md](materials.md) explains both.",
    STRETCH_KEYS,
);

const KEYS: &[Key] = &[
    key("density", "kg/m²", Kind::POSITIVE, Need::Otherwise("0.2, or the fabric's"), "Mass per area."),
    key(
        "stretch",
        "",
        Kind::Table(&STRETCH),
        Need::Otherwise("as stiff as can be, or the fabric's"),
        "Resistance to stretch and shear.",
    ),
    key(
        "strain_limit",
        "",
        Kind::Number(STRAIN_LIMIT),
        Need::Otherwise("none, or the fabric's"),
        "The largest strain of an edge, as a fraction, where stretch is in N/m and the solver is shape matching; 1: none.",
    ),
    key("bending", "N·m", Kind::NOT_NEGATIVE, Need::Otherwise("1e-5, or the fabric's"), "Bending stiffness."),
    key(
        "bending_form",
        "",
        Kind::Word(&words(&FORMS)),
        Need::Default("\"position\""),
        "How bending enters a step; \"explicit\" is refused where it would blow up.",
    ),
    bending::TRIANGLE_KEY,
    bending::DIHEDRAL_KEY,
    bending::STICK_KEY,
    key(
        "damping",
        "1/s",
        Kind::NOT_NEGATIVE,
        Need::Otherwise("0.5, or the fabric's"),
        "Rate at which deformation decays: an oscillation has e^(−damping t) of its amplitude left. Rigid motion does not. 0 is none. In the printed form k_d, 1/m².",
    ),
    key(
        "damping_form",
        "",
        Kind::Word(&words(&DAMPING_FORMS)),
        Need::Default("\"deformation\""),
        "\"printed\" is that of the paper, for reproductions.",
    ),
    key(
        "thickness",
        "m",
        surface::THICKNESS,
        Need::Default("0.002"),
        "Half of it is kept free on each side when cloth collides.",
    ),
    surface::FRICTION_KEY,
    surface::STATIC_FRICTION_KEY,
    key(
        "contact_stiffness",
        "N/m³",
        surface::STIFFNESS,
        Need::Default("1e6"),
        "Pressure per metre by which surfaces are too close.",
    ),
];

pub(in crate::scene) const SCHEMA: Schema =
    Schema::new("[cloth.material]", "What a cloth is made of. With a `fabric`, these keys change it.", KEYS)
        .choosing(&[bending::MODELS]);

/// The material of a cloth: its fabric, with what its material table changes.
pub(in crate::scene) fn read(cloth: &Table<'_>, report: &mut Report<'_>) -> Material {
    let base = cloth.text("fabric").and_then(fabric).map_or_else(Material::default, |f| f.material());
    let Some(table) = cloth.table("material") else { return base };
    let stretch = table.table("stretch").map_or(base.stretch, |table| stretch(&table, base.stretch, report));
    let rate = table.real("damping").unwrap_or(match base.damping {
        Damping::None => 0.0,
        Damping::Deformation { rate } => rate,
        Damping::Printed { coefficient } => coefficient,
    });
    let damping = match chosen(&table, "damping_form", &DAMPING_FORMS).unwrap_or(DampingForm::Deformation) {
        _ if rate == 0.0 => Damping::None,
        DampingForm::Deformation => Damping::Deformation { rate },
        DampingForm::Printed => Damping::Printed { coefficient: rate },
    };
    Material {
        density: table.real("density").unwrap_or(base.density),
        stretch,
        strain_limit: table
            .real("strain_limit")
            .map_or(base.strain_limit, |limit| (limit < 1.0).then_some(limit)),
        bending: table.real("bending").unwrap_or(base.bending),
        bending_form: chosen(&table, "bending_form", &FORMS).unwrap_or(base.bending_form),
        bending_model: bending::read(&table, base.bending_model, report),
        damping,
        surface: surface::read(&table, base.surface, "contact_stiffness"),
    }
}

fn stretch(table: &Table<'_>, base: Stretch, report: &mut Report<'_>) -> Stretch {
    let coefficient = ["alpha", "beta"].into_iter().find(|name| table.has(name));
    let physical = ["weft", "warp", "shear"].into_iter().find(|name| table.has(name));
    match (coefficient, physical) {
        (None, None) => base,
        (Some(one), Some(other)) => {
            let message = format!("\"{other}\" cannot be given together with \"{one}\"");
            let hint = "stretch is either { alpha, beta } or { weft, warp, shear }";
            report.error_with_hint(&table.span_of(other), message, hint);
            base
        }
        (Some(_), None) => {
            let (a, b) = match base {
                Stretch::Coefficients { alpha, beta } => (alpha, beta),
                Stretch::Physical { .. } => (1.0, 1.0),
            };
            Stretch::Coefficients {
                alpha: table.real("alpha").unwrap_or(a),
                beta: table.real("beta").unwrap_or(b),
            }
        }
        (None, Some(_)) => physical_stretch(table, base, report),
    }
}

fn physical_stretch(table: &Table<'_>, base: Stretch, report: &mut Report<'_>) -> Stretch {
    let known = match base {
        Stretch::Physical { weft, warp, shear } => [Some(weft), Some(warp), Some(shear)],
        Stretch::Coefficients { .. } => [None; 3],
    };
    let names = ["weft", "warp", "shear"];
    let [weft, warp, shear] = std::array::from_fn(|i| {
        let value = table.real(names[i]).or(known[i]);
        value.unwrap_or_else(|| {
            let message = format!("stretch lacks \"{}\"", names[i]);
            let hint = "without a fabric, all of weft, warp and shear are needed";
            report.error_with_hint(&table.span, message, hint);
            1.0
        })
    });
    Stretch::Physical { weft, warp, shear }
}
