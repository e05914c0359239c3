//! Rigid bodies, driven.

use glam::{DMat3, DQuat, DVec3};

use crate::Error;
use crate::rigid::{BodyState, MovingBody};
use crate::world::{BodyId, World};

impl World {
    /// Pushes a body at a place in the world (metres) by an impulse (N·s): its velocity changes at once.
    pub fn push_body(&mut self, id: BodyId, impulse: DVec3, at: DVec3) -> Result<(), Error> {
        let body = self.body_mut(id)?;
        refuse_infinite(body, "impulse", impulse)?;
        refuse_infinite(body, "place", at)?;
        let arm = at - body.center();
        body.state.velocity += impulse / body.mass();
        body.state.angular_momentum += arm.cross(impulse);
        Ok(())
    }

    /// Gives a body the velocity of its centre of mass (m/s) and an angular velocity (rad/s).
    pub fn set_body_velocity(&mut self, id: BodyId, linear: DVec3, angular: DVec3) -> Result<(), Error> {
        let body = self.body_mut(id)?;
        refuse_infinite(body, "velocity", linear)?;
        refuse_infinite(body, "angular_velocity", angular)?;
        body.state.velocity = linear;
        body.state.angular_momentum = body.inertia() * angular;
        Ok(())
    }

    /// Puts a body somewhere else: the origin of its shape's coordinates at `position` (metres), turned by `rotation`. It keeps its
    /// velocity. Cloth that intersects it there is dealt with as at the start.
    pub fn teleport_body(&mut self, id: BodyId, position: DVec3, rotation: DQuat) -> Result<(), Error> {
        let body = self.body_mut(id)?;
        refuse_infinite(body, "position", position)?;
        if !(rotation.is_finite() && rotation.is_normalized()) {
            return Err(body.description().error("rotation is not finite or not of length one"));
        }
        let turn = DMat3::from_quat(rotation * body.state.rotation.inverse());
        let center = position + rotation * body.local_center() - body.state.origin;
        let angular_momentum = turn * body.state.angular_momentum;
        body.state = BodyState { center, rotation: rotation.normalize(), angular_momentum, ..body.state };
        self.was_put = true;
        Ok(())
    }

    fn body_mut(&mut self, id: BodyId) -> Result<&mut MovingBody, Error> {
        let number = self.body_ids.number(id)?;
        Ok(&mut self.rigid.bodies[number])
    }
}

fn refuse_infinite(body: &MovingBody, field: &str, value: DVec3) -> Result<(), Error> {
    match value.is_finite() {
        true => Ok(()),
        false => Err(body.description().error(format!("{field} is not finite"))),
    }
}
