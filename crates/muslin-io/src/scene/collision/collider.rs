//! `[[collider]]`: what cloth collides with.

use std::path::PathBuf;

use glam::{DVec3, Vec3};
use muslin::collision::Surface;

use super::surface;
use crate::scene::Context;
use crate::scene::mesh::{self, Mesh};
use crate::scene::motion::transform::{self, Transform};
use crate::scene::motion::{KEYFRAMES_KEY, Motion, PIVOT_KEY};
use crate::scene::read::names;
use crate::scene::schema::table::Table;
use crate::scene::schema::{Choice, Interval, Key, Kind, Need, Schema, key};
use crate::scene::text::source::Span;

/// The most colliders of a scene.
pub(in crate::scene) const MOST_COLLIDERS: usize = 1000;

/// The most files of an animated mesh.
const MOST_FILES: i64 = 100_000;

/// The most poses of all moving colliders of a scene, after turns were cut into pieces.
pub(in crate::scene) const MOST_POSES: u64 = 1_000_000;

const PLANE: Schema = Schema::new(
    "collider.plane",
    "An endless plane, solid on the side away from the normal.",
    &[
        key("point", "m", Kind::VECTOR, Need::Default("[0.0, 0.0, 0.0]"), "A point of the plane."),
        key("normal", "", Kind::VECTOR, Need::Otherwise("`up`"), "Points out of the solid side."),
    ],
);
const SPHERE: Schema = Schema::new(
    "collider.sphere",
    "A ball.",
    &[
        key("center", "m", Kind::VECTOR, Need::Default("[0.0, 0.0, 0.0]"), "Its centre."),
        key("radius", "m", Kind::LENGTH, Need::Required, "Its radius."),
    ],
);
const CAPSULE: Schema = Schema::new(
    "collider.capsule",
    "All points within a distance of a line.",
    &[
        key("from", "m", Kind::VECTOR, Need::Required, "One end of the line."),
        key("to", "m", Kind::VECTOR, Need::Required, "The other end."),
        key("radius", "m", Kind::LENGTH, Need::Required, "The distance."),
    ],
);
const BOX: Schema = Schema::new(
    "collider.box",
    "A box; turn it with `transform`.",
    &[
        key("center", "m", Kind::VECTOR, Need::Default("[0.0, 0.0, 0.0]"), "Its centre."),
        key("size", "m", Kind::Vector(Interval::LENGTH), Need::Required, "Along x, y and z."),
    ],
);
const SEQUENCE: Schema = Schema::new(
    "collider.sequence",
    "An animated mesh: a file for each frame, all with the same triangles.",
    &[
        key("files", "", Kind::Text, Need::Required, "Their names with `#` for digits: `body/####.obj`."),
        key("first", "", Kind::Integer(0, 999_999_999), Need::Default("1"), "The first number."),
        key("last", "", Kind::Integer(0, 999_999_999), Need::Required, "The last number."),
        key("fps", "1/s", Kind::LENGTH, Need::Otherwise("that of `[time]`"), "Files per second."),
    ],
);

const SHAPES: &[&str] = &["plane", "sphere", "capsule", "box", "mesh", "sequence"];
const INSTEAD: Need = Need::Otherwise("");

const KEYS: &[Key] = &[
    key(
        "name",
        "",
        Kind::Name,
        Need::Otherwise("`collider`, `collider2`, …"),
        "For reports and for `[[contact]]`; no cloth may have the same.",
    ),
    key("plane", "", Kind::Table(&PLANE), INSTEAD, "An endless plane."),
    key("sphere", "", Kind::Table(&SPHERE), INSTEAD, "A ball."),
    key("capsule", "", Kind::Table(&CAPSULE), INSTEAD, "A line with a thickness."),
    key("box", "", Kind::Table(&BOX), INSTEAD, "A box."),
    key(
        "mesh",
        "",
        Kind::Table(&mesh::SCHEMA),
        INSTEAD,
        "A mesh, closed or open, from a file or a generator.",
    ),
    key("sequence", "", Kind::Table(&SEQUENCE), INSTEAD, "An animated mesh."),
    key("transform", "", Kind::Table(&transform::SCHEMA), Need::Otherwise("as it is"), "Where it is put."),
    KEYFRAMES_KEY,
    PIVOT_KEY,
    surface::SOLID_THICKNESS_KEY,
    surface::FRICTION_KEY,
    surface::STATIC_FRICTION_KEY,
    surface::SOLID_STIFFNESS_KEY,
];

