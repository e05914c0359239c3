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
        self.points_at(&self.shape.points(), origin, time).collect()
    }

    /// The points of its shape at a time, from an origin. Only a mesh may be a sequence.
    pub(crate) fn points_at<'a>(
        &'a self,
        rest: &'a [Vec3],
        origin: DVec3,
        time: f64,
    ) -> impl Iterator<Item = Vec3> + 'a {
        let by = -self.offset(origin);
        let at = match &self.motion {
            ColliderMotion::Fixed => At::Rest,
            ColliderMotion::Poses(_) | ColliderMotion::Velocity { .. } => {
                At::Pose(self.pose_from(origin, time))
            }
            ColliderMotion::Sequence { frames, fps, start } => {
                let place = ((time - start) * fps).clamp(0.0, (frames.len() - 1) as f64);
                let from = place.floor() as usize;
                let to = (from + 1).min(frames.len() - 1);
                At::Between([&frames[from], &frames[to]], (place - from as f64) as f32)
            }
        };
        rest.iter().enumerate().map(move |(i, p)| match &at {
            At::Rest => moved(*p, by),
            At::Pose(pose) => pose.apply(p.as_dvec3()).as_vec3(),
            At::Between([from, to], share) => moved(from[i].lerp(to[i], *share), by),
        })
    }
}

/// Where points are at a time.
enum At<'a> {
    Rest,
    Pose(Pose),
    /// Between two frames, so far on the way.
    Between([&'a [Vec3]; 2], f32),
}
