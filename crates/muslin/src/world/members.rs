//! What a world holds: cloths, colliders and rigid bodies, there from the start or added and removed later.
//!
//! What collides is laid out in flat arrays, which are made anew when anything was added or removed: once, before the next step
//! or whenever somebody asks for what depends on them, however much has changed.

use super::handles::{BodyId, ClothId, ColliderId, Handle};
use super::{Exchange, World};
use crate::Error;
#[cfg(feature = "gpu")]
use crate::Feature;
use crate::cloth::Cloth;
use crate::collision::{Collider, CollisionSettings, StartPolicy};
use crate::execution::Threads;
use crate::rigid::{MovingBody, RigidBody};
use crate::simulation::{Settings, Simulation};

/// What a world starts with.
pub(super) struct Start {
    pub settings: Settings,
    pub threads: Option<Threads>,
    pub collisions: CollisionSettings,
    pub cloths: Vec<(String, Simulation)>,
    pub colliders: Vec<Collider>,
    pub bodies: Vec<RigidBody>,
}

impl World {
    /// Checks everything and puts it together.
    pub(super) fn start(start: Start) -> Result<Self, Error> {
        let Start { settings, threads, collisions, cloths, colliders, bodies } = start;
        settings.check()?;
        collisions.check()?;
        let threads = match threads.or_else(|| cloths.first().map(|(_, cloth)| cloth.threads().clone())) {
            Some(threads) => threads,
            None => settings.shared_threads()?,
        };
        let mut world = Self::empty(settings, threads, collisions);
        for (name, simulation) in cloths {
            world.add_simulation(&name, simulation)?;
        }
        for collider in colliders {
            world.add_collider(collider)?;
        }
        for body in bodies {
            world.add_body(body)?;
        }
        world.prepare()?;
        Ok(world)
    }

    /// Adds a cloth under the world's settings; it collides from the next step on.
    pub fn add_cloth(&mut self, name: &str, cloth: Cloth) -> Result<ClothId, Error> {
        self.refuse_name(name)?;
        let wrap = |error| Error::InCloth { cloth: name.to_owned(), error: Box::new(error) };
        let simulation = self.simulate(cloth).map_err(wrap)?;
        self.add_simulation(name, simulation)
    }

    /// Adds a cloth under settings of its own, whose steps are as long as the world's and divided as they are. One that was never
    /// stepped takes over the world's time; any other must have it, unless it is the first in a world that was never stepped either,
    /// which takes over that of the cloth.
    pub fn add_simulation(&mut self, name: &str, mut simulation: Simulation) -> Result<ClothId, Error> {
        self.refuse_name(name)?;
        let own = simulation.settings();
        let differs = [
            ("time_step", own.time_step != self.settings.time_step),
            ("number of substeps", own.substeps != self.settings.substeps),
        ];
        if let Some((field, _)) = differs.into_iter().find(|(_, differs)| *differs) {
            return Err(Error::UnequalSettings { cloth: name.to_owned(), field });
        }
        if self.cloths.is_empty() && self.clock == 0.0 {
            self.clock = simulation.time();
        } else if simulation.steps() == 0 {
            simulation.state.time = self.time();
        } else if simulation.time() != self.time() {
            return Err(Error::UnequalSettings { cloth: name.to_owned(), field: "time" });
        }
        #[cfg(feature = "gpu")]
        self.lay_out(name, &mut simulation)?;
        let id = ClothId(self.issue.next());
        self.cloth_ids.push(id);
        self.cloths.push((name.to_owned(), simulation));
        self.was_put = true;
        self.set_out_of_date();
        Ok(id)
    }

    /// Removes a cloth.
    pub fn remove_cloth(&mut self, id: ClothId) -> Result<Simulation, Error> {
        #[cfg(feature = "gpu")]
        self.take_off_device(self.cloth_ids.number(id)?)?;
        self.clock = self.time();
        let number = self.cloth_ids.remove(id)?;
        self.attachments.retain(|attachment| attachment.cloth != id);
        let (name, simulation) = self.cloths.remove(number);
        self.forget_name(&name);
        Ok(simulation)
    }

    /// Adds something to collide with. Times of its motion are the world's.
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderId, Error> {
        #[cfg(feature = "gpu")]
        self.refuse_on_device(Feature::Collider)?;
        self.refuse_name(&collider.name)?;
        collider.check()?;
        self.rigid.add_obstacle(&collider)?;
        let id = ColliderId(self.issue.next());
        self.collider_ids.push(id);
        self.colliders.push(collider);
        self.was_put = true;
        self.set_out_of_date();
        Ok(id)
    }

    /// Removes a collider. What was attached to it is released.
    pub fn remove_collider(&mut self, id: ColliderId) -> Result<Collider, Error> {
        let number = self.collider_ids.number(id)?;
        self.detach_from(id.into())?;
        self.collider_ids.remove(id)?;
        self.rigid.remove_obstacle(number);
        let collider = self.colliders.remove(number);
        self.forget_name(&collider.name);
        Ok(collider)
    }

    /// Adds a rigid body.
    pub fn add_body(&mut self, body: RigidBody) -> Result<BodyId, Error> {
        #[cfg(feature = "gpu")]
        self.refuse_on_device(Feature::Body)?;
        self.refuse_name(&body.name)?;
        self.rigid.add(MovingBody::new(body)?, &self.colliders)?;
        let id = BodyId(self.issue.next());
        self.body_ids.push(id);
        self.was_put = true;
        self.set_out_of_date();
        Ok(id)
    }

