//! Where a collider is at a time, counted from an origin.

use glam::{DVec3, Vec3};

use super::{Collider, ColliderMotion, Pose, Shape};
use crate::origin::moved;

impl Collider {
    /// From an origin to where the points of its shape are counted from.
    fn offset(&self, origin: DVec3) -> DVec3 {
        let of_mesh = if let Shape::Mesh(mesh) = &self.shape { mesh.origin } else { DVec3::ZERO };
        self.origin + of_mesh - origin
    }

    /// Its pose at a time: from points of its shape to places from an origin.
    pub(crate) fn pose_from(&self, origin: DVec3, time: f64) -> Pose {
        let pose = self.motion.pose(time);
        Pose { translation: pose.translation + self.offset(origin), ..pose }
    }

    /// The points that carry its shape at a time: a point of a plane (and two more), the centre of a ball,
    /// the ends of a capsule's line, the vertices of a mesh. Metres.
    pub fn positions(&self, time: f64) -> Vec<Vec3> {
        self.positions_from(DVec3::ZERO, time)
    }

    /// The same from an origin.
    pub fn positions_from(&self, origin: DVec3, time: f64) -> Vec<Vec3> {
        let mut points = Vec::new();
        self.points_at(&self.shape.points(), origin, time, &mut points);
        points
    }

    /// The points of its shape at a time, from an origin. Only a mesh may be a sequence.
    pub(in crate::collision) fn points_at(
        &self,
        rest: &[Vec3],
        origin: DVec3,
        time: f64,
        points: &mut Vec<Vec3>,
    ) {
        points.clear();
        let by = -self.offset(origin);
        match &self.motion {
            ColliderMotion::Fixed => points.extend(rest.iter().map(|p| moved(*p, by))),
            ColliderMotion::Poses(_) => {
                let pose = self.pose_from(origin, time);
                points.extend(rest.iter().map(|p| pose.apply(p.as_dvec3()).as_vec3()));
            }
            ColliderMotion::Sequence { frames, fps } => {
                let place = (time * fps).clamp(0.0, (frames.len() - 1) as f64);
                let from = place.floor() as usize;
                let to = (from + 1).min(frames.len() - 1);
                let share = (place - from as f64) as f32;
                let between = |(a, b): (&Vec3, &Vec3)| moved(a.lerp(*b, share), by);
                points.extend(frames[from].iter().zip(&frames[to]).map(between));
            }
        }
    }
}
