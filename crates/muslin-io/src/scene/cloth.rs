//! `[[cloth]]`: one piece of cloth.

use muslin::cloth::{Material, Stretch, TetherChoice};
use muslin::solver::{SolverConfig, Variant};

use super::Context;
use super::mesh::{self, Mesh};
use super::pins::{self, Pins};
use super::shape::{Key, Kind, Need, Shape, key};
use super::solver::{self, read_config};
use super::source::quoted;
use super::table::Table;
use super::transform::{self, Transform};
use super::{material, material::FABRIC};

/// The most pieces of cloth in a scene.
pub(super) const MOST_CLOTHS: usize = 64;

/// The most tables of pins of one cloth.
const MOST_PINS: usize = 10_000;

const TETHERS: Kind = Kind::Either(&[Kind::Word(&["auto", "off"]), Kind::Integer(1, 255)]);
const PINS: Kind = Kind::List { of: &Kind::Table(&pins::SHAPE), least: 0, most: MOST_PINS };

const KEYS: &[Key] = &[
    key("name", "", Kind::Name, Need::Otherwise("`cloth`, `cloth2`, …"), "Names the files written for it."),
    key("mesh", "", Kind::Table(&mesh::SHAPE), Need::Required, "The rest shape."),
    key("transform", "", Kind::Table(&transform::SHAPE), Need::Otherwise("as it is"), "Where it is put."),
    key("fabric", "", FABRIC, Need::Otherwise("the material below"), "A fabric by name."),
    key(
        "material",
        "",
        Kind::Table(&material::SHAPE),
        Need::Otherwise("a stiff light cotton, or the fabric"),
        "What it is made of.",
    ),
    key(
        "tethers",
        "",
        TETHERS,
        Need::Default("\"auto\""),
        "Whether particles are tied to pins, and to how many groups of them. \"auto\": where there are pins and \
         stretch is given by coefficients.",
    ),
    key("pins", "", PINS, Need::Otherwise("none"), "Which vertices are held."),
    key("solver", "", Kind::Table(&solver::CLOTH_SHAPE), Need::Otherwise("as in `[solver]`"), "Its solver."),
];

pub(super) const SHAPE: Shape = Shape::new(
    "[[cloth]]",
    "A piece of cloth; there can be several, which do not feel each other yet.",
    KEYS,
);

/// A piece of cloth as the scene describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothDescription {
    /// Different for each cloth, and fit to be part of a file's name.
    pub name: String,
    /// The rest shape.
    pub mesh: Mesh,
    /// Where it is put.
    pub transform: Transform,
    /// What it is made of.
    pub material: Material,
    /// Whether particles are tethered to pins.
    pub tethers: TetherChoice,
    /// Which particles are held.
    pub pins: Vec<Pins>,
    /// How it is kept together.
    pub solver: SolverConfig,
}

impl ClothDescription {
    /// Reads the cloth with a number, counted from 0.
    pub(super) fn read(
        table: &Table<'_>,
        number: usize,
        solver: &SolverConfig,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let name = table.text("name").map(str::to_owned);
        let material = material::read(table, &mut context.report);
        let transform = Transform::read(table.table("transform"), &mut context.report);
        let config = match table.table("solver") {
            Some(table) => read_config(&table, solver, &mut context.report),
            None => solver.clone(),
        };
        refuse_combination(table, &material, &config, context);
        let tethers = match (table.text("tethers"), table.count("tethers")) {
            (_, Some(groups)) => TetherChoice::Nearest(groups),
            (Some("off"), None) => TetherChoice::Off,
            _ => TetherChoice::Auto,
        };
        // All pins are read before any is missed, so that all errors are reported.
        let pins: Vec<_> = table.tables("pins").iter().map(|table| Pins::read(table, context)).collect();
        Some(Self {
            name: name
                .unwrap_or_else(|| if number == 0 { "cloth".into() } else { format!("cloth{}", number + 1) }),
            mesh: Mesh::read(&table.table("mesh")?, context)?,
            transform,
            material,
            tethers,
            pins: pins.into_iter().collect::<Option<_>>()?,
            solver: config,
        })
    }

    /// Reports names that are used twice: their files would overwrite each other.
    pub(super) fn check_names(tables: &[Table<'_>], cloths: &[Self], context: &mut Context<'_>) {
        for (i, cloth) in cloths.iter().enumerate() {
            // Letters of either case are the same on some file systems.
            let same = |other: &&Self| other.name.to_lowercase() == cloth.name.to_lowercase();
            if let (true, Some(table)) = (cloths[..i].iter().any(|other| same(&other)), tables.get(i)) {
                let message = format!("two cloths are called {}", quoted(&cloth.name));
                let hint = "give them different names: they name the files";
                context.report.error_with_hint(&table.span_of("name"), message, hint);
            }
        }
    }
}

/// Only one variant knows physical stiffness; the library would refuse it too, but not here.
fn refuse_combination(
    table: &Table<'_>,
    material: &Material,
    config: &SolverConfig,
    context: &mut Context<'_>,
) {
    let SolverConfig::ShapeMatching(options) = config else { return };
    if options.variant == Variant::FullApproximation || !matches!(material.stretch, Stretch::Physical { .. })
    {
        return;
    }
    let material = table.table("material").filter(|material| material.has("stretch"));
    let span = material.map_or_else(|| table.span_of("fabric"), |material| material.span_of("stretch"));
    let message = "only the \"full_approximation\" variant of the solver knows physical stretch stiffness";
    let hint = "give stretch = { alpha = 1.0, beta = 1.0 } in the material, or change the variant";
    context.report.error_with_hint(&span, message, hint);
}
