//! A rigid body in a world: its shape, its mass, and where it is.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::description::{RigidBody, RigidShape};
use super::engine;
use super::mass::{MassProperties, solid};
use super::state::BodyState;
use crate::Error;
use crate::collision::{Collider, Shape, Surface};
use crate::diagnostics::energy::{Energy, Momentum};
use crate::mesh::{TriMesh, generate};

/// How often the triangles of a ball are split, where it is drawn: 80 edges around it.
const SUBDIVISIONS: usize = 4;

/// A rigid body in a [`World`](crate::World).
#[derive(Clone, Debug)]
pub struct MovingBody {
    description: RigidBody,
    mass: MassProperties,
    /// In the shape's own coordinates.
    surface: TriMesh,
    /// What cloth collides with, from the centre of mass: the vertices, or the centre of a ball. Metres.
    pub(crate) points: Vec<DVec3>,
    /// The shape as the engine wants it, with the centre of mass as the origin.
    #[cfg_attr(not(feature = "rigid-bodies"), allow(dead_code))]
    pub(super) shape: engine::BodyShape,
    pub(crate) state: BodyState,
    /// At the end of the substep that is under way.
    pub(crate) end: BodyState,
}

impl MovingBody {
    /// Checks a body and measures it.
    pub(crate) fn new(description: RigidBody) -> Result<Self, Error> {
        description.check()?;
        let error = |problem: String| description.error(problem);
        let surface = match &description.shape {
            RigidShape::Sphere { radius } => {
                generate::sphere(*radius, SUBDIVISIONS).map_err(|e| error(e.to_string()))?
            }
            RigidShape::Box { size } => generate::cuboid(*size, 1).map_err(|e| error(e.to_string()))?,
            RigidShape::Convex(points) => engine::convex_hull(points).map_err(error)?,
            RigidShape::Mesh(mesh) => solid(mesh).map_err(error)?,
        };
        let surface = TriMesh { origin: DVec3::ZERO, ..surface };
        let mass = MassProperties::new(&description.shape, &surface, description.mass).map_err(error)?;
        let points = match description.shape {
            RigidShape::Sphere { .. } => vec![DVec3::ZERO],
            _ => surface.positions.iter().map(|p| p.as_dvec3() - mass.center).collect(),
        };
        let shape = engine::BodyShape::new(&description.shape, &points, &surface.triangles).map_err(error)?;
        let rotation = description.rotation.normalize();
        let of_mesh = if let RigidShape::Mesh(mesh) = &description.shape {
            rotation * mesh.origin
        } else {
            DVec3::ZERO
        };
        let turn = DMat3::from_quat(rotation);
        let state = BodyState {
            // A world counts it from its own before anything else.
            origin: DVec3::ZERO,
            center: description.position + of_mesh + rotation * mass.center,
            rotation,
            velocity: description.velocity,
            angular_momentum: turn * (mass.inertia * (turn.transpose() * description.angular_velocity)),
        };
        Ok(Self { mass, surface, points, shape, state, end: state, description })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.description.name
    }

    /// As it was given: shape, surface, restitution, and how it started.
    pub fn description(&self) -> &RigidBody {
        &self.description
    }

    /// Its surface as triangles, facing outwards, in the coordinates of its shape: balls finely divided, the hull
    /// of convex bodies, meshes as they are. [`MovingBody::placement`] brings it to where the body is.
    pub fn surface_mesh(&self) -> &TriMesh {
        &self.surface
    }

    /// From the coordinates of its shape to those of the world.
    pub fn placement(&self) -> DAffine3 {
        let BodyState { origin, center, rotation, .. } = self.state;
        DAffine3::from_rotation_translation(rotation, origin + (center - rotation * self.mass.center))
    }

    /// Its surface where it is now.
    pub fn placed_mesh(&self) -> TriMesh {
        let (origin, placement) = (self.state.origin, self.placement());
        let mut mesh = self.surface.clone();
        let place = |p: Vec3| (placement.transform_point3(p.as_dvec3()) - origin).as_vec3();
        mesh.positions.iter_mut().for_each(|p| *p = place(*p));
        mesh.origin = origin;
        mesh
    }

