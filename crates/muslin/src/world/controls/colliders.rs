//! Colliders, driven: each setter gives a collider another motion, which begins now.
//!
//! A motion is where something is at every time, so halved substeps, friction and rigid bodies see the same of a collider that is
//! led from frame to frame as of one that follows keyframes.

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};

use crate::Error;
use crate::collision::{Collider, ColliderMotion, Pose, Shape, Surface};
use crate::world::{Anchor, ColliderId, World};

/// Motions that go on from nearer than this to where the collider is, metres (and in a turn, radians), leave nothing to look at.
const CONTINUED: f64 = 1e-6;

impl World {
    /// Where a collider is now: from coordinates of its shape to places from its origin.
    pub fn collider_pose(&self, id: ColliderId) -> Result<Pose, Error> {
        let time = self.time();
        Ok(Pose { time, ..self.collider(id)?.motion.pose(time) })
    }

    /// Moves a collider: at the end of the next step its coordinates begin at `position` (metres from its origin) and
    /// are turned by `rotation` (of length one). It goes there evenly, takes cloth along by friction, and stays.
    pub fn move_collider(&mut self, id: ColliderId, position: DVec3, rotation: DQuat) -> Result<(), Error> {
        let (number, from) = self.rigid_pose(id)?;
        let to = Pose { time: self.next_time(), rotation, translation: position };
        self.check_pose(number, &to)?;
        let motion = &mut self.colliders[number].motion;
        if let ColliderMotion::Poses(poses) = motion {
            poses.clear();
            poses.extend([from, to]);
        } else {
            *motion = ColliderMotion::Poses(vec![from, to]);
        }
        self.forget(number);
        Ok(())
    }

    /// Lets a collider go on with a velocity (m/s) and an angular velocity about where its coordinates begin (rad/s), until it
    /// is told something else.
    pub fn set_collider_velocity(
        &mut self,
        id: ColliderId,
        linear: DVec3,
        angular: DVec3,
    ) -> Result<(), Error> {
        let (_, from) = self.rigid_pose(id)?;
        self.set_collider_motion(id, ColliderMotion::Velocity { from, linear, angular })
    }

    /// Puts a collider somewhere else, where it stays. What lies on it feels no velocity. Cloth that intersects it there is
    /// dealt with as at the start ([`StartPolicy`](crate::collision::StartPolicy)): refused by the next step, say.
    pub fn teleport_collider(
        &mut self,
        id: ColliderId,
        position: DVec3,
        rotation: DQuat,
    ) -> Result<(), Error> {
        let (number, now) = self.rigid_pose(id)?;
        let pose = Pose { time: now.time, rotation, translation: position };
        self.check_pose(number, &pose)?;
        self.colliders[number].motion = ColliderMotion::Poses(vec![pose]);
        self.forget(number);
        self.was_put = true;
        Ok(())
    }

