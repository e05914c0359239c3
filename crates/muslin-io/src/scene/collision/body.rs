//! `[[body]]`: rigid bodies that fall into cloth.

use glam::{DVec3, Vec3};
use muslin::collision::Surface;
use muslin::rigid::{Mass, RigidBody, RigidShape};

use super::surface;
use crate::files::Reading;
use crate::scene::Context;
use crate::scene::build::upright;
use crate::scene::mesh::{self, Mesh, MeshProblem};
use crate::scene::motion::transform::{self, ROTATE, Rotation, Transform};
use crate::scene::read::names;
use crate::scene::schema::table::Table;
use crate::scene::schema::{Choice, Interval, Key, Kind, Need, Schema, key};
use crate::scene::{Scene, UpAxis};

/// The most bodies of a scene.
pub(in crate::scene) const MOST_BODIES: usize = 1000;

const NONE: Need = Need::Default("[0.0, 0.0, 0.0]");

const SPHERE: Schema = Schema::new(
    "body.sphere",
    "A ball around the origin of the body.",
    &[key("radius", "m", Kind::LENGTH, Need::Required, "Its radius.")],
);
const BOX: Schema = Schema::new(
    "body.box",
    "A box around the origin of the body.",
    &[key("size", "m", Kind::Vector(Interval::LENGTH), Need::Required, "Along x, y and z.")],
);

const SHAPES: &[&str] = &["sphere", "box", "convex", "mesh"];
const INSTEAD: Need = Need::Otherwise("");

const KEYS: &[Key] = &[
    key(
        "name",
        "",
        Kind::Name,
        Need::Otherwise("`body`, `body2`, …"),
        "For reports, files and `[[contact]]`; no cloth or collider may have the same.",
    ),
    key("sphere", "", Kind::Table(&SPHERE), INSTEAD, "A ball."),
    key("box", "", Kind::Table(&BOX), INSTEAD, "A box."),
    key(
        "convex",
        "",
        Kind::Table(&mesh::SCHEMA),
        INSTEAD,
        "The convex hull of a mesh from a file or a generator.",
    ),
    key("mesh", "", Kind::Table(&mesh::SCHEMA), INSTEAD, "A closed mesh from a file or a generator."),
    key(
        "transform",
        "",
        Kind::Table(&transform::SCHEMA),
        Need::Otherwise("as it is"),
        "Changes the shape in the body's own coordinates, before `rotation` and `position`.",
    ),
    key(
        "density",
        "kg/m³",
        Kind::POSITIVE,
        Need::Default("500.0"),
        "Mass per volume, the same everywhere in it.",
    ),
    key("mass", "kg", Kind::POSITIVE, Need::Otherwise("from `density`"), "In place of a density."),
    key("position", "m", Kind::VECTOR, NONE, "Where the origin of its own coordinates starts."),
    key("rotation", "°", ROTATE, NONE, "How it is turned about that origin at the start."),
    key("velocity", "m/s", Kind::VECTOR, NONE, "The velocity of its centre of mass at the start."),
    key("angular_velocity", "°/s", Kind::VECTOR, NONE, "About the axes of the scene, at the start."),
    key(
        "restitution",
        "",
        Kind::FRACTION,
        Need::Default("0.0"),
        "How much of their speed bodies have after hitting each other or a collider; the higher of two counts.",
    ),
    surface::SOLID_THICKNESS_KEY,
    surface::FRICTION_KEY,
    surface::STATIC_FRICTION_KEY,
    surface::SOLID_STIFFNESS_KEY,
];

pub(in crate::scene) const SCHEMA: Schema = Schema::new(
    "[[body]]",
    "Rigid bodies: they fall, push cloth and are pushed by it, and collide with each other and with colliders. A \
     `transform` scales balls in all directions alike.",
    KEYS,
)
.choosing(&[Choice { keys: SHAPES, required: true }, Choice { keys: &["density", "mass"], required: false }]);

/// The shape of a body, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape {
    /// A ball around the origin.
    #[allow(missing_docs)]
    Sphere { radius: f32 },
    /// A box around the origin.
    #[allow(missing_docs)]
    Box { size: Vec3 },
    /// The convex hull of a mesh.
    Convex(Mesh),
    /// A closed mesh.
    Mesh(Mesh),
}

impl BodyShape {
    /// The key by which a scene gives it.
    pub(in crate::scene) fn key(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Convex(_) => "convex",
            Self::Mesh(_) => "mesh",
        }
    }
}

