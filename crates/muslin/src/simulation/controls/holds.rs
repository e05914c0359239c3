//! Holds: points of a cloth that are drawn to places by springs. Grabbing with a mouse.
//!
//! What callers ask for; `tighten` is what a substep does with it.

use glam::DVec3;

use super::finite_place;
use crate::cloth::Keyframe;
use crate::simulation::Simulation;
use crate::solver::{Motion, Weight};
use crate::state::{Carriage, Drawn};
use crate::{Error, Feature};

/// How far from one the sum of weights may be.
const ROUNDING: f32 = 1e-3;

/// A point of a cloth that is drawn to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The corners of the triangle in which the point is; of a vertex three times the same.
    pub vertices: [u32; 3],
    /// How much of each there is in the point: none negative, of sum one.
    pub weights: [f32; 3],
    /// In the world, metres.
    pub place: DVec3,
    /// N/m, above zero. The cloth is M g/k below the place, if all of its weight M g hangs there.
    pub stiffness: f32,
}

impl Hold {
    /// Of a vertex.
    pub fn vertex(vertex: u32, place: DVec3, stiffness: f32) -> Self {
        Self { vertices: [vertex; 3], weights: [1.0, 0.0, 0.0], place, stiffness }
    }
}

/// The number of a hold of a cloth; none is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoldId(u32);

/// A hold, as a step needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held {
    id: HoldId,
    /// Internal vertices.
    pub vertices: [u32; 3],
    weights: [f64; 3],
    pub stiffness: f64,
    /// From where to where it goes.
    way: [Keyframe; 2],
}

impl Held {
    /// Where it is in the world at a time.
    pub fn place(&self, time: f64) -> DVec3 {
        let [from, to] = self.way;
        match time < to.time {
            true => from.position.lerp(to.position, (time - from.time) / (to.time - from.time)),
            false => to.position,
        }
    }

    /// Its particles with their weights, those without left out.
    pub fn particles(&self) -> impl Iterator<Item = (usize, usize, f64)> + use<> {
        let (vertices, weights) = (self.vertices, self.weights);
        (0..3).map(move |i| (i, vertices[i] as usize, weights[i])).filter(|(.., weight)| *weight > 0.0)
    }
}

/// The holds that were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AskedHolds {
    /// By number.
    pub(super) all: Vec<Held>,
    next: u32,
}

impl AskedHolds {
    /// Becomes another; its memory is used again.
    pub fn copy_from(&mut self, other: &Self) {
        self.all.clone_from(&other.all);
        self.next = other.next;
    }
}

/// The holds of a cloth.
#[derive(Debug, Default)]
pub(crate) struct Holds {
    pub(super) asked: AskedHolds,
    /// Where each draws its particles to in this substep, from the origin.
    pub(super) aims: Vec<[DVec3; 3]>,
    /// The particles that they have drawn in this substep.
    pub drawn: Vec<Drawn>,
    /// By how much particles are heavier in this substep, by vertex.
    pub(super) weights: Vec<Weight>,
    /// What their inverse masses were, in the same order.
    pub(super) before: Vec<f32>,
}

impl Holds {
    /// Refuses holds, if there are any.
    pub fn refuse(&self) -> Result<(), Error> {
        let (by, what) = ("multilevel cloth", "holds, because its grid has the mass; pin a vertex instead");
        if self.asked.all.is_empty() {
            Ok(())
        } else {
            Err(Error::Unsupported { by, feature: Feature::Hold, what })
        }
    }

    /// Moves as the cloth does.
    pub fn carry(&mut self, by: &Carriage) {
        for key in self.asked.all.iter_mut().flat_map(|held| &mut held.way) {
            key.position = by.place(key.position);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.asked.all.is_empty()
    }

    /// What is asked for.
    pub fn asked(&self) -> &AskedHolds {
        &self.asked
    }

    /// Asks for others, with their numbers: who goes back and asks for the same again gets the same.
    pub fn set(&mut self, asked: &AskedHolds) {
        self.asked.all.clone_from(&asked.all);
        self.asked.next = asked.next;
    }

    fn held(&mut self, id: HoldId) -> Result<usize, Error> {
        self.asked.all.binary_search_by_key(&id, |held| held.id).map_err(|_| Error::NoSuchHold { hold: id.0 })
    }
}

impl Simulation {
    /// Draws a point of the cloth to a place, from the next step on and until it is let go: a spring, stable for every stiffness and
    /// step. Nothing has to be prepared anew for it. Pinned vertices do not feel it, and multilevel cloth has none.
    pub fn hold(&mut self, hold: Hold) -> Result<HoldId, Error> {
        let vertices = [self.internal(hold.vertices[0])?, self.internal(hold.vertices[1])?];
        let vertices = [vertices[0], vertices[1], self.internal(hold.vertices[2])?];
        let wrong = |vertex, field, problem| Err(Error::AtVertex { vertex, field, problem });
        let first = hold.vertices[0];
        for (&vertex, weight) in hold.vertices.iter().zip(hold.weights) {
            if !(weight.is_finite() && weight >= 0.0) {
                return wrong(vertex, "the weight of a hold", "it is not a finite number of at least 0");
            }
        }
        let sum: f32 = hold.weights.iter().sum();
        if (sum - 1.0).abs() > ROUNDING {
            return wrong(first, "the weights of a hold", "their sum is not 1");
        }
        if !(hold.stiffness.is_finite() && hold.stiffness > 0.0) {
            return wrong(first, "the stiffness of a hold", "it is not a finite number above 0");
        }
        finite_place(first, "the place of a hold", hold.place)?;
        if self.settings.solver.motion() == Motion::OfSolver {
            let (by, what) =
                ("multilevel cloth", "holds, because its grid has the mass; pin a vertex instead");
            return Err(Error::Unsupported { by, feature: Feature::Hold, what });
        }
        if self.ahead.is_some() {
            let (by, what) = ("the GPU back end", "holds; pin a vertex and move it instead");
            return Err(Error::Unsupported { by, feature: Feature::Hold, what });
        }
        let id = HoldId(self.holds.asked.next);
        self.holds.asked.next += 1;
        let key = Keyframe { time: self.state.time, position: hold.place };
        self.holds.asked.all.push(Held {
            id,
            vertices,
            weights: hold.weights.map(|weight| f64::from(weight) / f64::from(sum)),
            stiffness: hold.stiffness.into(),
            way: [key; 2],
        });
        Ok(id)
    }

    /// Moves a hold: evenly, so that it is there (in the world, metres) at the end of the next step, and stays.
    pub fn move_hold(&mut self, id: HoldId, place: DVec3) -> Result<(), Error> {
        let held = self.holds.held(id)?;
        finite_place(self.user_vertex(self.holds.asked.all[held].vertices[0]), "the place of a hold", place)?;
        let from = self.holds.asked.all[held].place(self.state.time);
        self.holds.asked.all[held].way = self.next_step_from(from, place);
        Ok(())
    }

    /// Leads a hold to a place in the next substep and from then on.
    pub(crate) fn lead_hold(&mut self, id: HoldId, place: DVec3) {
        if let Ok(held) = self.holds.held(id) {
            self.holds.asked.all[held].way = [Keyframe { time: f64::MIN, position: place }; 2];
        }
    }

    /// Lets a hold go.
    pub fn let_go(&mut self, id: HoldId) -> Result<(), Error> {
        let held = self.holds.held(id)?;
        self.holds.asked.all.remove(held);
        Ok(())
    }
}
