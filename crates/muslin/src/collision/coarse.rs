//! Collisions on a coarser level ([Bender2013] §7 names it as future work).
//!
//! A coarser mesh of each cloth collides first, with the whole gap: few contacts there do most of the
//! pushing and rubbing, and particles move along ([`Proxy`](crate::collision::bodies::proxy::Proxy)). Nothing that it does is
//! relied upon: a coarse triangle is a chord of what it stands for, so it may pass through things from which
//! the cloth is apart, and prolongated motions may drive particles into each other. After it the cloth's own
//! mesh goes through all stages as it would alone, so what is apart before the step is apart after it. It
//! keeps only [`FINEST_SHARE`] of the gaps: most pairs of features that keep the whole gap are then not even
//! found, and that is what makes it pay where cloth lies in layers.
//!
//! Tried, on one or two scenes each: gaps of the coarse mesh that grow by how far particles are from their
//! places on it (all of it is half as slow again for a cloth over a ball on level 2; half of it more than halves
//! the time of folds on level 3, so this is not settled); ignoring coarse triangles that intersect (takes
//! longer, and leaves the impacts on the finest level as they were).

use glam::{Vec3, Vec4};

use super::{Collider, CollisionCounts, CollisionSettings, Collisions, Response, StartPolicy, Unresolved};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::rigid::{Body, BodyState};
use crate::{Error, Simulation};

/// The part of its gaps that a cloth's own mesh keeps after a coarser one has kept them. Chosen on folds on a
/// floor: with a quarter, levels 1 and 4 had many more impacts and ended fast, with a half they did not. Level 3
/// still does with a half; why is not known.
pub(super) const FINEST_SHARE: f64 = 0.5;

/// Rounds of continuous detection on the coarse mesh. What is left is left to the finest.
const ROUNDS: usize = 2;

/// Which mesh of each cloth collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// The cloth's own.
    Alone,
    /// The cloth's own, after a coarser one.
    AfterCoarse,
    /// This many levels above it.
    Coarse(usize),
}

impl Collisions {
    /// On the level that the settings ask for.
    pub fn new(
        cloths: &[(String, Simulation)],
        colliders: Vec<Collider>,
        rigid: &[Body],
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        let coarse = match settings.level {
            0 => None,
            level => {
                let settings = CollisionSettings { start: StartPolicy::Refuse, ..settings.clone() };
                Some(Box::new(Self::on(Level::Coarse(level), cloths, colliders.clone(), rigid, settings)?))
            }
        };
        let level = if coarse.is_some() { Level::AfterCoarse } else { Level::Alone };
        Ok(Self { coarse, ..Self::on(level, cloths, colliders, rigid, settings)? })
    }

    /// Moves the ends of a step, in which colliders go from one time to another, so that nothing
    /// meets: on a coarser level first, if that is wanted.
    pub fn resolve(
        &mut self,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [Body],
        [start, end]: [f64; 2],
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<CollisionCounts, Unresolved> {
        if let Response::Impulses(response) = self.settings.response {
            return self.resolve_by_impulses(&response, cloths, rigid, [start, end], execution, timings);
        }
        // Coarse contacts know nothing of tangles, and would hold them.
        let mut coarse = self.coarse.take_if(|_| !self.tangles.are_present());
        let times = [start, end];
        let ends = |cloths: &[(String, Simulation)]| -> Vec<Vec<Vec4>> {
            cloths.iter().map(|(_, simulation)| simulation.state.points.clone()).collect()
        };
        let free_ends = coarse.as_ref().map(|_| ends(cloths));
        let free_bodies: Vec<BodyState> = rigid.iter().map(|body| body.end).collect();
        let proposed = coarse.as_mut().map(|coarse| coarse.propose(cloths, rigid, times, execution, timings));
        let mut counts = self.resolve_level(cloths, rigid, times, execution, timings);
        if let (Err(_), Some(free_ends)) = (&counts, free_ends) {
            // It may be the proposal that cannot be resolved.
            for ((_, simulation), free) in cloths.iter_mut().zip(free_ends) {
                simulation.state.points = free;
            }
            rigid.iter_mut().zip(&free_bodies).for_each(|(body, free)| body.end = *free);
            coarse.as_mut().iter_mut().for_each(|coarse| coarse.points.recovered.fill(Vec3::ZERO));
            counts = self.resolve_level(cloths, rigid, times, execution, timings);
        }
        if let (Some(coarse), Ok(counts)) = (&coarse, &mut counts) {
            counts.contacts += proposed.unwrap_or(0);
            // Not before: the finest level starts where the step starts.
            if counts.zones == 0 {
                coarse.bodies.store_recovered(&coarse.points, cloths);
            }
        }
        self.coarse = coarse.or(self.coarse.take());
        counts
    }

    /// Moves the ends of a step so that the coarse meshes keep their gaps as well as contacts can; the
    /// number of contacts that pushed. Coarse meshes that are close in too many places propose nothing.
    fn propose(
        &mut self,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [Body],
        [start, end]: [f64; 2],
        execution: Execution,
        timings: &mut Timings,
    ) -> usize {
        timings.time(Stage::BroadPhase, || self.bodies.load(cloths, rigid, [start, end], &mut self.points));
        if self.find_contacts(end - start, execution, timings).is_err() {
            self.points.recovered.fill(Vec3::ZERO);
            return 0;
        }
        timings.time(Stage::CollisionResponse, || self.solve_contacts());
        for _ in 0..ROUNDS {
            // Without the cloths: their solvers have no part on this level.
            if !self.round(&mut [], execution, timings).is_ok_and(|impacts| impacts > 0) {
                break;
            }
        }
        timings.time(Stage::CollisionResponse, || {
            self.points.recovered.fill(Vec3::ZERO);
            self.contacts.iter().for_each(|contact| contact.book_recovery(&mut self.points));
            self.bodies.store(&self.points, cloths, rigid);
        });
        self.active_contacts()
    }
}
