//! Moving a state as a whole: teleports.
//!
//! Input: a turn and a way in the world, in double precision. Output: the same state elsewhere, counted from an origin near
//! it. Nothing is added to velocities, they are turned.

use glam::{DQuat, DVec3, Vec3, Vec4};

use super::State;
use crate::origin;

/// x ↦ rotation · x + translation in the world, from one origin to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carriage {
    rotation: DQuat,
    translation: DVec3,
    from: DVec3,
    to: DVec3,
}

impl Carriage {
    /// Of a state, to an origin near where it will be.
    pub fn new(state: &State, rotation: DQuat, translation: DVec3) -> Self {
        let from = state.origin;
        let to = |to| Self { rotation, translation, from, to };
        let nearest = |origin| {
            let own = to(origin);
            origin::nearest(origin, (0..state.points.len()).map(move |v| own.position(state.position(v))))
        };
        match nearest(from) == from {
            true => to(from),
            // Rather the origin that moves along than one just as near: then as much as can be keeps its bits.
            false => to(nearest(origin::multiple(rotation * from + translation))),
        }
    }

    /// Whether only the origin moves, and every position stays as it is, bit for bit.
    pub fn keeps_positions(&self) -> bool {
        self.rotation == DQuat::IDENTITY && self.offset() == DVec3::ZERO
    }

    /// Where the old origin will be, from the new one.
    fn offset(&self) -> DVec3 {
        self.rotation * self.from + self.translation - self.to
    }

    /// A place in the world.
    pub fn place(&self, place: DVec3) -> DVec3 {
        self.rotation * place + self.translation
    }

    /// A position from the old origin, from the new one.
    pub fn position(&self, position: DVec3) -> DVec3 {
        self.rotation * position + self.offset()
    }

    /// The same in single precision, and what rounding took.
    pub fn rounded(&self, position: DVec3) -> (Vec3, Vec3) {
        let position = self.position(position);
        let rounded = position.as_vec3();
        (rounded, (position - rounded.as_dvec3()).as_vec3())
    }

    /// A velocity.
    pub fn turned(&self, velocity: Vec3) -> Vec3 {
        (self.rotation * velocity.as_dvec3()).as_vec3()
    }
}

impl State {
    /// Moves as a whole.
    pub fn carry(&mut self, by: &Carriage) {
        let rotation = by.rotation;
        if by.keeps_positions() {
            self.origin = by.to;
            return;
        }
        if let Some(double) = &mut self.double {
            for (v, position) in double.positions.iter_mut().enumerate() {
                *position = by.position(*position);
                self.points[v] = position.as_vec3().extend(self.points[v].w);
                if self.points[v].w == 0.0 {
                    // What is held is where single precision has it.
                    *position = position.as_vec3().as_dvec3();
                }
            }
            let turned = double.velocities.iter_mut().chain(&mut double.corrections);
            turned.for_each(|vector| *vector = rotation * *vector);
            double.start.clone_from(&double.positions);
            for (velocity, exact) in self.velocities.iter_mut().zip(&double.velocities) {
                *velocity = exact.as_vec3().extend(0.0);
            }
        } else {
            for (v, point) in self.points.iter_mut().enumerate() {
                let exact = point.truncate().as_dvec3() + self.remainders[v].truncate().as_dvec3();
                let (position, remainder) = by.rounded(exact);
                *point = position.extend(point.w);
                self.remainders[v] = if point.w > 0.0 { remainder.extend(0.0) } else { Vec4::ZERO };
            }
            let velocities = self.velocities.iter_mut();
            velocities.for_each(|velocity| *velocity = by.turned(velocity.truncate()).extend(0.0));
        }
        self.previous.clone_from(&self.points);
        self.origin = by.to;
    }
}
