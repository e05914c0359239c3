//! A rigid body during a step: a collider of finite mass.
//!
//! Input: where the body starts and where it would end without cloth. Output: where it ends, and with what
//! momentum. Contacts push it at places; a push of p (kg·m: an impulse times the length of the step) at an arm r
//! moves it by p/m and turns it by I⁻¹ (r × p), and is booked.
//!
//! **Exact angular momentum.** Cloth has the velocities (x₁ − x₀)/Δt, so its angular momentum is Σ m x₀ × x₁/Δt, and
//! a push on it at weights w changes that by (Σ wᵢ x₀ᵢ) × p/Δt: the arm is where the *cloth's* side of a contact
//! *starts*, whatever gap or radius lies between. So this arm counts for the body too, and its momentum is kept
//! apart from its motion: linear, and angular about one place, `reference`, where the centre would have started
//! with its velocity. At the end, the spin is what is left of that about the centre.
//!
//! Motion that only made up for a gap becomes no velocity: of the cloth, x₀ is moved along (`recovered`), which
//! changes its angular momentum by p × (Σ wᵢ x₁ᵢ)/Δt, so what is taken back from the body has the arm of the *end*.

use std::ops::Range;

use glam::{DMat3, DQuat, DVec3};

use super::collider::Pose;
use crate::collision::points::Points;
use crate::rigid::{BodyState, MovingBody};

/// A rigid body at the end of a step.
#[derive(Clone, Debug)]
pub(crate) struct RigidEnd {
    /// Its points among those of all bodies.
    pub points: Range<u32>,
    /// The same in its own axes, from the centre, metres.
    pub locals: Vec<DVec3>,
    /// kg.
    pub mass: f64,
    /// About the centre, 1/(kg·m²), as it is turned at the end without cloth.
    pub inverse_inertia: DMat3,
    pub start: Place,
    pub end: Place,
    /// Where the centre would have started with the velocity that it has.
    pub reference: DVec3,
    /// Times the length of the step, kg·m.
    pub momentum: DVec3,
    /// Angular momentum about `reference`, times the length of the step, kg·m².
    pub spin: DVec3,
    /// Both before anything has acted on it.
    free: [DVec3; 2],
    /// Seconds.
    dt: f64,
    /// Whether anything has acted on it.
    touched: bool,
    /// Whether its points are to be written again.
    moved: bool,
}

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub center: DVec3,
    pub rotation: DQuat,
}

impl Place {
    fn of(state: &BodyState) -> Self {
        Self { center: state.center, rotation: state.rotation }
    }

    pub fn apply(&self, local: DVec3) -> DVec3 {
        self.center + self.rotation * local
    }

    pub fn undo(&self, point: DVec3) -> DVec3 {
        self.rotation.inverse() * (point - self.center)
    }
}

impl RigidEnd {
    /// For a body whose points have numbers from `first` on.
    pub fn new(body: &MovingBody, first: u32) -> Self {
        let place = Place::of(&body.state);
        Self {
            points: first..first + body.points.len() as u32,
            locals: body.points.clone(),
            mass: body.mass(),
            inverse_inertia: DMat3::ZERO,
            start: place,
            end: place,
            reference: DVec3::ZERO,
            momentum: DVec3::ZERO,
            spin: DVec3::ZERO,
            free: [DVec3::ZERO; 2],
            dt: 0.0,
            touched: false,
            moved: false,
        }
    }

    fn load(&mut self, body: &MovingBody, dt: f64) {
        (self.start, self.end) = (Place::of(&body.state), Place::of(&body.end));
        self.inverse_inertia = body.inverse_inertia_of(&body.end);
        self.reference = body.end.center - body.end.velocity * dt;
        self.momentum = body.end.velocity * (self.mass * dt);
        self.spin = body.end.angular_momentum * dt;
        self.free = [self.momentum, self.spin];
        (self.dt, self.touched, self.moved) = (dt, false, false);
    }

