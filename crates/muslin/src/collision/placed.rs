//! Where a collider is during a substep, and what of it is nearest to a point: for what solvers want to know before
//! there are contacts (`touching`, `near`).

use glam::{DQuat, DVec3, Vec3};

use super::body::{Body, Primitive};
use super::bvh::{Aabb, Bvh, MovingBox};
use super::collider::{Collider, ColliderMotion, Pose, Shape};
use super::proximity::closest_in_triangle;
use crate::execution::Execution;

/// A collider at the start of a substep, and how it goes on from there.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// At the start.
    points: Vec<Vec3>,
    /// Around its primitives at the start.
    tree: Bvh,
    /// If it is a plane.
    normal: Option<DVec3>,
    motion: Motion,
}

/// From the start of a substep to its end.
#[derive(Clone, Debug)]
enum Motion {
    Rests,
    /// From one pose to another.
    Rigid([Pose; 2]),
    /// Each point by itself; where they end.
    Bends(Vec<Vec3>),
}

/// What of a collider is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// Of a round collider on its centre or centre line.
    pub place: DVec3,
    /// From there to the point; of a plane its own.
    pub normal: DVec3,
    pub distance: f64,
    /// Points of the collider (numbered from its first) between which the place lies, and their weights.
    corners: [u32; 3],
    weights: [f64; 3],
}

impl Placed {
    /// At time 0.
    pub fn new(body: &Body, collider: &Collider, execution: Execution) -> Self {
        let (tree, motion) = (body.bvh.clone(), Motion::Rests);
        let mut placed = Self { points: Vec::new(), tree, normal: None, motion };
        placed.go(body, collider, [0.0; 2], execution);
        placed
    }

    pub fn rests(&self) -> bool {
        matches!(self.motion, Motion::Rests)
    }

    /// Between these times.
    pub fn go(&mut self, body: &Body, collider: &Collider, times: [f64; 2], execution: Execution) {
        let poses = times.map(|time| collider.motion.pose(time));
        self.points = collider.positions(times[0]);
        self.motion = match collider.motion {
            ColliderMotion::Fixed => Motion::Rests,
            ColliderMotion::Poses(_) => Motion::Rigid(poses),
            ColliderMotion::Sequence { .. } => Motion::Bends(collider.positions(times[1])),
        };
        if let Shape::Plane { normal, .. } = collider.shape {
            self.normal = Some(poses[0].rotation * normal.as_dvec3());
        }
        let (points, first) = (&self.points, body.points.start);
        let around = |primitive: &Primitive| {
            MovingBox::still(Aabb::of_points(primitive.corners.map(|p| points[(p - first) as usize])))
        };
        self.tree.refit_with(execution, |primitive| around(&body.primitives[primitive as usize]));
    }

    /// The nearest place of the collider at the start, if it is near enough and not the point itself.
    pub fn nearest(&self, body: &Body, point: Vec3, within: f64) -> Option<Nearest> {
        let point_f64 = point.as_dvec3();
        if let Some(normal) = self.normal {
            let distance = normal.dot(point_f64 - self.points[0].as_dvec3());
            let place = point_f64 - distance * normal;
            let near = Nearest { place, normal, distance, corners: [0; 3], weights: [0.0; 3] };
            return (distance < within).then_some(near);
        }
        let first = body.points.start;
        let (mut nearest_sq, mut found) = (within * within, None);
        let query = MovingBox::still(Aabb::of_points([point]).inflate(within as f32));
        self.tree.visit(&query, |primitive| {
            let corners = body.primitives[primitive as usize].corners.map(|p| p - first);
            let closest = closest_in_triangle(point_f64, corners_of(&self.points, corners));
            if closest.distance_sq < nearest_sq {
                nearest_sq = closest.distance_sq;
                found = Some((corners, closest.weights));
            }
        });
        let (corners, weights) = found?;
        let place = between(corners_of(&self.points, corners), weights);
        let normal = (point_f64 - place).try_normalize()?;
        Some(Nearest { place, normal, distance: nearest_sq.sqrt(), corners, weights })
    }

    /// Where a place, and the direction away from it, are at the end of the substep.
    pub fn carried(&self, nearest: &Nearest) -> (DVec3, DVec3) {
        let Nearest { place, normal, corners, weights, .. } = *nearest;
        match &self.motion {
            Motion::Rests => (place, normal),
            Motion::Rigid([from, to]) => {
                (to.apply(from.undo(place)), to.rotation * (from.rotation.inverse() * normal))
            }
            Motion::Bends(ends) => {
                let [start, end] = [&self.points, ends].map(|points| corners_of(points, corners));
                (between(end, weights), turn(start, end) * normal)
            }
        }
    }
}

fn corners_of(points: &[Vec3], corners: [u32; 3]) -> [DVec3; 3] {
    corners.map(|p| points[p as usize].as_dvec3())
}

fn between([a, b, c]: [DVec3; 3], [u, v, w]: [f64; 3]) -> DVec3 {
    a * u + b * v + c * w
}

/// The smallest turn of a triangle's plane; none for what is no triangle.
fn turn(start: [DVec3; 3], end: [DVec3; 3]) -> DQuat {
    let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).try_normalize();
    match (normal(start), normal(end)) {
        (Some(from), Some(to)) => DQuat::from_rotation_arc(from, to),
        _ => DQuat::IDENTITY,
    }
}
