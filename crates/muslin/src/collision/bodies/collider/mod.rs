//! What cloth collides with: shapes and how they move.

mod places;
mod surface_mesh;

use std::sync::Arc;

use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};

use super::surface::Surface;
use crate::Error;
use crate::mesh::{TriMesh, generate};

/// The shape of a collider, in metres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// An endless plane, solid on the side away from the normal.
    #[allow(missing_docs)]
    Plane { point: Vec3, normal: Vec3 },
    /// A ball.
    #[allow(missing_docs)]
    Sphere { center: Vec3, radius: f32 },
    /// All points within a distance of a line.
    #[allow(missing_docs)]
    Capsule { from: Vec3, to: Vec3, radius: f32 },
    /// A mesh, closed or open. Cloth stays on the side on which it starts.
    Mesh(TriMesh),
}

impl Shape {
    /// A box along the axes.
    pub fn cuboid(center: Vec3, size: Vec3) -> Self {
        // That of one metre can always be made.
        let unit = generate::cuboid(Vec3::ONE, 1).unwrap_or_default();
        let place = Affine3A::from_scale_rotation_translation(size, Quat::IDENTITY, center);
        Self::Mesh(unit.transformed(place))
    }

    /// The points that carry the shape: a plane's origin and two directions, a ball's centre, the
    /// ends of a capsule's line, a mesh's vertices.
    pub(crate) fn points(&self) -> Vec<Vec3> {
        match self {
            Self::Plane { point, normal } => {
                let (u, v) = normal.any_orthonormal_pair();
                vec![*point, *point + u, *point + v]
            }
            Self::Sphere { center, .. } => vec![*center],
            Self::Capsule { from, to, .. } if from == to => vec![*from],
            Self::Capsule { from, to, .. } => vec![*from, *to],
            Self::Mesh(mesh) => mesh.positions.clone(),
        }
    }

    /// How far the surface is away from the points' hull.
    pub(crate) fn radius(&self) -> f32 {
        match self {
            Self::Sphere { radius, .. } | Self::Capsule { radius, .. } => *radius,
            Self::Plane { .. } | Self::Mesh(_) => 0.0,
        }
    }
}

/// Where a rigid collider is at a time: x ↦ rotation · x + translation, in the coordinates that begin at its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Seconds since the start.
    pub time: f64,
    /// The rotation, of length one.
    pub rotation: DQuat,
    /// Metres.
    pub translation: DVec3,
}

impl Pose {
    /// As it is.
    pub const IDENTITY: Pose = Pose { time: 0.0, rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// Whether it is one: finite, and with a rotation of length one.
    pub(crate) fn is_sound(&self) -> bool {
        self.time.is_finite() && self.translation.is_finite() && self.rotation.is_normalized()
    }

    /// Where a point of the collider is.
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// From where a point came.
    pub fn undo(&self, point: DVec3) -> DVec3 {
        self.rotation.inverse() * (point - self.translation)
    }
}

/// How a collider moves. A [`World`](crate::World) takes another motion at any time.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum ColliderMotion {
    /// Not at all.
    #[default]
    Fixed,
    /// As a rigid body: evenly between poses, at rest before the first and after the last.
    /// Times must increase.
    Poses(Vec<Pose>),
    /// On and on from a pose at its time.
    Velocity {
        /// Where it is when.
        from: Pose,
        /// Of where the collider's coordinates begin, m/s.
        linear: DVec3,
        /// About that place, rad/s.
        angular: DVec3,
    },
    /// Vertex positions of a mesh, evenly spaced in time, straight between them; at rest before the first and after the last.
    Sequence {
        /// For each frame all vertices, metres. Shared with saved states, which do not change it.
        frames: Arc<[Vec<Vec3>]>,
        /// Per second.
        fps: f64,
        /// When the first frame is, seconds.
        start: f64,
    },
}

impl ColliderMotion {
    /// The pose at a time.
    pub fn pose(&self, time: f64) -> Pose {
        let poses = match self {
            Self::Fixed | Self::Sequence { .. } => return Pose::IDENTITY,
            Self::Poses(poses) => poses,
            Self::Velocity { from, linear, angular } => {
                let passed = time - from.time;
                let rotation = (DQuat::from_scaled_axis(*angular * passed) * from.rotation).normalize();
                return Pose { time, rotation, translation: from.translation + *linear * passed };
            }
        };
        let next = poses.partition_point(|pose| pose.time <= time);
        match (next.checked_sub(1).map(|i| poses[i]), poses.get(next)) {
            (Some(from), Some(to)) => {
                let share = (time - from.time) / (to.time - from.time);
                Pose {
                    time,
                    rotation: from.rotation.slerp(to.rotation, share),
                    translation: from.translation.lerp(to.translation, share),
                }
            }
            (Some(only), None) => only,
            (None, Some(only)) => *only,
            (None, None) => Pose::IDENTITY,
        }
    }

