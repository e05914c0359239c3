//! What comes near what: from the points of a step to contacts and impacts.
//!
//! 1. [`bvh`]: boxes around what moves, in a tree per body;
//! 2. `broad_phase`: whose boxes overlap, and are not `apart` along some direction, nor neighbours in a flat part of
//!    a cloth (`flat_stars`): `pairs` of features;
//! 3. `narrow`: how near these are at the start, which become contacts, and by [`ccd`] which meet during the step: impacts;
//! 4. `planes`: both for planes, which have no boxes.

mod apart;
pub(super) mod broad_phase;
pub(super) mod bvh;
pub mod ccd;
pub(super) mod flat_stars;
pub(super) mod narrow;
pub(super) mod pairs;
pub(super) mod planes;

use broad_phase::BroadPhase;
use narrow::{Impact, Narrow};
use pairs::Listed;

use super::bodies::Bodies;
use super::points::Points;
use super::respond::contact::Contact;
use super::settings::Unresolved;
use crate::Error;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;

/// Both phases; keeps its memory between steps.
pub(super) struct Detection {
    broad_phase: BroadPhase,
    narrow: Narrow,
    /// What met when that was last asked.
    impacts: Vec<Impact>,
}

impl Detection {
    pub fn new(self_collisions: bool) -> Self {
        Self { broad_phase: BroadPhase::new(self_collisions), narrow: Narrow::default(), impacts: Vec::new() }
    }

    /// Pairs of features that come near each other in a substep from one time to another, unless there are too many.
    pub fn find_pairs(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        times: [f64; 2],
        execution: Execution,
    ) -> Result<(), Error> {
        self.broad_phase.find(bodies, points, times, execution, &mut self.narrow.pairs);
        bodies.refuse_crowd(self.broad_phase.crowded, points)
    }

    /// Those pairs.
    pub fn candidates(&self) -> &[Listed] {
        &self.narrow.pairs
    }

    /// How many of them are ignored because they started in each other.
    pub fn ignored(&self) -> usize {
        self.narrow.ignored
    }

    /// Appends contacts of what starts too close, in a substep of `dt` seconds.
    pub fn find_contacts(
        &mut self,
        bodies: &Bodies,
        points: &Points,
        dt: f64,
        execution: Execution,
        contacts: &mut Vec<Contact>,
    ) {
        self.narrow.measure(bodies, points, dt, execution, contacts);
        planes::contacts(bodies, points, dt, contacts);
    }

    /// What meets during the step, of all that has changed since this was last asked.
    pub fn impacts(
        &mut self,
        bodies: &mut Bodies,
        points: &mut Points,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<&[Impact], Unresolved> {
        let Self { broad_phase, narrow, impacts } = self;
        impacts.clear();
        timings.time(Stage::BroadPhase, || {
            broad_phase.find_more(bodies, points, execution, &mut narrow.pairs);
        });
        bodies.refuse_crowd(broad_phase.crowded, points).map_err(Unresolved::Crowded)?;
        timings.time(Stage::NarrowPhase, || {
            narrow.measure_more(bodies, points);
            narrow.impacts(bodies, points, execution, impacts);
            planes::impacts(bodies, points, impacts);
        });
        points.changed.fill(false);
        // What was found is looked at again even if nothing was done about it: it must not pass for
        // resolved.
        for impact in &*impacts {
            impact.points(bodies).for_each(|p| points.changed[p as usize] = true);
        }
        Ok(impacts)
    }
}
