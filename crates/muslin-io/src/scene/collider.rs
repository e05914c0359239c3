//! `[[collider]]`: what cloth collides with. Read and checked, but not simulated yet.

use std::path::PathBuf;

use glam::Vec3;

use super::Context;
use super::motion::{KEYFRAMES_KEY, Motion, PIVOT_KEY};
use super::shape::{Choice, Interval, Key, Kind, Need, Shape, key};
use super::source::Span;
use super::table::Table;
use super::transform::{self, Transform};

/// The most colliders of a scene.
pub(super) const MOST_COLLIDERS: usize = 1000;

/// The most files of an animated mesh.
const MOST_FILES: i64 = 100_000;

const PLACE: Kind = Kind::Vector(Interval::ANY);
const LENGTH: Kind = Kind::Number(Interval::LENGTH);

const PLANE: Shape = Shape::new(
    "collider.plane",
    "An endless plane, solid on the side away from the normal.",
    &[
        key("point", "m", PLACE, Need::Default("[0.0, 0.0, 0.0]"), "A point of the plane."),
        key("normal", "", PLACE, Need::Otherwise("`up`"), "Points out of the solid side."),
    ],
);
const SPHERE: Shape = Shape::new(
    "collider.sphere",
    "A ball.",
    &[
        key("center", "m", PLACE, Need::Default("[0.0, 0.0, 0.0]"), "Its centre."),
        key("radius", "m", LENGTH, Need::Required, "Its radius."),
    ],
);
const CAPSULE: Shape = Shape::new(
    "collider.capsule",
    "All points within a distance of a line.",
    &[
        key("from", "m", PLACE, Need::Required, "One end of the line."),
        key("to", "m", PLACE, Need::Required, "The other end."),
        key("radius", "m", LENGTH, Need::Required, "The distance."),
    ],
);
const BOX: Shape = Shape::new(
    "collider.box",
    "A box; turn it with `transform`.",
    &[
        key("center", "m", PLACE, Need::Default("[0.0, 0.0, 0.0]"), "Its centre."),
        key("size", "m", Kind::Vector(Interval::LENGTH), Need::Required, "Along x, y and z."),
    ],
);
const MESH: Shape = Shape::new(
    "collider.mesh",
    "A closed mesh.",
    &[key("file", "", Kind::Text, Need::Required, "A mesh file.")],
);
const SEQUENCE: Shape = Shape::new(
    "collider.sequence",
    "An animated mesh: a file for each frame, all with the same triangles.",
    &[
        key("files", "", Kind::Text, Need::Required, "Their names with `#` for digits: `body/####.obj`."),
        key("first", "", Kind::Integer(0, 999_999_999), Need::Default("1"), "The first number."),
        key("last", "", Kind::Integer(0, 999_999_999), Need::Required, "The last number."),
        key("fps", "1/s", LENGTH, Need::Otherwise("that of `[time]`"), "Files per second."),
    ],
);

const SHAPES: &[&str] = &["plane", "sphere", "capsule", "box", "mesh", "sequence"];
const INSTEAD: Need = Need::Otherwise("");

const KEYS: &[Key] = &[
    key("name", "", Kind::Name, Need::Otherwise("none"), "For reports."),
    key("plane", "", Kind::Table(&PLANE), INSTEAD, "An endless plane."),
    key("sphere", "", Kind::Table(&SPHERE), INSTEAD, "A ball."),
    key("capsule", "", Kind::Table(&CAPSULE), INSTEAD, "A line with a thickness."),
    key("box", "", Kind::Table(&BOX), INSTEAD, "A box."),
    key("mesh", "", Kind::Table(&MESH), INSTEAD, "A mesh."),
    key("sequence", "", Kind::Table(&SEQUENCE), INSTEAD, "An animated mesh."),
    key("transform", "", Kind::Table(&transform::SHAPE), Need::Otherwise("as it is"), "Where it is put."),
    KEYFRAMES_KEY,
    PIVOT_KEY,
    key("friction", "", Kind::Number(FRICTION), Need::Default("0.3"), "Coefficient of friction."),
    key(
        "thickness",
        "m",
        Kind::Number(Interval::NOT_NEGATIVE),
        Need::Default("0.002"),
        "Cloth is kept so far away.",
    ),
];
const FRICTION: Interval = Interval { most: 100.0, ..Interval::NOT_NEGATIVE };