    /// Bends a collider's mesh: at the end of the next step its vertices are at these places (metres from its origin and that
    /// of its mesh). They go there straight and evenly, and stay: a skinned body is led so from frame to frame.
    pub fn deform_collider(&mut self, id: ColliderId, positions: &[Vec3]) -> Result<(), Error> {
        let now = self.time();
        let number = self.collider_ids.number(id)?;
        let collider = &self.colliders[number];
        let Shape::Mesh(mesh) = &collider.shape else {
            return Err(problem(collider, "only a mesh can be bent"));
        };
        if positions.len() != mesh.positions.len() {
            let wrong = format!("it has {} vertices, not {}", mesh.positions.len(), positions.len());
            return Err(problem(collider, wrong));
        }
        if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
            return Err(problem(collider, format!("vertex {vertex} is not finite")));
        }
        self.refuse_attached(number)?;
        let mut start = std::mem::take(&mut self.spare_frame);
        start.clear();
        start.extend(collider.points_at(&mesh.positions, collider.origin + mesh.origin, now));
        // The memory of the last call's frames is used again, unless a saved state has them too.
        let mut frames = match std::mem::take(&mut self.colliders[number].motion) {
            ColliderMotion::Sequence { frames, .. } if frames.len() == 2 => frames,
            _ => [Vec::new(), Vec::new()].into(),
        };
        if let [from, to] = Arc::make_mut(&mut frames) {
            std::mem::swap(from, &mut start);
            to.clear();
            to.extend_from_slice(positions);
        }
        self.spare_frame = start;
        let fps = 1.0 / (self.next_time() - now);
        self.colliders[number].motion = ColliderMotion::Sequence { frames, fps, start: now };
        self.forget(number);
        Ok(())
    }

    /// Gives a collider another motion; its times are the world's. If it is not where the old one has led, that is as
    /// [`World::teleport_collider`].
    pub fn set_collider_motion(&mut self, id: ColliderId, motion: ColliderMotion) -> Result<(), Error> {
        let now = self.time();
        let number = self.collider_ids.number(id)?;
        if matches!(motion, ColliderMotion::Sequence { .. }) {
            self.refuse_attached(number)?;
        }
        let collider = &mut self.colliders[number];
        let before = std::mem::replace(&mut collider.motion, motion);
        if let Err(error) = collider.check() {
            collider.motion = before;
            return Err(error);
        }
        self.was_put |= !continues(&before, &self.colliders[number].motion, now);
        self.forget(number);
        Ok(())
    }

    /// Gives a collider another surface.
    pub fn set_collider_surface(&mut self, id: ColliderId, surface: Surface) -> Result<(), Error> {
        let number = self.collider_ids.number(id)?;
        surface.check().map_err(|error| problem(&self.colliders[number], error.to_string()))?;
        self.colliders[number].surface = surface;
        self.set_out_of_date();
        Ok(())
    }

    /// What is attached to a collider goes along with it as a whole.
    fn refuse_attached(&self, number: usize) -> Result<(), Error> {
        let anchor = Anchor::Collider(self.collider_ids.at(number));
        match self.attachments.iter().any(|attachment| attachment.anchor == anchor) {
            true => {
                Err(problem(&self.colliders[number], "it cannot be bent while vertices are attached to it"))
            }
            false => Ok(()),
        }
    }

    /// The number and the pose of a collider that is moved as a whole.
    fn rigid_pose(&self, id: ColliderId) -> Result<(usize, Pose), Error> {
        let (number, time) = (self.collider_ids.number(id)?, self.time());
        let collider = &self.colliders[number];
        match collider.motion {
            ColliderMotion::Sequence { .. } => {
                Err(problem(collider, "it moves vertex by vertex; deform_collider leads it on"))
            }
            _ => Ok((number, Pose { time, ..collider.motion.pose(time) })),
        }
    }

    fn check_pose(&self, number: usize, pose: &Pose) -> Result<(), Error> {
        match pose.is_sound() {
            true => Ok(()),
            false => Err(problem(
                &self.colliders[number],
                "its pose is not finite or its rotation not of length one",
            )),
        }
    }

    /// A collider moves in another way from now on.
    pub(in crate::world) fn forget(&mut self, number: usize) {
        self.collisions.iter_mut().for_each(|collisions| collisions.forget(number));
    }
}

/// Whether a motion goes on from where another has led.
fn continues(before: &ColliderMotion, after: &ColliderMotion, now: f64) -> bool {
    use ColliderMotion::Sequence;
    match (before, after) {
        (Sequence { .. }, _) | (_, Sequence { .. }) => before == after,
        _ => {
            let (from, to) = (before.pose(now), after.pose(now));
            let moved = from.translation.distance(to.translation);
            moved.max(from.rotation.angle_between(to.rotation)) <= CONTINUED
        }
    }
}

fn problem(collider: &Collider, problem: impl Into<String>) -> Error {
    Error::Collider { name: collider.name.clone(), problem: problem.into() }
}
