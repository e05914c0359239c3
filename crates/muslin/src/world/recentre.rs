//! One origin for all that a world holds: see [`origin`](crate::origin).
//!
//! Looked at before a step and before anything of it is computed, so that detection takes the recentred starts as exact.
//! They are not moved against each other: cloth comes nearer to its origin without rounding. Colliders and rigid bodies are
//! known in double precision and rounded anew in every step, by less than a clearance that single precision can keep.

use glam::DVec3;

use super::World;
use crate::origin::common;
use crate::rigid::MovingBody;
use crate::simulation::Simulation;

impl World {
    /// From where its positions are counted inside, metres: zero near zero, else a place nearby
    /// ([`origin`](crate::origin)). A step may change it.
    pub fn origin(&self) -> DVec3 {
        self.cloths.first().map_or(DVec3::ZERO, |(_, cloth)| cloth.origin())
    }

    /// Brings everything to one origin: cloths may have flown away, or come back from snapshots with another.
    pub(super) fn recentre(&mut self) {
        all(&mut self.cloths, &mut self.rigid.bodies);
    }
}

/// Brings cloths and bodies to one origin.
pub(super) fn all(cloths: &mut [(String, Simulation)], bodies: &mut [MovingBody]) {
    let origin = common(cloths.iter().map(|(_, cloth)| &cloth.state));
    cloths.iter_mut().for_each(|(_, cloth)| cloth.recentre(origin));
    bodies.iter_mut().for_each(|body| body.recentre(origin));
}