    /// Removes a rigid body; how it was in the end. What was attached to it is released.
    pub fn remove_body(&mut self, id: BodyId) -> Result<MovingBody, Error> {
        let number = self.body_ids.number(id)?;
        self.detach_from(id.into())?;
        self.body_ids.remove(id)?;
        let body = self.rigid.remove(number);
        self.forget_name(body.name());
        Ok(body)
    }

    /// The handles of all cloths, in the order in which they were added.
    pub fn cloth_ids(&self) -> &[ClothId] {
        self.cloth_ids.all()
    }

    /// The handles of all colliders, in the order in which they were added.
    pub fn collider_ids(&self) -> &[ColliderId] {
        self.collider_ids.all()
    }

    /// The handles of all rigid bodies, in the order in which they were added.
    pub fn body_ids(&self) -> &[BodyId] {
        self.body_ids.all()
    }

    /// What has a name.
    pub fn find(&self, name: &str) -> Option<Handle> {
        let cloth = self.cloths.iter().position(|(own, _)| own == name);
        let collider = || self.colliders.iter().position(|collider| collider.name == name);
        let body = || self.rigid.bodies.iter().position(|body| body.name() == name);
        cloth
            .map(|number| self.cloth_ids.at(number).into())
            .or_else(|| collider().map(|number| self.collider_ids.at(number).into()))
            .or_else(|| body().map(|number| self.body_ids.at(number).into()))
    }

    /// The name of a cloth, a collider or a rigid body.
    pub fn name(&self, id: impl Into<Handle>) -> Result<&str, Error> {
        match id.into() {
            Handle::Cloth(id) => Ok(&self.cloths[self.cloth_ids.number(id)?].0),
            Handle::Collider(id) => Ok(&self.collider(id)?.name),
            Handle::Body(id) => Ok(self.body(id)?.name()),
            Handle::Attachment(id) => Err(Error::NoSuch(id.into())),
        }
    }

    /// A cloth.
    pub fn cloth(&self, id: ClothId) -> Result<&Simulation, Error> {
        Ok(&self.cloths[self.cloth_ids.number(id)?].1)
    }

    /// A cloth, to be driven.
    pub fn cloth_mut(&mut self, id: ClothId) -> Result<&mut Simulation, Error> {
        Ok(&mut self.cloths[self.cloth_ids.number(id)?].1)
    }

    /// A collider, and how it moves.
    pub fn collider(&self, id: ColliderId) -> Result<&Collider, Error> {
        Ok(&self.colliders[self.collider_ids.number(id)?])
    }

    /// A rigid body.
    pub fn body(&self, id: BodyId) -> Result<&MovingBody, Error> {
        Ok(&self.rigid.bodies[self.body_ids.number(id)?])
    }

    /// A cloth under the world's settings: as much of it as is needed where it will be moved.
    fn simulate(&self, cloth: Cloth) -> Result<Simulation, Error> {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return Simulation::at_start(cloth, self.settings.clone());
        }
        Simulation::new(cloth, self.settings.clone())
    }

    fn refuse_name(&self, name: &str) -> Result<(), Error> {
        match self.find(name) {
            Some(_) => Err(Error::SameName { name: name.to_owned() }),
            None => Ok(()),
        }
    }

    /// What had a name is gone, and with it what was said of its pairs.
    fn forget_name(&mut self, name: &str) {
        self.collision_settings.pairs.retain(|pair| !pair.between.iter().any(|own| own == name));
        self.set_out_of_date();
    }

    /// Something was added, removed or changed that collisions are laid out for.
    pub(super) fn set_out_of_date(&mut self) {
        self.collisions = None;
        self.is_up_to_date = false;
    }

    /// Lays out what collides, if anything was added or removed, and looks whether cloth that was put somewhere intersects
    /// something.
    pub(super) fn prepare(&mut self) -> Result<(), Error> {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return Ok(()); // nothing collides there
        }
        self.take_notice();
        if !self.is_up_to_date {
            self.recentre();
            let obstacles = !self.colliders.is_empty() || !self.rigid.bodies.is_empty();
            let (several, time) = (self.cloths.len() > 1, self.time());
            if self.collision_settings.self_collisions || obstacles || several {
                let settings = self.collision_settings.clone();
                let new = Exchange::new(&self.cloths, &self.colliders, &self.rigid.bodies, settings);
                let collisions = self.collisions.insert(new?);
                let substep = super::substep(&self.cloths, &self.colliders, [time; 2]);
                collisions.check_crowd(&self.cloths, &self.rigid.bodies, &substep)?;
            }
            self.is_up_to_date = true;
        }
        if std::mem::take(&mut self.was_put)
            && let Some(collisions) = &mut self.collisions
        {
            collisions.look_for_tangles();
            if self.collision_settings.start == StartPolicy::Refuse {
                self.refuse_intersections().inspect_err(|_| self.was_put = true)?;
            }
        }
        Ok(())
    }

    /// Takes over what was done to single cloths.
    pub(super) fn take_notice(&mut self) {
        let mut is_changed = false;
        for (_, cloth) in &mut self.cloths {
            let notice = cloth.take_notice();
            self.was_put |= notice.moved;
            // What carries bodies hangs on pins.
            is_changed |= notice.material || notice.pins && !self.rigid.bodies.is_empty();
        }
        if is_changed {
            self.set_out_of_date();
        }
    }

    /// Only what can collide counts: a cloth may lie in itself if it does not collide with itself.
    fn refuse_intersections(&self) -> Result<(), Error> {
        let self_collisions = self.collision_settings.self_collisions;
        let mut found = self.find_intersections();
        found.retain(|found| self_collisions || found.bodies[0] != found.bodies[1]);
        if found.is_empty() { Ok(()) } else { Err(Error::StartsIntersecting { found }) }
    }
}
