//! Colliders as rapier wants them: fixed, or moved with the velocity of the step.

use glam::{DVec3, Vec3};
use rapier3d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, ColliderSet, Pose as EnginePose, RigidBodyBuilder, RigidBodySet,
    SharedShape, TriMeshFlags,
};

use crate::collision::{Collider, ColliderMotion, Pose, Shape};

/// A collider's shape as rapier has it, in the coordinates of the shape. Only a sequence, whose shape is made anew in every
/// substep, may have none.
pub(super) struct Obstacle(Option<(SharedShape, EnginePose)>);

impl Obstacle {
    /// `None` if its mesh is degenerate.
    pub fn new(collider: &Collider) -> Option<Self> {
        let shape = obstacle_shape(&collider.shape);
        (shape.is_some() || is_sequence(collider)).then_some(Self(shape))
    }

    /// Puts it into rapier's world, for a substep between two times, with places from an origin.
    pub fn insert(
        &self,
        collider: &Collider,
        origin: DVec3,
        times: [f64; 2],
        set: &mut RigidBodySet,
        colliders: &mut ColliderSet,
    ) {
        let moved;
        let kept = self.0.as_ref().filter(|_| !is_sequence(collider));
        let (shape, place) = match kept {
            Some(shape) => shape,
            None => {
                // Bodies meet its end; that it moves towards them shows only in where it is.
                let mesh = collider.surface_mesh_from(origin, times[1]).map(Shape::Mesh);
                let Some(shape) = mesh.as_ref().and_then(obstacle_shape) else { return };
                moved = shape;
                &moved
            }
        };
        let [start, end] = times.map(|time| {
            // A sequence has been placed above.
            let pose = match kept {
                Some(_) => collider.pose_from(origin, time),
                None => Pose::IDENTITY,
            };
            EnginePose::from_parts(pose.translation, pose.rotation)
        });
        let parent = if start == end {
            RigidBodyBuilder::fixed().pose(start).build()
        } else {
            let mut parent = RigidBodyBuilder::kinematic_position_based().pose(start).build();
            parent.set_next_kinematic_position(end);
            parent
        };
        let surface = ColliderBuilder::new(shape.clone())
            .position(*place)
            .friction(collider.surface.friction.into())
            .friction_combine_rule(CoefficientCombineRule::GeometricMean)
            .restitution(0.0)
            .restitution_combine_rule(CoefficientCombineRule::Max);
        let handle = set.insert(parent);
        colliders.insert_with_parent(surface, handle, set);
    }
}

fn is_sequence(collider: &Collider) -> bool {
    matches!(collider.motion, ColliderMotion::Sequence { .. })
}

/// A collider's shape, and where it is in the collider's coordinates.
fn obstacle_shape(shape: &Shape) -> Option<(SharedShape, EnginePose)> {
    let at = |place: Vec3| EnginePose::from_translation(place.as_dvec3());
    Some(match shape {
        Shape::Plane { point, normal } => (SharedShape::halfspace(normal.as_dvec3().normalize()), at(*point)),
        Shape::Sphere { center, radius } => (SharedShape::ball((*radius).into()), at(*center)),
        Shape::Capsule { from, to, radius } if from == to => (SharedShape::ball((*radius).into()), at(*from)),
        Shape::Capsule { from, to, radius } => {
            (SharedShape::capsule(from.as_dvec3(), to.as_dvec3(), (*radius).into()), EnginePose::IDENTITY)
        }
        Shape::Mesh(mesh) => {
            let points = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
            // Without it bodies would stumble over edges within flat faces.
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;
            let mesh = SharedShape::trimesh_with_flags(points, mesh.triangles.clone(), flags);
            (mesh.ok()?, EnginePose::IDENTITY)
        }
    })
}