    pub(crate) fn problem(&self, points: usize) -> Option<String> {
        match self {
            Self::Fixed => None,
            Self::Poses(poses) if poses.is_empty() => Some("it has no poses".into()),
            Self::Poses(poses) => {
                if let Some(i) = poses.iter().position(|pose| !pose.is_sound()) {
                    return Some(format!("pose {i} is not finite or its rotation not of length one"));
                }
                let unordered = poses.windows(2).position(|pair| pair[1].time <= pair[0].time)?;
                Some(format!("pose {} is not later than the one before it", unordered + 1))
            }
            Self::Velocity { from, .. } if !from.is_sound() => {
                Some("its pose is not finite or its rotation not of length one".into())
            }
            Self::Velocity { linear, angular, .. } => {
                (!(linear.is_finite() && angular.is_finite())).then(|| "its velocity is not finite".into())
            }
            Self::Sequence { fps, .. } if !(fps.is_finite() && *fps > 0.0) => {
                Some(format!("{fps} frames per second"))
            }
            Self::Sequence { start, .. } if !start.is_finite() => {
                Some("when its first frame is, is not finite".into())
            }
            Self::Sequence { frames, .. } if frames.is_empty() => Some("it has no frames".into()),
            Self::Sequence { frames, .. } => frames.iter().enumerate().find_map(|(i, frame)| {
                let finite = frame.iter().all(|p| p.is_finite());
                match frame.len() == points {
                    false => Some(format!("frame {i} has {} vertices, not {points}", frame.len())),
                    true => (!finite).then(|| format!("a vertex of frame {i} is not finite")),
                }
            }),
        }
    }
}

/// What cloth collides with.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// For reports, and for values of pairs.
    pub name: String,
    /// Where the coordinates of its shape and motion begin in the world, metres; that of a mesh is added.
    /// Far from zero it should be near the shape, whose coordinates are in single precision: see [`origin`](crate::origin).
    pub origin: DVec3,
    /// Its shape at the start, before any motion.
    pub shape: Shape,
    /// How it moves.
    pub motion: ColliderMotion,
    /// Its surface.
    pub surface: Surface,
}

impl Collider {
    /// A collider at rest with an ordinary surface.
    pub fn new(name: &str, shape: Shape) -> Self {
        let (origin, motion) = (DVec3::ZERO, ColliderMotion::Fixed);
        Self { name: name.to_owned(), origin, shape, motion, surface: Surface::COLLIDER }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let problem = |problem: String| Error::Collider { name: self.name.clone(), problem };
        self.surface.check().map_err(|error| problem(error.to_string()))?;
        let positive = |x: f32| x.is_finite() && x > 0.0;
        if !self.origin.is_finite() {
            return Err(problem("its origin is not finite".to_owned()));
        }
        let shape_problem = match &self.shape {
            Shape::Plane { point, normal } => {
                (!(point.is_finite() && normal.is_normalized())).then_some("a normal must have length one")
            }
            Shape::Sphere { center, radius } => (!(center.is_finite() && positive(*radius)))
                .then_some("the radius must be finite and above 0"),
            Shape::Capsule { from, to, radius } => {
                (!(from.is_finite() && to.is_finite() && positive(*radius)))
                    .then_some("the radius must be finite and above 0")
            }
            Shape::Mesh(mesh) => {
                mesh.check().map_err(|error| problem(error.to_string()))?;
                mesh.triangles.is_empty().then_some("the mesh has no triangles")
            }
        };
        if let Some(text) = shape_problem {
            return Err(problem(text.to_owned()));
        }
        if matches!(self.motion, ColliderMotion::Sequence { .. }) && !matches!(self.shape, Shape::Mesh(_)) {
            return Err(problem("only a mesh can be a sequence".to_owned()));
        }
        match self.motion.problem(self.shape.points().len()) {
            Some(text) => Err(problem(text)),
            None => Ok(()),
        }
    }
}
