//! The rigid bodies of a world: how they are moved, saved and measured together with its cloths.

use glam::Vec3;

use super::World;
use crate::Error;
use crate::collision::Collider;
use crate::diagnostics::energy::{Energy, Momentum};
use crate::diagnostics::timings::{Stage, Timings};
use crate::rigid::{BodyState, Engine, MovingBody};

/// Rigid bodies and what moves them.
#[derive(Default)]
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
    /// Adds a body to a world with these colliders.
    pub fn add(&mut self, body: MovingBody, colliders: &[Collider]) -> Result<(), Error> {
        if self.engine.is_none() {
            let mut engine = Engine::default();
            colliders.iter().try_for_each(|collider| engine.add_obstacle(collider))?;
            self.engine = Some(engine);
        }
        self.bodies.push(body);
        Ok(())
    }

    /// Removes the body with a number; with the last of them goes the engine.
    pub fn remove(&mut self, number: usize) -> MovingBody {
        let body = self.bodies.remove(number);
        if self.bodies.is_empty() {
            self.engine = None;
        }
        body
    }

    /// Tells the engine, if there is one, of another collider.
    pub fn add_obstacle(&mut self, collider: &Collider) -> Result<(), Error> {
        self.engine.as_mut().map_or(Ok(()), |engine| engine.add_obstacle(collider))
    }

    /// Tells the engine that the collider with a number is gone.
    pub fn remove_obstacle(&mut self, number: usize) {
        self.engine.iter_mut().for_each(|engine| engine.remove_obstacle(number));
    }

    pub fn states(&self) -> impl Iterator<Item = BodyState> {
        self.bodies.iter().map(|body| body.state)
    }

    fn set(bodies: &mut [MovingBody], states: &[BodyState]) {
        bodies.iter_mut().zip(states).for_each(|(body, state)| body.state = *state);
    }

    pub fn save_start(&mut self) {
        let Self { bodies, step_start, .. } = self;
        step_start.clear();
        step_start.extend(bodies.iter().map(|body| body.state));
    }

    pub fn roll_back(&mut self) {
        Self::set(&mut self.bodies, &self.step_start);
    }

    pub fn save(&mut self, halvings: usize) {
        if self.before.len() <= halvings {
            self.before.push(Vec::new());
        }
        let Self { bodies, before, .. } = self;
        before[halvings].clear();
        before[halvings].extend(bodies.iter().map(|body| body.state));
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
        self.rigid.states().collect()
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
        self.was_put = true;
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

    /// Bodies fall as the world says, whatever single cloths do.
    pub(super) fn gravity(&self) -> Vec3 {
        self.settings.gravity
    }

    /// Where bodies would be at the end of a substep if there were no cloth.
    pub(super) fn advance_bodies(&mut self, times: [f64; 2], timings: &mut Timings) {
        let (gravity, colliders) = (self.gravity(), &self.colliders);
        let Rigid { bodies, engine, .. } = &mut self.rigid;
        if let Some(engine) = engine {
            timings.time(Stage::Bodies, || engine.advance(bodies, gravity, times, colliders));
        }
    }
}
