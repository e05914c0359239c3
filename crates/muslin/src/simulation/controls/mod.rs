//! What can be changed of a cloth while it moves. Everything takes effect at the next step; a call that fails changes nothing.
//!
//! `pins` are hard and decide what the solver is made of, `holds` are soft and do not (`tighten` is what a substep does with them). `forces` act for a step or at once.
//! `curves` and `material` are what the cloth and its step are made of. `place` moves all at once. `saved` is all that was
//! asked for, to be put back.

mod curves;
mod forces;
mod holds;
mod material;
mod pins;
mod place;
mod saved;
#[cfg(test)]
mod tests;
mod tighten;

pub(crate) use forces::Forces;
use holds::AskedHolds;
pub(crate) use holds::Holds;
pub use holds::{Hold, HoldId};
pub(crate) use saved::Controls;

use glam::{DVec3, Vec3};

use super::Simulation;
use crate::Error;

/// What whoever holds several cloths has to look at again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notice {
    /// Particles are somewhere else, and may be inside of something.
    pub moved: bool,
    /// What is pinned, or what the cloth resists with, is different: what carries bodies follows from it.
    pub pins: bool,
    /// The material is: density, thickness, friction.
    pub material: bool,
}

impl Simulation {
    /// Whether particles are somewhere else since that was last asked.
    pub(crate) fn was_put(&self) -> bool {
        self.notice.moved
    }

    /// What has changed since this was last asked.
    pub(crate) fn take_notice(&mut self) -> Notice {
        std::mem::take(&mut self.notice)
    }

    /// The internal number of a vertex.
    pub(in crate::simulation) fn internal(&self, vertex: u32) -> Result<u32, Error> {
        let places = &self.cloth.permutation.old_to_new;
        let vertices = places.len();
        places.get(vertex as usize).copied().ok_or(Error::NoSuchVertex { vertex, vertices })
    }
}

fn finite(vertex: u32, field: &'static str, value: Vec3) -> Result<Vec3, Error> {
    let problem = "it is not finite";
    if value.is_finite() { Ok(value) } else { Err(Error::AtVertex { vertex, field, problem }) }
}

fn finite_place(vertex: u32, field: &'static str, value: DVec3) -> Result<DVec3, Error> {
    let problem = "it is not finite";
    if value.is_finite() { Ok(value) } else { Err(Error::AtVertex { vertex, field, problem }) }
}
