//! Where a collider is during a substep, and what of it is nearest to a point: for what solvers want to know before
//! there are contacts (`touching`, `near`).

use glam::{DQuat, DVec3, Vec3};

use crate::collision::bodies::body::{Body, Primitive};
use crate::collision::bodies::collider::{Collider, ColliderMotion, Pose, Shape};
use crate::collision::detect::bvh::{Aabb, Bvh, MovingBox};
use crate::execution::Execution;
use crate::math::proximity::closest_in_triangle;

/// A collider, and the points of its shape before any motion.
pub(super) type Moving<'a> = (&'a Collider, &'a [Vec3]);

/// A collider during a substep.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    start: Still,
    /// Where it goes; `None` if it rests.
    end: Option<Still>,
    /// Between which poses it moves; `None` for a sequence, each point of which moves by itself.
    poses: Option<[Pose; 2]>,
    /// How far any of its points goes, metres.
    pub travel: f64,
    /// Whether it moves in another way since, so that nothing of this is true.
    pub is_forgotten: bool,
}

/// A collider at a time.
#[derive(Clone, Debug)]
struct Still {
    time: f64,
    /// From where points are counted.
    origin: DVec3,
    points: Vec<Vec3>,
    /// Around its primitives.
    tree: Bvh,
    /// If it is a plane.
    normal: Option<DVec3>,
}

/// What of a collider is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    /// The nearest place; for a round collider on its centre or centre line.
    pub place: DVec3,
    /// From there to the point; of a plane its own.
    pub normal: DVec3,
    pub distance: f64,
    /// Points of the collider (numbered from its first) between which the place lies, and their weights.
    corners: [u32; 3],
    weights: [f64; 3],
}

impl Placed {
    /// At a time, at rest, from an origin.
    pub fn new(body: &Body, collider: Moving<'_>, origin: DVec3, time: f64, execution: Execution) -> Self {
        let mut start = Still { time, origin, points: Vec::new(), tree: body.bvh.clone(), normal: None };
        start.put(body, collider, time, execution);
        let end = (!matches!(collider.0.motion, ColliderMotion::Fixed)).then(|| start.clone());
        Self { start, end, poses: None, travel: 0.0, is_forgotten: false }
    }

    /// Anew at a time, at rest, in the same memory.
    pub fn renew(&mut self, body: &Body, collider: Moving<'_>, time: f64, execution: Execution) {
        self.start.put(body, collider, time, execution);
        // Where it was to end is where nothing begins.
        self.end.iter_mut().for_each(|end| end.time = f64::NAN);
        (self.poses, self.travel, self.is_forgotten) = (None, 0.0, false);
    }

    /// From where it is counted.
    pub fn origin(&self) -> DVec3 {
        self.start.origin
    }

    pub fn rests(&self) -> bool {
        self.end.is_none()
    }

    /// Between these times.
    pub fn go(&mut self, body: &Body, collider: Moving<'_>, times: [f64; 2], execution: Execution) {
        let is_sequence = matches!(collider.0.motion, ColliderMotion::Sequence { .. });
        self.poses = (!is_sequence).then(|| times.map(|time| collider.0.pose_from(self.start.origin, time)));
        let Some(end) = &mut self.end else { return };
        // A substep begins where the last one ended, unless that is taken again.
        if end.time == times[0] {
            std::mem::swap(&mut self.start, end);
        } else {
            self.start.put(body, collider, times[0], execution);
        }
        end.put(body, collider, times[1], execution);
        let travels = self.start.points.iter().zip(&end.points).map(|(from, to)| from.distance(*to));
        self.travel = travels.fold(0.0, f32::max).into();
    }

    /// The nearest place of the collider at the start, if it is near enough and not the point itself.
    pub fn nearest(&self, body: &Body, point: Vec3, within: f64) -> Option<Nearest> {
        self.start.nearest(body, point, within)
    }

    /// What will be nearest at the end to a point that may be somewhere else then: what is nearest there, unless that is
    /// the other side of the collider, which has come over the point; then what was nearest at the start and is `carried`.
    pub fn nearest_at_end(
        &self,
        body: &Body,
        carried: &Nearest,
        point: Vec3,
        within: f64,
    ) -> Option<Nearest> {
        let Some(end) = &self.end else { return Some(*carried) };
        let found = end.nearest(body, point, within).filter(|found| found.normal.dot(carried.normal) > 0.0);
        let distance = carried.normal.dot(point.as_dvec3() - carried.place);
        found.or((distance < within).then_some(Nearest { distance, ..*carried }))
    }

    /// Where a place, and the direction away from it, are at the end of the substep.
    pub fn carried(&self, nearest: &Nearest) -> Nearest {
        let Nearest { place, normal, corners, weights, .. } = *nearest;
        let (place, normal) = match (&self.end, self.poses) {
            (None, _) => (place, normal),
            (_, Some([from, to])) => {
                (to.apply(from.undo(place)), to.rotation * (from.rotation.inverse() * normal))
            }
            (Some(end), None) => {
                let [start, end] = [&self.start, end].map(|at| corners_of(&at.points, corners));
                (between(end, weights), turn(start, end) * normal)
            }
        };
        Nearest { place, normal, ..*nearest }
    }
}

impl Still {
    /// Where the collider is at a time.
    fn put(&mut self, body: &Body, (collider, rest): Moving<'_>, time: f64, execution: Execution) {
        self.time = time;
        self.points.clear();
        self.points.extend(collider.points_at(rest, self.origin, time));
        if let Shape::Plane { normal, .. } = &collider.shape {
            self.normal = Some(collider.motion.pose(time).rotation * normal.as_dvec3());
        }
        let (points, first) = (&self.points, body.points.start);
        let around = |primitive: &Primitive| {
            MovingBox::still(Aabb::of_points(primitive.corners.map(|p| points[(p - first) as usize])))
        };
        self.tree.refit_with(execution, |primitive| around(&body.primitives[primitive as usize]));
    }

    fn nearest(&self, body: &Body, point: Vec3, within: f64) -> Option<Nearest> {
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
}

fn corners_of(points: &[Vec3], corners: [u32; 3]) -> [DVec3; 3] {
    corners.map(|p| points[p as usize].as_dvec3())
}

fn between([a, b, c]: [DVec3; 3], [u, v, w]: [f64; 3]) -> DVec3 {
    a * u + b * v + c * w
}

/// The smallest turn of a triangle's plane; none for what is no triangle. That within the plane is left out.
fn turn(start: [DVec3; 3], end: [DVec3; 3]) -> DQuat {
    let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).try_normalize();
    match (normal(start), normal(end)) {
        (Some(from), Some(to)) => DQuat::from_rotation_arc(from, to),
        _ => DQuat::IDENTITY,
    }
}
