//! What a user says of a rigid body, and what can be wrong with it.

use glam::{DQuat, DVec3, Vec3};

use crate::Error;
use crate::collision::Surface;
use crate::mesh::TriMesh;

/// The shape of a body in its own coordinates, metres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RigidShape {
    /// A ball around the origin.
    #[allow(missing_docs)]
    Sphere { radius: f32 },
    /// A box around the origin with edges of these lengths, along the axes.
    #[allow(missing_docs)]
    Box { size: Vec3 },
    /// The convex hull of points.
    Convex(Vec<Vec3>),
    /// A closed mesh. Cloth meets its triangles; other bodies and colliders meet convex parts that it is divided
    /// into, which fill small hollows.
    Mesh(TriMesh),
}

/// How heavy a body is; mass is spread evenly over its volume.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Mass {
    /// kg/m³.
    Density(f64),
    /// kg.
    Total(f64),
}

/// A rigid body as it starts.
///
/// ```
/// use muslin::rigid::{Mass, RigidBody, RigidShape};
///
/// let mut ball = RigidBody::new("ball", RigidShape::Sphere { radius: 0.1 });
/// ball.mass = Mass::Total(0.5);
/// ball.position.y = 1.0;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RigidBody {
    /// For reports and for values of pairs; no other body, cloth or collider may have it.
    pub name: String,
    /// In the body's own coordinates.
    pub shape: RigidShape,
    /// How heavy it is.
    pub mass: Mass,
    /// Where the origin of the shape's coordinates is in the world, metres. It need not be the centre of mass.
    pub position: DVec3,
    /// How the shape's axes are turned about that origin; of length one.
    pub rotation: DQuat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
    /// Thickness towards cloth as for colliders; friction with everything.
    pub surface: Surface,
    /// How much of their speed bodies have after hitting each other or a collider, from 0 to 1; of two bodies the
    /// higher counts. Cloth never throws back.
    pub restitution: f64,
}

impl RigidBody {
    /// At rest at the origin, of 500 kg/m³ (light wood), with the surface of a collider, without rebound.
    pub fn new(name: &str, shape: RigidShape) -> Self {
        Self {
            name: name.to_owned(),
            shape,
            mass: Mass::Density(500.0),
            position: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            angular_velocity: DVec3::ZERO,
            surface: Surface::COLLIDER,
            restitution: 0.0,
        }
    }

    /// The same body elsewhere.
    pub fn at(self, position: DVec3) -> Self {
        Self { position, ..self }
    }

    pub(crate) fn error(&self, problem: impl Into<String>) -> Error {
        Error::Body { name: self.name.clone(), problem: problem.into() }
    }

    /// Looks for values out of range. What only the shape as a whole can tell comes with its mass.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.surface.check().map_err(|error| self.error(error.to_string()))?;
        let above = |value: f64| value.is_finite() && value > 0.0;
        let (Mass::Density(mass) | Mass::Total(mass)) = self.mass;
        let field = if matches!(self.mass, Mass::Density(_)) { "density" } else { "mass" };
        if !above(mass) {
            return Err(self.error(format!("{field} is {mass}, but must be finite and above 0")));
        }
        let vectors = [
            ("position", self.position),
            ("velocity", self.velocity),
            ("angular_velocity", self.angular_velocity),
        ];
        if let Some((field, _)) = vectors.into_iter().find(|(_, v)| !v.is_finite()) {
            return Err(self.error(format!("{field} is not finite")));
        }
        if !(self.rotation.is_finite() && self.rotation.is_normalized()) {
            return Err(self.error("rotation is not finite or not of length one"));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            let value = self.restitution;
            return Err(self.error(format!("restitution is {value}, but must be between 0 and 1")));
        }
        match &self.shape {
            RigidShape::Sphere { radius } if !above((*radius).into()) => {
                Err(self.error(format!("radius is {radius}, but must be finite and above 0")))
            }
            RigidShape::Box { size } if !size.to_array().into_iter().all(|edge| above(edge.into())) => {
                Err(self.error(format!("size is {size}, but must be finite and above 0")))
            }
            RigidShape::Convex(points) if points.iter().any(|p| !p.is_finite()) => {
                Err(self.error("a point is not finite"))
            }
            RigidShape::Mesh(mesh) => mesh.check().map_err(|error| self.error(error.to_string())),
            _ => Ok(()),
        }
    }
}
