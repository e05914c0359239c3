//! The rigid bodies of a world: how they are moved, saved and measured together with its cloths.

use glam::Vec3;

use super::World;
use crate::Error;
use crate::collision::Collider;
use crate::diagnostics::energy::{Energy, Momentum};
use crate::diagnostics::timings::{Stage, Timings};
use crate::rigid::{BodyState, Engine, MovingBody, RigidBody};

/// Rigid bodies and what moves them.
pub(super) struct Rigid {
    pub bodies: Vec<MovingBody>,
    /// `None` where there are no bodies.
    engine: Option<Engine>,
    /// Before the step.
    step_start: Vec<BodyState>,
    /// For each halving of a substep the states before it.
    before: Vec<Vec<BodyState>>,
}

impl Rigid {
    /// Checks bodies; `alone` if there is no cloth.
    pub fn new(bodies: Vec<RigidBody>, alone: bool) -> Result<Self, Error> {
        if let (Some(first), true) = (bodies.first(), alone) {
            let problem = "a world with rigid bodies needs at least one cloth".to_owned();
            return Err(Error::Body { name: first.name.clone(), problem });
        }
        let bodies = bodies.into_iter().map(MovingBody::new).collect::<Result<_, _>>()?;
        Ok(Self { bodies, engine: None, step_start: Vec::new(), before: Vec::new() })
    }

    /// Tells the engine what colliders there are.
    pub fn prepare<'a>(&mut self, colliders: impl Iterator<Item = &'a Collider>) -> Result<(), Error> {
        if !self.bodies.is_empty() {
            self.engine = Some(Engine::new(colliders)?);
        }
        Ok(())
    }

    fn states(&self) -> Vec<BodyState> {
        self.bodies.iter().map(|body| body.state).collect()
    }

    fn set(bodies: &mut [MovingBody], states: &[BodyState]) {
        bodies.iter_mut().zip(states).for_each(|(body, state)| body.state = *state);
    }

    pub fn save_start(&mut self) {
        self.step_start = self.states();
    }

    pub fn roll_back(&mut self) {
        Self::set(&mut self.bodies, &self.step_start);
    }

    pub fn save(&mut self, halvings: usize) {
        if self.before.len() <= halvings {
            self.before.push(Vec::new());
        }
        self.before[halvings] = self.states();
    }

    pub fn restore(&mut self, halvings: usize) {
        Self::set(&mut self.bodies, &self.before[halvings]);
    }

    /// The end of the substep is the start of the next; the number of a body that got lost, if one did.
    pub fn conclude(&mut self) -> Result<(), usize> {
        if let Some(lost) = self.bodies.iter().position(|body| body.end.problem().is_some()) {
            return Err(lost);
        }
        self.bodies.iter_mut().for_each(|body| body.state = body.end);
        Ok(())
    }

    pub fn lost(&self, body: usize) -> Error {
        let problem = "it went astray (not finite); the step was undone".to_owned();
        Error::Body { name: self.bodies[body].name().to_owned(), problem }
    }
}

impl World {
    /// The rigid bodies, in the order in which they were given.
    pub fn bodies(&self) -> &[MovingBody] {
        &self.rigid.bodies
    }

    /// All that bodies need to go on with the same bits, in their order. Together with the cloths' snapshots it
    /// is the state of the world.
    pub fn body_states(&self) -> Vec<BodyState> {
        self.rigid.states()
    }

    /// Goes back to saved states of all bodies.
    pub fn restore_body_states(&mut self, states: &[BodyState]) -> Result<(), Error> {
        let bodies = &mut self.rigid.bodies;
        if states.len() != bodies.len() {
            let problem = format!("there are {}, not {}", states.len(), bodies.len());
            return Err(Error::State { what: "body states", problem });
        }
        for (body, state) in bodies.iter().zip(states) {
            if let Some(problem) = state.problem() {
                return Err(Error::Body { name: body.name().to_owned(), problem: problem.to_owned() });
            }
        }
        Rigid::set(bodies, states);
        if let Some(collisions) = &mut self.collisions {
            collisions.look_for_tangles();
        }
        Ok(())
    }

    /// Momentum of all cloths and bodies together, about zero.
    pub fn momentum(&self) -> Momentum {
        let cloths = self.cloths.iter().map(|(_, cloth)| cloth.momentum());
        let all = cloths.chain(self.rigid.bodies.iter().map(MovingBody::momentum));
        all.fold(Momentum::default(), |sum, own| sum + own)
    }

    /// The same about the origin, during a step.
    pub(super) fn momentum_about_origin(&self) -> Momentum {
        let cloths = self.cloths.iter().map(|(_, cloth)| cloth.momentum_about_origin());
        let all = cloths.chain(self.rigid.bodies.iter().map(|body| body.momentum_of(&body.state)));
        all.fold(Momentum::default(), |sum, own| sum + own)
    }

    /// Energy of all cloths and bodies together.
    pub fn energy(&self) -> Energy {
        let gravity = self.gravity();
        let cloths = self.cloths.iter().map(|(_, cloth)| cloth.energy());
        let all = cloths.chain(self.rigid.bodies.iter().map(|body| body.energy(gravity)));
        all.fold(Energy::default(), |sum, own| sum + own)
    }

    /// Bodies fall as the first cloth does.
    pub(super) fn gravity(&self) -> Vec3 {
        self.cloths.first().map_or(Vec3::ZERO, |(_, cloth)| cloth.settings().gravity)
    }

    /// Where bodies would be at the end of a substep if there were no cloth.
    pub(super) fn advance_bodies(&mut self, dt: f64, timings: &mut Timings) {
        let gravity = self.gravity();
        let start = self.cloths.first().map_or(0.0, |(_, cloth)| cloth.time());
        let Rigid { bodies, engine, .. } = &mut self.rigid;
        if let Some(engine) = engine {
            timings.time(Stage::Bodies, || engine.advance(bodies, gravity, [start, start + dt]));
        }
    }
}