/// A rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDescription {
    /// Different from that of any other body, collider or cloth.
    pub name: String,
    /// Its shape before the transform.
    pub shape: BodyShape,
    /// What is done to the shape, in the body's own coordinates.
    pub transform: Transform,
    /// How heavy it is.
    pub mass: Mass,
    /// Where its origin starts, metres.
    pub position: DVec3,
    /// How it is turned about its origin at the start.
    pub rotation: Rotation,
    /// Velocity of its centre of mass at the start, m/s.
    pub velocity: DVec3,
    /// At the start, rad/s.
    pub angular_velocity: DVec3,
    /// Its thickness and friction.
    pub surface: Surface,
    /// From 0 to 1.
    pub restitution: f64,
}

impl BodyDescription {
    /// Reads the body with a number, counted from 0.
    pub(in crate::scene) fn read(
        table: &Table<'_>,
        number: usize,
        context: &mut Context<'_>,
    ) -> Option<Self> {
        let transform = Transform::read(table.table("transform"), &mut context.report);
        let rotation = Rotation::read(table, "rotation", &mut context.report).unwrap_or(Rotation::NONE);
        let name = SHAPES.iter().find(|name| table.has(name))?;
        let shape = read_shape(name, &table.table(name)?, context)?;
        if matches!(shape, BodyShape::Sphere { .. }) {
            let hull = "its hull in its place: convex.sphere = { radius = 1.0, subdivisions = 3 }";
            transform.check_round(table, name, hull, &mut context.report);
        }
        let plain = RigidBody::new("", RigidShape::Sphere { radius: 1.0 });
        let vector = |name: &str| table.vector_f64(name).unwrap_or_default();
        let density = table.number("density").map_or(plain.mass, Mass::Density);
        Some(Self {
            name: names::read(table, "body", number),
            shape,
            transform,
            mass: table.number("mass").map_or(density, Mass::Total),
            position: vector("position"),
            rotation,
            velocity: vector("velocity"),
            angular_velocity: vector("angular_velocity") * 1f64.to_radians(),
            surface: surface::read(table, Surface::COLLIDER, "stiffness"),
            restitution: table.number("restitution").unwrap_or(plain.restitution),
        })
    }

    /// The body where it starts. What is read is taken off what may be.
    pub(in crate::scene) fn build(&self, up: UpAxis, files: &mut Reading) -> Result<RigidBody, MeshProblem> {
        let key = self.shape.key();
        let mut load = |mesh: &Mesh| {
            let loaded = mesh.load(files).map_err(|MeshProblem { path, message }| MeshProblem {
                path: format!("{key}.{path}"),
                message,
            })?;
            Ok(self.transform.place(loaded, upright(&mesh.source, up)))
        };
        // Where the points of a hull are counted from.
        let mut from = DVec3::ZERO;
        let scale = self.transform.scale.abs();
        let shape = match &self.shape {
            BodyShape::Sphere { radius } => RigidShape::Sphere { radius: radius * scale.x },
            BodyShape::Box { size } => RigidShape::Box { size: *size * scale },
            BodyShape::Convex(mesh) => {
                let mesh = load(mesh)?;
                from = mesh.origin;
                RigidShape::Convex(mesh.positions)
            }
            BodyShape::Mesh(mesh) => RigidShape::Mesh(load(mesh)?),
        };
        let turn = self.rotation.quaternion();
        // Balls and boxes stand at their origin: what moves and turns their shape places the body.
        let (position, rotation) = match shape {
            RigidShape::Sphere { .. } | RigidShape::Box { .. } => {
                (self.position + turn * self.transform.translate, turn * self.transform.rotate.quaternion())
            }
            _ => (self.position + turn * from, turn),
        };
        Ok(RigidBody {
            mass: self.mass,
            position,
            rotation,
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            surface: self.surface,
            restitution: self.restitution,
            ..RigidBody::new(&self.name, shape)
        })
    }
}

fn read_shape(name: &str, table: &Table<'_>, context: &mut Context<'_>) -> Option<BodyShape> {
    Some(match name {
        "sphere" => BodyShape::Sphere { radius: table.real("radius")? },
        "box" => BodyShape::Box { size: table.vector("size")? },
        "convex" => BodyShape::Convex(Mesh::read(table, context)?),
        "mesh" => BodyShape::Mesh(Mesh::read(table, context)?),
        _ => return None,
    })
}

impl Scene {
    /// The path of the value that a refused body is about: its mass, or its shape.
    pub(in crate::scene) fn path_of_body(&self, number: usize, problem: &str) -> String {
        let body = &self.bodies[number];
        let mass = if matches!(body.mass, Mass::Total(_)) { "mass" } else { "density" };
        let key = if problem.starts_with(mass) { mass } else { body.shape.key() };
        format!("body.{number}.{key}")
    }
}
