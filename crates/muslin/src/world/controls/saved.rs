//! A world as it was, to come back to: for rollback over a network, for learning, for undoing.
//!
//! All of it that a program can change between steps: states of cloths and bodies, pins, holds, forces that wait, motions of
//! colliders, attachments, conditions. Meshes and shapes are not part of it, and are not copied. Going on from a saved state
//! gives the same bits as going on from where it was saved.

use super::attachments::Attachment;
use crate::Error;
use crate::collision::{ColliderMotion, Surface};
use crate::rigid::BodyState;
use crate::simulation::{Controls, Settings};
use crate::state::Snapshot;
use crate::world::events::Events;
use crate::world::{BodyId, ClothId, ColliderId, Handle, World};

/// What [`World::save`] has taken.
#[derive(Clone, Debug, Default)]
pub struct WorldState {
    clock: f64,
    settings: Settings,
    cloths: Vec<(ClothId, Snapshot, Controls)>,
    colliders: Vec<(ColliderId, ColliderMotion, Surface)>,
    bodies: Vec<(BodyId, BodyState)>,
    attachments: Vec<Attachment>,
    events: Events,
    /// Whether something was put where it may intersect something, and nobody has looked yet.
    was_put: bool,
    /// Whether the world was further than what was known of it: on a GPU, and not read back.
    is_behind: bool,
}

impl WorldState {
    /// When it was taken, seconds since the start.
    pub fn time(&self) -> f64 {
        self.clock
    }
}

/// A motion becomes another; its memory is used again.
fn copy_motion(motion: &mut ColliderMotion, other: &ColliderMotion) {
    match (motion, other) {
        (ColliderMotion::Poses(own), ColliderMotion::Poses(others)) => own.clone_from(others),
        (own, others) => *own = others.clone(),
    }
}

impl World {
    /// Takes a copy of everything that can change between steps. What is on a GPU has to be read back first; a copy taken without is refused
    /// by [`World::restore`].
    pub fn save(&self) -> WorldState {
        let mut state = WorldState::default();
        self.save_into(&mut state);
        state
    }

    /// The same into a state whose memory is used again: every frame of the last second, say.
    pub fn save_into(&self, state: &mut WorldState) {
        (state.clock, state.settings) = (self.time(), self.settings.clone());
        state.is_behind = self.cloths.iter().any(|(_, cloth)| cloth.check_read("").is_err());
        state.was_put = self.was_put || self.cloths.iter().any(|(_, cloth)| cloth.was_put());
        state.cloths.truncate(self.cloths.len());
        for (number, (_, cloth)) in self.cloths.iter().enumerate() {
            if state.cloths.len() == number {
                state.cloths.push((self.cloth_ids.at(number), cloth.snapshot(), cloth.controls()));
                continue;
            }
            let (id, snapshot, controls) = &mut state.cloths[number];
            *id = self.cloth_ids.at(number);
            cloth.snapshot_into(snapshot);
            cloth.controls_into(controls);
        }
        state.colliders.truncate(self.colliders.len());
        for (number, collider) in self.colliders.iter().enumerate() {
            let id = self.collider_ids.at(number);
            match state.colliders.get_mut(number) {
                Some((known, motion, surface)) => {
                    (*known, *surface) = (id, collider.surface);
                    copy_motion(motion, &collider.motion);
                }
                None => state.colliders.push((id, collider.motion.clone(), collider.surface)),
            }
        }
        state.bodies.clear();
        state.bodies.extend(self.body_ids.all().iter().copied().zip(self.rigid.states()));
        if state.attachments != self.attachments {
            state.attachments.clone_from(&self.attachments);
        }
        state.events.copy_from(&self.events);
    }

    /// Goes back to a saved state. What was added since then is removed; what was removed since then cannot come back, and is an
    /// error that names it. Then, and if anything else is wrong, nothing changes.
    pub fn restore(&mut self, state: &WorldState) -> Result<(), Error> {
        state.cloths.iter().try_for_each(|(id, ..)| self.cloth(*id).map(|_| ()))?;
        state.colliders.iter().try_for_each(|(id, ..)| self.collider(*id).map(|_| ()))?;
        state.bodies.iter().try_for_each(|(id, _)| self.body(*id).map(|_| ()))?;
        if state.is_behind {
            return Err(Error::NotReadBack { what: "saving a world to come back to" });
        }
        self.remove_what_is_new(state)?;
        self.attachments.clone_from(&state.attachments);
        for ((_, cloth), (_, snapshot, controls)) in self.cloths.iter_mut().zip(&state.cloths) {
            cloth.set_controls(controls)?;
            // The solver that the state is of; what cannot be built as it was asked for has none, and the next step says so.
            match cloth.build_if_stale() {
                Ok(()) => cloth.restore(snapshot)?,
                Err(_) => cloth.restore(&Snapshot { solver: None, ..snapshot.clone() })?,
            }
            cloth.push_again(controls);
        }
        for (number, (_, motion, surface)) in state.colliders.iter().enumerate() {
            copy_motion(&mut self.colliders[number].motion, motion);
            self.forget(number);
            if std::mem::replace(&mut self.colliders[number].surface, *surface) != *surface {
                self.set_out_of_date();
            }
        }
        for (body, (_, saved)) in self.rigid.bodies.iter_mut().zip(&state.bodies) {
            body.state = *saved;
        }
        (self.clock, self.settings) = (state.clock, state.settings.clone());
        self.events.clone_from(&state.events);
        // Where it was saved nothing intersected that was not let through, unless nobody had looked yet: counting takes longer than a
        // step. What was let through is looked for again.
        self.take_notice();
        self.was_put = state.was_put;
        self.collisions.iter_mut().for_each(|collisions| collisions.look_for_tangles());
        Ok(())
    }

    fn remove_what_is_new(&mut self, state: &WorldState) -> Result<(), Error> {
        let is_new = |handle: Handle| match handle {
            Handle::Cloth(id) => state.cloths.binary_search_by_key(&id, |saved| saved.0).is_err(),
            Handle::Collider(id) => state.colliders.binary_search_by_key(&id, |saved| saved.0).is_err(),
            Handle::Body(id) => state.bodies.binary_search_by_key(&id, |saved| saved.0).is_err(),
            Handle::Attachment(_) => false,
        };
        let cloths = self.cloth_ids.all().iter().map(|&id| id.into());
        let colliders = self.collider_ids.all().iter().map(|&id| id.into());
        let bodies = self.body_ids.all().iter().map(|&id| id.into());
        let all: Vec<Handle> = cloths.chain(colliders).chain(bodies).filter(|id| is_new(*id)).collect();
        for handle in all {
            match handle {
                Handle::Cloth(id) => drop(self.remove_cloth(id)?),
                Handle::Collider(id) => drop(self.remove_collider(id)?),
                Handle::Body(id) => drop(self.remove_body(id)?),
                Handle::Attachment(_) => {}
            }
        }
        Ok(())
    }
}
