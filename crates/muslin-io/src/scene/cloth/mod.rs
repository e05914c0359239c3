//! `[[cloth]]`: one piece of cloth, its material and its pins.

pub(super) mod bending;
mod curve;
pub(super) mod material;
pub(super) mod pins;

use std::path::PathBuf;

use muslin::cloth::{Curve, Material, Stretch, TetherChoice};
use muslin::solver::{Order, SolverConfig, Variant};

use super::Context;
use super::mesh::{self, Mesh};
use super::motion::transform::{self, Transform};
use super::read::names::default_name;
use super::schema::table::Table;
use super::schema::{Key, Kind, Need, Schema, key};
use super::solver::backend::Backend;
use super::solver::{self, Solver, SolverChoice, check_config};
use curve::CURVE;
use material::FABRIC;
use pins::Pins;

/// The most pieces of cloth in a scene.
pub(super) const MOST_CLOTHS: usize = 64;

/// The most tables of pins of one cloth.
const MOST_PINS: usize = 10_000;

const TETHERS: Kind = Kind::Either(&[Kind::Word(&["auto", "off"]), Kind::Integer(1, 255)]);
const PINS: Kind = Kind::List { of: &Kind::Table(&pins::SCHEMA), least: 0, most: MOST_PINS };

const KEYS: &[Key] = &[
    key("name", "", Kind::Name, Need::Otherwise("`cloth`, `cloth2`, …"), "Names the files written for it."),
    key("mesh", "", Kind::Table(&mesh::SCHEMA), Need::Required, "The rest shape."),
    key("transform", "", Kind::Table(&transform::SCHEMA), Need::Otherwise("as it is"), "Where it is put."),
    key(
        "start",
        "",
        Kind::Text,
        Need::Otherwise("the rest shape"),
        "A mesh file whose vertices, one for each of the mesh, are where it starts: folded, say. The `transform` puts \
         them where they belong too.",
    ),
    key("fabric", "", FABRIC, Need::Otherwise("the material below"), "A fabric by name."),
    key(
        "material",
        "",
        Kind::Table(&material::SCHEMA),
        Need::Otherwise("a stiff light cotton, or the fabric"),
        "What it is made of.",
    ),
    key(
        "tethers",
        "",
        TETHERS,
        Need::Default("\"auto\""),
        "Whether particles are tied to pins, and to how many groups of them. \"auto\": where there are pins and \
         stretch is given by coefficients, for `multilevel` where there are pins.",
    ),
    key(
        "pressure",
        "",
        CURVE,
        Need::Otherwise("none"),
        "Volume of closed cloth in parts of that at rest, which it is held at; more than 1 inflates. Can be animated.",
    ),
    key("pins", "", PINS, Need::Otherwise("none"), "Which vertices are held."),
    key("solver", "", Kind::Table(&solver::CLOTH_SCHEMA), Need::Otherwise("as in `[solver]`"), "Its solver."),
];

pub(super) const SCHEMA: Schema =
    Schema::new("[[cloth]]", "A piece of cloth; there can be several, which collide with each other.", KEYS);

/// A piece of cloth as the scene describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothDescription {
    /// Different for each cloth, and fit to be part of a file's name.
    pub name: String,
    /// The rest shape.
    pub mesh: Mesh,
    /// Where it is put.
    pub transform: Transform,
    /// A mesh file with the positions to start from, by its real path; without it starts in its rest shape.
    pub start: Option<PathBuf>,
    /// What it is made of.
    pub material: Material,
    /// Whether particles are tethered to pins.
    pub tethers: TetherChoice,
    /// κ of triangle bending over time, in place of the material's.
    pub kappa: Option<Curve>,
    /// The volume of closed cloth over time, in parts of that at rest.
    pub pressure: Option<Curve>,
    /// Which particles are held.
    pub pins: Vec<Pins>,
    /// How it is kept together.
    pub solver: SolverChoice,
    /// Whether inner vertices of its mesh are moved onto particles of its grid; only of multilevel cloth.
    pub snap: bool,
}

impl ClothDescription {
    /// Reads the cloth with a number, counted from 0.
    pub(super) fn read(
        table: &Table<'_>,
        number: usize,
        solver: &Solver,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let name = table.text("name").map(str::to_owned);
        let material = material::read(table, &mut context.report);
        let transform = Transform::read(table.table("transform"), &mut context.report);
        let own = table.table("solver");
        let choice = own.as_ref().map_or_else(|| solver.choice.clone(), |table| solver.choice.with(table));
        if let Some(table) = &own {
            check_config(table, choice.on(solver.backend), &mut context.report);
        }
        refuse_combination(table, &material, choice.on(Backend::Cpu), context);
        let multilevel = matches!(choice.on(Backend::Cpu), SolverConfig::Multilevel(_));
        let snap = multilevel && own.and_then(|own| own.flag("snap")).unwrap_or(solver.snap);
        let tethers = match (table.text("tethers"), table.count("tethers")) {
            (_, Some(groups)) => TetherChoice::Nearest(groups),
            (Some("off"), None) => TetherChoice::Off,
            _ => TetherChoice::Auto,
        };
        let start = table.text("start").map(|text| context.mesh_file(text, &table.span_of("start")));
        // All pins are read before any is missed, so that all errors are reported.
        let pins: Vec<_> = table.tables("pins").iter().map(|table| Pins::read(table, context)).collect();
        Some(Self {
            name: name.unwrap_or_else(|| default_name("cloth", number)),
            mesh: Mesh::read(&table.table("mesh")?, context)?,
            transform,
            start: start.map_or(Some(None), |path| path.map(Some))?,
            material,
            tethers,
            kappa: bending::read_kappa(table, &mut context.report),
            pressure: curve::read(table, "pressure", &mut context.report),
            pins: pins.into_iter().collect::<Option<_>>()?,
            solver: choice,
            snap,
        })
    }
}

/// Not every method knows physical stiffness; the library would refuse it too, but not here.
fn refuse_combination(
    table: &Table<'_>,
    material: &Material,
    config: &SolverConfig,
    context: &mut Context<'_>,
) {
    let knows = match config {
        SolverConfig::ShapeMatching(options) => {
            options.variant == Variant::FullApproximation && options.order != Some(Order::Jacobi)
        }
        config => matches!(
            config,
            SolverConfig::PositionBased(_) | SolverConfig::Impulses(_) | SolverConfig::Multilevel(_)
        ),
    };
    if knows || !matches!(material.stretch, Stretch::Physical { .. }) {
        return;
    }
    let material = table.table("material").filter(|material| material.has("stretch"));
    let span = material.map_or_else(|| table.span_of("fabric"), |material| material.span_of("stretch"));
    let message = "only the \"full_approximation\" variant of shape matching in the order \"gauss_seidel\", position-based dynamics, impulses and \
                   multilevel cloth know physical stretch stiffness";
    let hint = "give stretch = { alpha = 1.0, beta = 1.0 } in the material, or change the solver";
    context.report.error_with_hint(&span, message, hint);
}
