//! `triangle_bending`, `dihedral_bending` and `stick_bending` of `[cloth.material]`: bending by constraints.

use muslin::cloth::{
    BendingModel, Curve, DihedralBending, Placement, StickBending, Stiffness, TriangleBending,
};

use super::curve::{self, CURVE};
use crate::scene::schema::table::{Table, chosen, words};
use crate::scene::schema::{Choice, Key, Kind, Need, Schema, key};
use crate::scene::text::diagnostic::Report;

const PLACEMENTS: [(&str, Placement); 2] = [("rings", Placement::Rings), ("edges", Placement::Edges)];

const STIFFNESS_KEY: Key = key(
    "stiffness",
    "",
    Kind::FRACTION,
    Need::Otherwise("1"),
    "Fraction of a constraint's error that a substep undoes, whatever the number of iterations.",
);
const COMPLIANCE_KEY: Key = key(
    "compliance",
    "m/N",
    Kind::NOT_NEGATIVE,
    Need::Otherwise("see `stiffness`"),
    "In place of `stiffness`: the inverse of a spring constant.",
);
const PLACEMENT_KEY: Key = key(
    "placement",
    "",
    Kind::Word(&words(&PLACEMENTS)),
    Need::Default("\"rings\""),
    "Between opposite neighbours of each vertex, or across each edge.",
);
const QUADS_KEY: Key = key(
    "quads",
    "",
    Kind::Flag,
    Need::Default("true"),
    "Whether neighbours are those along the edges of quads, where the mesh knows its quads.",
);
const CHOICES: &[Choice] = &[Choice { keys: &["stiffness", "compliance"], required: false }];

const TRIANGLE: Schema = Schema::new(
    "material.triangle_bending",
    "Bending by triangle constraints (Kelager et al. 2010): a vertex keeps its distance from the centroid of itself and \
     two neighbours. `{}` takes all defaults.",
    &[
        STIFFNESS_KEY,
        COMPLIANCE_KEY,
        key("kappa", "m", CURVE, Need::Default("0.0"), "Added to all distances at rest: more bends more. Can be animated."),
        key(
            "inequality",
            "",
            Kind::Flag,
            Need::Default("false"),
            "Whether cloth may freely bend more than at rest.",
        ),
        key(
            "signed",
            "",
            Kind::Flag,
            Need::Default("false"),
            "Whether the rest shape is told from its mirror image, so that dents come out again.",
        ),
        PLACEMENT_KEY,
        QUADS_KEY,
        key(
            "printed_masses",
            "",
            Kind::Flag,
            Need::Default("false"),
            "The mass weights as printed, for comparisons: exact only where masses are equal.",
        ),
    ],
)
.choosing(CHOICES);
const DIHEDRAL: Schema = Schema::new(
    "material.dihedral_bending",
    "Bending by dihedral angles (Müller et al. 2006): two triangles over an edge keep their angle. `{}` takes all \
     defaults.",
    &[
        STIFFNESS_KEY,
        key(
            "compliance",
            "1/(N·m)",
            Kind::NOT_NEGATIVE,
            Need::Otherwise("see `stiffness`"),
            "In place of `stiffness`: the inverse of a torque per radian.",
        ),
        key(
            "signed",
            "",
            Kind::Flag,
            Need::Default("true"),
            "Whether the rest shape is told from its mirror image; the printed arc cosine does not.",
        ),
        key(
            "quads",
            "",
            Kind::Flag,
            Need::Default("false"),
            "Whether diagonals of quads are left out, where the mesh knows its quads; these then fold along them.",
        ),
    ],
)
.choosing(CHOICES);
const STICK: Schema = Schema::new(
    "material.stick_bending",
    "Bending by sticks: vertices two edges apart keep their distance. `{}` takes all defaults.",
    &[STIFFNESS_KEY, COMPLIANCE_KEY, PLACEMENT_KEY, QUADS_KEY],
)
.choosing(CHOICES);

const NONE: Need = Need::Otherwise("`bending`");

/// The keys of a material; at most one of them is given.
pub(in crate::scene) const TRIANGLE_KEY: Key =
    key("triangle_bending", "", Kind::Table(&TRIANGLE), NONE, "In place of `bending`: triangle constraints.");
pub(in crate::scene) const DIHEDRAL_KEY: Key =
    key("dihedral_bending", "", Kind::Table(&DIHEDRAL), NONE, "In place of `bending`: dihedral angles.");
pub(in crate::scene) const STICK_KEY: Key =
    key("stick_bending", "", Kind::Table(&STICK), NONE, "In place of `bending`: sticks.");
pub(in crate::scene) const MODELS: Choice =
    Choice { keys: &["triangle_bending", "dihedral_bending", "stick_bending"], required: false };

/// The bending model of a material; `base` where none is given.
pub(in crate::scene) fn read(
    material: &Table<'_>,
    base: BendingModel,
    report: &mut Report<'_>,
) -> BendingModel {
    let model = if let Some(table) = material.table("triangle_bending") {
        let options = triangle(&table);
        if options.signed && options.printed_masses {
            let message = "signed bends have no printed masses";
            report.error_with_hint(&table.span_of("printed_masses"), message, "leave one of the two out");
        }
        BendingModel::Triangle(options)
    } else if let Some(table) = material.table("dihedral_bending") {
        let default = DihedralBending::default();
        BendingModel::Dihedral(DihedralBending {
            stiffness: stiffness(&table),
            signed: table.flag("signed").unwrap_or(default.signed),
            quads: table.flag("quads").unwrap_or(default.quads),
        })
    } else if let Some(table) = material.table("stick_bending") {
        let default = StickBending::default();
        BendingModel::Stick(StickBending {
            stiffness: stiffness(&table),
            placement: chosen(&table, "placement", &PLACEMENTS).unwrap_or(default.placement),
            quads: table.flag("quads").unwrap_or(default.quads),
        })
    } else {
        return base;
    };
    if let Some(name) = ["bending", "bending_form"].into_iter().find(|name| material.has(name)) {
        let chosen = MODELS.keys.iter().find(|name| material.has(name)).unwrap_or(&"");
        let message =
            format!("\"{name}\" belongs to the quadratic model, which \"{chosen}\" takes the place of");
        report.error_with_hint(&material.span_of(name), message, "leave one of the two out");
    }
    model
}

fn triangle(table: &Table<'_>) -> TriangleBending {
    let default = TriangleBending::default();
    TriangleBending {
        stiffness: stiffness(table),
        kappa: table.real("kappa").unwrap_or(default.kappa),
        inequality: table.flag("inequality").unwrap_or(default.inequality),
        signed: table.flag("signed").unwrap_or(default.signed),
        placement: chosen(table, "placement", &PLACEMENTS).unwrap_or(default.placement),
        quads: table.flag("quads").unwrap_or(default.quads),
        printed_masses: table.flag("printed_masses").unwrap_or(default.printed_masses),
    }
}

fn stiffness(table: &Table<'_>) -> Stiffness {
    match table.real("compliance") {
        Some(compliance) => Stiffness::Compliance(compliance),
        None => table.real("stiffness").map_or_else(Stiffness::default, Stiffness::Fraction),
    }
}

/// κ over time, where it is given by keyframes.
pub(in crate::scene) fn read_kappa(cloth: &Table<'_>, report: &mut Report<'_>) -> Option<Curve> {
    let triangle = cloth.table("material")?.table("triangle_bending")?;
    match triangle.real("kappa") {
        Some(_) => None,
        None => curve::read(&triangle, "kappa", report),
    }
}