pub(super) const SHAPE: Shape = Shape::new(
    "[[collider]]",
    "What cloth collides with. Not supported yet: a scene with colliders is refused.",
    KEYS,
)
.choosing(&[
    Choice { keys: SHAPES, required: true },
    Choice { keys: &["sequence", "keyframes"], required: false },
]);

/// The shape of a collider, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// An endless plane, solid on the side away from the normal (of length one).
    #[allow(missing_docs)]
    Plane { point: Vec3, normal: Vec3 },
    /// A ball.
    #[allow(missing_docs)]
    Sphere { center: Vec3, radius: f32 },
    /// All points within a radius of a line.
    #[allow(missing_docs)]
    Capsule { from: Vec3, to: Vec3, radius: f32 },
    /// A box along the axes.
    #[allow(missing_docs)]
    Box { center: Vec3, size: Vec3 },
    /// A mesh file, by its real path.
    Mesh(PathBuf),
    /// One mesh file per frame, by their real paths, and files per second (`None`: as the scene).
    Sequence(Vec<PathBuf>, Option<f64>),
}

/// What cloth collides with.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// For reports.
    pub name: Option<String>,
    /// Its shape before the transform.
    pub shape: ColliderShape,
    /// Where it is put.
    pub transform: Transform,
    /// How it moves; `None` is not at all.
    pub motion: Option<Motion>,
    /// Coefficient of friction.
    pub friction: f32,
    /// How far away cloth is kept, metres.
    pub thickness: f32,
}

impl Collider {
    pub(super) fn read(table: &Table<'_>, context: &mut Context<'_>) -> Option<Self> {
        let motion =
            if table.has("keyframes") { Some(Motion::read(table, &mut context.report)?) } else { None };
        let name = SHAPES.iter().find(|name| table.has(name))?;
        Some(Self {
            name: table.text("name").map(str::to_owned),
            shape: read_shape(name, &table.table(name)?, context)?,
            transform: Transform::read(table.table("transform"), &mut context.report),
            motion,
            friction: table.real("friction").unwrap_or(0.3),
            thickness: table.real("thickness").unwrap_or(0.002),
        })
    }
}

fn read_shape(name: &str, table: &Table<'_>, context: &mut Context<'_>) -> Option<ColliderShape> {
    let center = || table.vector("center").unwrap_or_default();
    Some(match name {
        "plane" => {
            let normal = table.vector("normal").unwrap_or(context.up.direction());
            let Some(normal) = normal.try_normalize() else {
                context.report.error(&table.span_of("normal"), "a normal must have a length");
                return None;
            };
            ColliderShape::Plane { point: table.vector("point").unwrap_or_default(), normal }
        }
        "sphere" => ColliderShape::Sphere { center: center(), radius: table.real("radius")? },
        "capsule" => ColliderShape::Capsule {
            from: table.vector("from")?,
            to: table.vector("to")?,
            radius: table.real("radius")?,
        },
        "box" => ColliderShape::Box { center: center(), size: table.vector("size")? },
        "mesh" => ColliderShape::Mesh(context.mesh_file(table.text("file")?, &table.span_of("file"))?),
        "sequence" => ColliderShape::Sequence(sequence_files(table, context)?, table.number("fps")),
        _ => return None,
    })
}

/// The files of a sequence, all of which must exist.
fn sequence_files(table: &Table<'_>, context: &mut Context<'_>) -> Option<Vec<PathBuf>> {
    let (first, last): (i64, i64) = (table.count("first").unwrap_or(1), table.count("last")?);
    let pattern = table.text("files")?;
    let span: Span = table.span_of("files");
    if last < first || last - first >= MOST_FILES {
        let message = format!("from {first} to {last} are not between 1 and {MOST_FILES} files");
        context.report.error(&table.span_of("last"), message);
        return None;
    }
    let digits = pattern.matches('#').count();
    let place = "#".repeat(digits);
    if digits == 0 || !pattern.contains(&place) {
        let hint = "write it like \"body/####.obj\"";
        context.report.error_with_hint(&span, "the files' names need one run of '#' for the number", hint);
        return None;
    }
    let name = |number: i64| pattern.replacen(&place, &format!("{number:0digits$}"), 1);
    (first..=last).map(|number| context.mesh_file(&name(number), &span)).collect()
}