    /// Gives its end back. What nothing has touched keeps its bits.
    pub fn store(&self, body: &mut MovingBody) {
        if self.touched {
            let Place { center, rotation } = self.end;
            let spin = self.spin - (center - self.reference).cross(self.momentum);
            body.end = BodyState {
                origin: body.end.origin,
                center,
                rotation,
                velocity: self.momentum / (self.mass * self.dt),
                angular_momentum: spin / self.dt,
            };
        }
    }

    /// Its places at the start and at the end without cloth, as those of a collider.
    pub fn poses(&self) -> [Pose; 2] {
        [self.start, self.end].map(|Place { center, rotation }| Pose {
            time: 0.0,
            rotation,
            translation: center,
        })
    }

    /// The motion per push at an arm, 1/kg: 1/m − [r]× I⁻¹ [r]×.
    pub fn mobility(&self, arm: DVec3) -> DMat3 {
        let cross = DMat3::from_cols(arm.cross(DVec3::X), arm.cross(DVec3::Y), arm.cross(DVec3::Z));
        DMat3::from_diagonal(DVec3::splat(1.0 / self.mass)) + cross.transpose() * self.inverse_inertia * cross
    }

    /// Moves it by a push at an arm from the reference.
    pub fn push(&mut self, push: DVec3, arm: DVec3) {
        self.end.center += push / self.mass;
        let turn = self.inverse_inertia * arm.cross(push);
        self.end.rotation = (DQuat::from_scaled_axis(turn) * self.end.rotation).normalize();
        self.book(push, arm);
        self.moved = true;
    }

    /// Books a push at an arm from the reference that moves nothing.
    pub fn book(&mut self, push: DVec3, arm: DVec3) {
        self.momentum += push;
        self.spin += arm.cross(push);
        self.touched = true;
    }

    /// Angular momentum about a place, times the length of the step, kg·m².
    pub fn spin_about(&self, place: DVec3) -> DVec3 {
        self.spin + (self.reference - place).cross(self.momentum)
    }

    /// Momentum, and angular momentum about the centre at the end, times the length of the step: now, or as it would be if
    /// nothing had acted on it.
    pub fn momentum_about_center(&self, free: bool) -> (DVec3, DVec3) {
        match free {
            true => (self.free[0], self.free[1]),
            false => (self.momentum, self.spin_about(self.end.center)),
        }
    }

    /// Puts it somewhere, with the momentum that this motion has.
    pub fn put(&mut self, end: Place) {
        self.end = end;
        self.momentum = (end.center - self.start.center) * self.mass;
        let turn = (end.rotation * self.start.rotation.inverse()).normalize().to_scaled_axis();
        let own = self.inverse_inertia.inverse() * turn;
        self.spin = own + (end.center - self.reference).cross(self.momentum);
        (self.touched, self.moved) = (true, true);
    }
}

impl Points {
    /// The rigid body that a point belongs to.
    pub fn rigid_of(&self, point: u32) -> Option<usize> {
        let next = self.rigid.partition_point(|body| body.points.start <= point);
        next.checked_sub(1).filter(|&body| self.rigid[body].points.contains(&point))
    }

    /// Takes over where a rigid body starts and ends.
    pub fn load_rigid(&mut self, number: usize, body: &MovingBody, dt: f64) {
        self.rigid[number].load(body, dt);
        let first = self.rigid[number].points.start as usize;
        for (state, array) in [(&body.state, &mut self.start), (&body.end, &mut self.end)] {
            for (to, p) in array[first..].iter_mut().zip(body.points_in(state)) {
                *to = p.extend(0.0);
            }
        }
    }

    /// Puts the points of rigid bodies that were moved where these are now. Once after many pushes: contacts ask
    /// the body and not its points.
    pub fn write_rigid(&mut self) {
        for body in &mut self.rigid {
            if std::mem::take(&mut body.moved) {
                let first = body.points.start as usize;
                for (i, local) in body.locals.iter().enumerate() {
                    self.end[first + i] = body.end.apply(*local).as_vec3().extend(0.0);
                    self.changed[first + i] = true;
                }
            }
        }
    }
}