pub(in crate::scene) const SCHEMA: Schema = Schema::new(
    "[[collider]]",
    "What cloth collides with. The middle about which it turns is that of its shape, for meshes that of the \
     smallest box around them, for planes their `point`. A `transform` scales balls and capsules in all \
     directions alike, and planes not at all.",
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
    Plane { point: DVec3, normal: Vec3 },
    /// A ball.
    #[allow(missing_docs)]
    Sphere { center: DVec3, radius: f32 },
    /// All points within a radius of a line.
    #[allow(missing_docs)]
    Capsule { from: DVec3, to: DVec3, radius: f32 },
    /// A box along the axes.
    #[allow(missing_docs)]
    Box { center: DVec3, size: Vec3 },
    /// A mesh from a file or a generator.
    Mesh(Mesh),
    /// One mesh file per frame, by their real paths, and files per second (`None`: as the scene).
    Sequence(Vec<PathBuf>, Option<f64>),
}

impl ColliderShape {
    /// The key by which a scene gives it.
    pub(in crate::scene) fn key(&self) -> &'static str {
        match self {
            Self::Plane { .. } => "plane",
            Self::Sphere { .. } => "sphere",
            Self::Capsule { .. } => "capsule",
            Self::Box { .. } => "box",
            Self::Mesh(_) => "mesh",
            Self::Sequence(..) => "sequence",
        }
    }
}

/// What cloth collides with.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Different from that of any other collider or cloth.
    pub name: String,
    /// Its shape before the transform.
    pub shape: ColliderShape,
    /// Where it is put.
    pub transform: Transform,
    /// How it moves; `None` is not at all.
    pub motion: Option<Motion>,
    /// Its thickness and friction.
    pub surface: Surface,
}

impl Collider {
    /// Reads the collider with a number, counted from 0.
    pub(in crate::scene) fn read(
        table: &Table<'_>,
        number: usize,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let motion = read_motion(table, context);
        let transform = Transform::read(table.table("transform"), &mut context.report);
        let name = SHAPES.iter().find(|name| table.has(name))?;
        let shape = read_shape(name, &table.table(name)?, context)?;
        if matches!(shape, ColliderShape::Sphere { .. } | ColliderShape::Capsule { .. }) {
            let mesh = "a mesh in its place: mesh.sphere = { radius = 1.0, subdivisions = 4 }";
            transform.check_round(table, name, mesh, &mut context.report);
        }
        Some(Self {
            name: names::read(table, "collider", number),
            shape,
            transform,
            motion: motion?,
            surface: surface::read(table, Surface::COLLIDER, "stiffness"),
        })
    }
}

/// The motion, if any; nothing at all if it is wrong.
fn read_motion(table: &Table<'_>, context: &mut Context<'_>) -> Option<Option<Motion>> {
    if !table.has("keyframes") {
        if table.has("pivot") {
            context.report.error(&table.span_of("pivot"), "a pivot has no meaning without keyframes");
        }
        return Some(None);
    }
    let motion = Motion::read(table, &mut context.report)?;
    // Saturates, should the count not fit.
    context.count_poses(motion.pose_count() as u64, &table.span_of("keyframes"))?;
    Some(Some(motion))
}

fn read_shape(name: &str, table: &Table<'_>, context: &mut Context<'_>) -> Option<ColliderShape> {
    let center = || table.vector_f64("center").unwrap_or_default();
    Some(match name {
        "plane" => {
            let normal = table.vector("normal").unwrap_or(context.up.direction());
            let Some(normal) = normal.try_normalize() else {
                context.report.error(&table.span_of("normal"), "a normal must have a length");
                return None;
            };
            ColliderShape::Plane { point: table.vector_f64("point").unwrap_or_default(), normal }
        }
        "sphere" => ColliderShape::Sphere { center: center(), radius: table.real("radius")? },
        "capsule" => ColliderShape::Capsule {
            from: table.vector_f64("from")?,
            to: table.vector_f64("to")?,
            radius: table.real("radius")?,
        },
        "box" => ColliderShape::Box { center: center(), size: table.vector("size")? },
        "mesh" => ColliderShape::Mesh(Mesh::read(table, context)?),
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