    /// Where its centre of mass is in the world, metres.
    pub fn center(&self) -> DVec3 {
        self.state.origin + self.state.center
    }

    /// Where and how fast it is, from the world's origin.
    pub fn state(&self) -> &BodyState {
        &self.state
    }

    /// Velocity of its centre of mass, m/s.
    pub fn velocity(&self) -> DVec3 {
        self.state.velocity
    }

    /// rad/s.
    pub fn angular_velocity(&self) -> DVec3 {
        self.inverse_inertia_of(&self.state) * self.state.angular_momentum
    }

    /// kg.
    pub fn mass(&self) -> f64 {
        self.mass.mass
    }

    /// The centre of mass in the coordinates of its shape, metres.
    pub fn local_center(&self) -> DVec3 {
        self.mass.center
    }

    /// About the centre of mass, along the world's axes as it is turned now, kg·m².
    pub fn inertia(&self) -> DMat3 {
        self.inertia_of(&self.state)
    }

    /// Linear momentum, and angular momentum about zero.
    pub fn momentum(&self) -> Momentum {
        self.momentum_of(&self.state).about(-self.state.origin)
    }

    /// The same of a state, about its origin.
    pub(crate) fn momentum_of(&self, state: &BodyState) -> Momentum {
        let BodyState { center, velocity, angular_momentum, .. } = *state;
        let linear = velocity * self.mass.mass;
        Momentum { linear, angular: center.cross(linear) + angular_momentum }
    }

    /// Kinetic energy, and that of its height.
    pub fn energy(&self, gravity: Vec3) -> Energy {
        let BodyState { origin, center, velocity, angular_momentum, .. } = self.state;
        let moving = self.mass.mass * velocity.length_squared();
        let turning = angular_momentum.dot(self.angular_velocity());
        Energy {
            kinetic: 0.5 * (moving + turning),
            gravity: -self.mass.mass * gravity.as_dvec3().dot(origin + center),
            ..Energy::default()
        }
    }

    /// Counts where it is from another origin.
    pub(crate) fn recentre(&mut self, origin: DVec3) {
        self.state.recentre(origin);
        self.end.recentre(origin);
    }

    pub(crate) fn surface(&self) -> Surface {
        self.description.surface
    }

    #[cfg_attr(not(feature = "rigid-bodies"), allow(dead_code))]
    pub(super) fn mass_properties(&self) -> &MassProperties {
        &self.mass
    }

    pub(crate) fn inertia_of(&self, state: &BodyState) -> DMat3 {
        let turn = DMat3::from_quat(state.rotation);
        turn * self.mass.inertia * turn.transpose()
    }

    pub(crate) fn inverse_inertia_of(&self, state: &BodyState) -> DMat3 {
        let turn = DMat3::from_quat(state.rotation);
        turn * self.mass.inverse_inertia * turn.transpose()
    }

    /// Where cloth meets it in a state, from its origin: its points, rounded as the collision stage rounds them.
    pub(crate) fn points_in(&self, state: &BodyState) -> impl Iterator<Item = Vec3> {
        let BodyState { center, rotation, .. } = *state;
        self.points.iter().map(move |p| (center + rotation * *p).as_vec3())
    }

    /// A collider that stands where the body stands, with the same shape: around its centre of mass
    /// (`placed` false), or where it is now.
    pub(crate) fn as_collider(&self, placed: bool) -> Collider {
        let points: Vec<Vec3> = match placed {
            true => self.points_in(&self.state).collect(),
            false => self.points.iter().map(|p| p.as_vec3()).collect(),
        };
        let shape = match self.description.shape {
            RigidShape::Sphere { radius } => Shape::Sphere { center: points[0], radius },
            _ => Shape::Mesh(TriMesh::new(points, self.surface.triangles.clone())),
        };
        let origin = if placed { self.state.origin } else { DVec3::ZERO };
        Collider { surface: self.surface(), origin, ..Collider::new(self.name(), shape) }
    }
}
