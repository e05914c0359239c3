//! What happened in a step that a program may want to answer.

use super::exchange::Exchange;
use super::{ClothId, Handle, World};
use crate::Error;

/// Something that happened in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A cloth began to touch something: another cloth, a collider, a rigid body, or itself.
    ContactBegan {
        /// The cloth; of two cloths that which was added first.
        cloth: ClothId,
        /// What it touches.
        with: Handle,
    },
    /// It no longer touches it. (Not said of what was removed.)
    ContactEnded {
        /// The cloth.
        cloth: ClothId,
        /// What it touched.
        with: Handle,
    },
    /// A particle of a cloth went astray, and was held for this step with its neighbours. The step's report names all of them.
    Quarantined {
        /// The cloth.
        cloth: ClothId,
        /// The first of its vertices.
        vertex: u32,
    },
    /// The largest strain of an edge has come to exceed what [`World::watch_strain`] says.
    StrainExceeded {
        /// The cloth.
        cloth: ClothId,
        /// The strain, as a fraction.
        strain: f32,
    },
}

/// The events of a step, and what they are told from.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    list: Vec<Event>,
    /// Pairs of numbers among all that collide which touched in this step, sorted.
    touching: Vec<[u16; 2]>,
    /// What touched at the end of the last step, sorted.
    touched: Vec<(ClothId, Handle)>,
    /// Memory for what touches now.
    now: Vec<(ClothId, Handle)>,
    /// From which strain of an edge on to tell.
    watched_strain: Option<f32>,
    /// The cloths that were strained beyond that, sorted.
    strained: Vec<ClothId>,
}

impl Events {
    /// Before a step.
    pub fn clear(&mut self) {
        self.list.clear();
        self.touching.clear();
    }

    /// Becomes another; its memory is used again.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { list, touching, touched, now, watched_strain, strained } = self;
        list.clone_from(&other.list);
        touching.clone_from(&other.touching);
        touched.clone_from(&other.touched);
        now.clear();
        *watched_strain = other.watched_strain;
        strained.clone_from(&other.strained);
    }

    /// What pushed in a substep.
    pub fn touched(&mut self, collisions: &Exchange) {
        for pair in collisions.pushed_pairs() {
            if let Err(place) = self.touching.binary_search(&pair) {
                self.touching.insert(place, pair);
            }
        }
    }
}

impl World {
    /// What happened in the last step (of cloths on a GPU between the last two read-backs), in an order that depends on nothing else.
    pub fn events(&self) -> &[Event] {
        &self.events.list
    }

    /// Tells when an edge of any cloth comes to be strained by more than a fraction (0.1 is 10 %); `None` measures nothing. It costs
    /// a look at every edge per step.
    pub fn watch_strain(&mut self, strain: Option<f32>) -> Result<(), Error> {
        if let Some(value) = strain.filter(|strain| !(strain.is_finite() && *strain > 0.0)) {
            let (field, must_be) = ("watched strain", "finite and above 0");
            return Err(Error::Setting { field, value: value.into(), must_be });
        }
        self.events.watched_strain = strain;
        self.events.strained.clear();
        Ok(())
    }

    /// Makes the list after a step.
    pub(super) fn tell_events(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        self.tell_contacts(&mut events);
        for (number, report) in self.report.cloths.iter().enumerate() {
            if let Some(&vertex) = report.quarantined.first() {
                events.list.push(Event::Quarantined { cloth: self.cloth_ids.at(number), vertex });
            }
        }
        if let Some(most) = events.watched_strain {
            self.tell_strain(most, &mut events);
        }
        self.events = events;
    }

    fn tell_contacts(&self, events: &mut Events) {
        let Events { list, touching, touched, now, .. } = events;
        now.clear();
        let cloths = self.cloths.len();
        for pair in touching.iter() {
            let [first, second] = pair.map(usize::from);
            // Two cloths: by their order. Else the one that is a cloth.
            let (cloth, with) = if first < cloths { (first, second) } else { (second, first) };
            now.push((self.cloth_ids.at(cloth), self.handle(with)));
        }
        now.sort_unstable();
        now.dedup();
        for &(cloth, with) in now.iter().filter(|pair| touched.binary_search(pair).is_err()) {
            list.push(Event::ContactBegan { cloth, with });
        }
        for &(cloth, with) in touched.iter().filter(|pair| now.binary_search(pair).is_err()) {
            if self.cloth(cloth).is_ok() && self.name(with).is_ok() {
                list.push(Event::ContactEnded { cloth, with });
            }
        }
        std::mem::swap(touched, now);
    }

    fn tell_strain(&self, most: f32, events: &mut Events) {
        for (number, (_, cloth)) in self.cloths.iter().enumerate() {
            let (id, strain) = (self.cloth_ids.at(number), cloth.strain().max_edge as f32);
            match (events.strained.binary_search(&id), strain > most) {
                (Err(place), true) => {
                    events.strained.insert(place, id);
                    events.list.push(Event::StrainExceeded { cloth: id, strain });
                }
                (Ok(place), false) => {
                    events.strained.remove(place);
                }
                _ => {}
            }
        }
    }
}
