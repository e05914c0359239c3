//! Collisions of cloth with itself, with other cloth and with colliders.
//!
//! Input: where everything is at the start of a step (apart from each other) and where it would be at
//! its end. Output: ends at which everything is still apart. The pipeline is that of [Bridson 2002],
//! in the order of the folders:
//!
//! 1. `bodies`: what collides, all as points, edges and faces;
//! 2. `detect`: which features come near each other (boxes), which are too close ([`proximity`]) and which meet
//!    during the step ([`ccd`]);
//! 3. `respond`: contacts push and rub, in turn with the solver, until nothing meets; what does not settle moves as a rigid
//!    body;
//! 4. `start`: intersections that were there from the start, and the way out of closed meshes;
//! 5. `hints`: what solvers want to know of colliders before all of that;
//! 6. [`intersections`]: counts what went wrong, and shares nothing but the box hierarchy with the code that is to prevent it.
//!
//! On a coarser level (`coarse`) a proxy collides before the cloth itself does. What cannot be kept apart even so is
//! reported, and the world divides the step. [`Response::Impulses`] leaves out what looks at the step between its start
//! and its end, and all that this promises.

mod bodies;
mod coarse;
mod detect;
mod hints;
pub mod intersections;
mod points;
mod respond;
mod settings;
mod start;

pub use crate::math::proximity;
use bodies::Bodies;
use bodies::body;
pub use bodies::collider::{Collider, ColliderMotion, Pose, Shape};
pub use bodies::surface::{PairSurface, Surface};
use coarse::Level;
use detect::broad_phase::BroadPhase;
pub use detect::ccd;
use detect::narrow::{Impact, Narrow};
use detect::planes;
use glam::{DVec3, Vec3};
use hints::placed::Placed;
use points::Points;
use respond::carrier::Carrier;
use respond::contact::Contact;
use respond::impact_zone::ImpactZones;
use respond::impulses::ImpulseContact;
use respond::support;
pub(crate) use settings::Unresolved;
pub use settings::{CollisionCounts, CollisionSettings, ImpulseResponse, Response, StartPolicy};
use start::tangles::Tangles;

use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::rigid::Body;
use crate::{Error, Simulation};

/// The part of a gap that features keep at all times: continuous detection reports a meeting when less
/// is left. It makes normals well-defined, and rounding of positions harmless as long as it is larger.
const CLEARANCE: f64 = 0.1;

/// From where a world counts: a world brings all of its cloths to one origin before a step.
fn origin_of(cloths: &[(String, Simulation)]) -> DVec3 {
    cloths.first().map_or(DVec3::ZERO, |(_, cloth)| cloth.origin())
}

/// The collision stage of a world.
pub(crate) struct Collisions {
    /// Collides first, on a coarser level, and is not relied upon.
    coarse: Option<Box<Collisions>>,
    settings: CollisionSettings,
    bodies: Bodies,
    points: Points,
    broad_phase: BroadPhase,
    narrow: Narrow,
    contacts: Vec<Contact>,
    /// In place of contacts, with [`Response::Impulses`].
    impulses: Vec<ImpulseContact>,
    zones: ImpactZones,
    tangles: Tangles,
    /// Of each cloth what carries rigid bodies to its pins.
    carriers: Vec<Option<Carrier>>,
    /// Of each collider that is no rigid body, where it is in a substep; empty before the first.
    placed: Vec<Option<Placed>>,
}

impl Collisions {
    /// Of one level.
    fn on(
        level: Level,
        cloths: &[(String, Simulation)],
        colliders: Vec<Collider>,
        rigid: &[Body],
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        let (bodies, points) = Bodies::new(cloths, colliders, rigid, &settings.pairs, level)?;
        Ok(Self {
            coarse: None,
            bodies,
            points,
            broad_phase: BroadPhase::new(settings.self_collisions),
            narrow: Narrow::default(),
            contacts: Vec::new(),
            impulses: Vec::new(),
            zones: ImpactZones::default(),
            placed: Vec::new(),
            carriers: match level {
                Level::Coarse(_) => Vec::new(),
                Level::Alone | Level::AfterCoarse => support::carriers(cloths, rigid.len()),
            },
            tangles: Tangles::new(settings.start, settings.self_collisions),
            settings,
        })
    }

    /// Says to solvers, before a substep between these times, what they want to know of colliders.
    pub fn tell_solvers(
        &mut self,
        cloths: &mut [(String, Simulation)],
        times: [f64; 2],
        execution: Execution,
        timings: &mut Timings,
    ) {
        if self.bodies.colliders.is_empty() {
            return;
        }
        timings.time(Stage::BroadPhase, || self.place(cloths, times, execution));
        self.find_touching(cloths, execution, timings);
        self.find_near(cloths, times[1] - times[0], execution, timings);
    }

    /// Places colliders; those that move only if anybody asks for them.
    fn place(&mut self, cloths: &[(String, Simulation)], times: [f64; 2], execution: Execution) {
        let Self { bodies, placed, .. } = self;
        let all = bodies.all[bodies.cloths..].iter().zip(&bodies.colliders);
        let origin = origin_of(cloths);
        if placed.iter().flatten().any(|placed| placed.origin() != origin) {
            placed.clear();
        }
        if placed.is_empty() {
            let new = |body, collider| Placed::new(body, collider, origin, execution);
            placed.extend(
                all.clone()
                    .map(|(body, collider)| collider.rigid.is_none().then(|| new(body, &collider.collider))),
            );
        }
        if cloths.iter().any(|(_, cloth)| cloth.solver.reach().is_some()) {
            for (placed, (body, collider)) in placed.iter_mut().zip(all) {
                if let Some(placed) = placed.as_mut().filter(|placed| !placed.rests()) {
                    placed.go(body, &collider.collider, times, execution);
                }
            }
        }
    }

    /// Colliders that are no rigid bodies, with their numbers among all bodies.
    fn placed(&self) -> impl Iterator<Item = (u16, &body::Body, &Placed)> {
        let first = self.bodies.cloths;
        let all = (first..).zip(&self.bodies.all[first..]).zip(&self.placed);
        all.filter_map(|((number, body), placed)| Some((number as u16, body, placed.as_ref()?)))
    }

    /// Intersections may be there again: somebody has moved cloth.
    pub fn look_for_tangles(&mut self) {
        self.tangles.look_again();
    }

    pub fn has_self_collisions(&self) -> bool {
        self.settings.self_collisions
    }

    pub fn colliders(&self) -> impl Iterator<Item = &Collider> {
        self.bodies.colliders.iter().filter(|body| body.rigid.is_none()).map(|body| &body.collider)
    }

    /// Moves the ends of a step, in which colliders go from one time to another, so that nothing
    /// meets, on the one level of these bodies.
    fn resolve_level(
        &mut self,
        cloths: &mut [(String, Simulation)],
        rigid: &mut [Body],
        [start, end]: [f64; 2],
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<CollisionCounts, Unresolved> {
        timings.time(Stage::BroadPhase, || {
            self.bodies.load(cloths, rigid, [start, end], &mut self.points);
            self.tangles.update(&self.bodies, &mut self.points);
            self.tangles.pull_apart(&self.bodies, &mut self.points, end - start);
        });
        let mut counts = CollisionCounts::default();
        self.find_contacts(end - start, execution, timings)?;
        self.solve_with_cloths(cloths, execution, timings);
        self.separate(cloths, end - start, &mut counts, execution, timings)?;
        if let Some(names) = self.runaway(cloths, end - start) {
            return Err(Unresolved::Meeting(names));
        }
        counts.overloaded = usize::from(self.is_overloaded());
        counts.contacts = self.active_contacts();
        counts.ignored = self.narrow.ignored;
        counts.inside = self.tangles.escaping();
        timings.time(Stage::CollisionResponse, || {
            self.points.recovered.fill(Vec3::ZERO);
            self.tangles.book_recovery(&mut self.points);
            if counts.zones == 0 {
                // Zones have replaced what contacts did.
                self.contacts.iter().for_each(|contact| contact.book_recovery(&mut self.points));
                self.stop_without_throwing(cloths, end - start);
            }
            self.bodies.store(&self.points, cloths, rigid);
        });
        Ok(counts)
    }

    /// Pairs, and contacts of what starts too close.
    fn find_contacts(
        &mut self,
        dt: f64,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<(), Unresolved> {
        let Self { bodies, points, broad_phase, narrow, contacts, .. } = self;
        timings.time(Stage::BroadPhase, || {
            broad_phase.find(bodies, points, execution, &mut narrow.candidates);
        });
        bodies.refuse_crowd(broad_phase.crowded, points).map_err(Unresolved::Crowded)?;
        contacts.clear();
        timings.time(Stage::NarrowPhase, || {
            narrow.measure(bodies, points, dt, execution, contacts);
            planes::contacts(bodies, points, dt, contacts);
        });
        Ok(())
    }

    /// Looks, before the first step, whether there are too many places where bodies are close to each other.
    pub fn check_crowd(&mut self, cloths: &[(String, Simulation)], rigid: &[Body]) -> Result<(), Error> {
        let time = cloths.first().map_or(0.0, |(_, cloth)| cloth.time());
        let Self { bodies, points, broad_phase, narrow, .. } = self;
        bodies.load(cloths, rigid, [time; 2], points);
        broad_phase.find(bodies, points, Execution::default(), &mut narrow.candidates);
        bodies.refuse_crowd(broad_phase.crowded, points)
    }

    fn solve_contacts(&mut self) {
        for _ in 0..self.settings.passes {
            for contact in &mut self.contacts {
                contact.solve(&mut self.points);
            }
        }
        self.points.write_rigid();
    }

    /// Continuous detection, until nothing meets any more.
    fn separate(
        &mut self,
        cloths: &mut [(String, Simulation)],
        dt: f64,
        counts: &mut CollisionCounts,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<(), Unresolved> {
        for _ in 0..self.settings.rounds {
            let impacts = self.round(cloths, execution, timings)?;
            counts.impacts += impacts;
            if impacts == 0 {
                return Ok(());
            }
            timings.time(Stage::CollisionResponse, || {
                self.support_bodies(false);
                self.carry_bodies();
            });
        }
        timings.time(Stage::CollisionResponse, || {
            // Zones move bodies by their momentum.
            self.stop_without_throwing(cloths, dt);
            self.zones.start(&self.points);
        });
        loop {
            let impacts = self.impacts(execution, timings)?;
            if impacts.is_empty() {
                return Ok(());
            }
            let mut grown = false;
            for impact in &impacts {
                grown |= self.zones.merge(&impact.points(&self.bodies), &self.points);
            }
            let moved = self.zones.move_rigidly(&mut self.points);
            if !grown || moved.is_err() {
                let bodies = impacts[0].bodies().map(|b| self.bodies.all[usize::from(b)].name.clone());
                return Err(Unresolved::Meeting(bodies));
            }
            counts.zones = moved.unwrap_or(0);
        }
    }

    /// Solves contacts of all that meets during the step, and how much that was.
    fn round(
        &mut self,
        cloths: &mut [(String, Simulation)],
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<usize, Unresolved> {
        let impacts = self.impacts(execution, timings)?;
        if !impacts.is_empty() {
            timings.time(Stage::CollisionResponse, || {
                let Self { bodies, points, contacts, .. } = self;
                contacts.extend(impacts.iter().filter_map(|impact| impact.contact(bodies, points)));
            });
            self.solve_again_with_cloths(cloths, execution, timings);
        }
        Ok(impacts.len())
    }

    fn active_contacts(&self) -> usize {
        self.contacts.iter().filter(|contact| contact.is_active()).count()
    }

    /// What meets during the step.
    fn impacts(&mut self, execution: Execution, timings: &mut Timings) -> Result<Vec<Impact>, Unresolved> {
        let Self { bodies, points, broad_phase, narrow, .. } = self;
        timings.time(Stage::BroadPhase, || {
            broad_phase.find_more(bodies, points, execution, &mut narrow.pairs);
        });
        bodies.refuse_crowd(broad_phase.crowded, points).map_err(Unresolved::Crowded)?;
        let impacts = timings.time(Stage::NarrowPhase, || {
            narrow.measure_more(bodies, points);
            let mut impacts = narrow.impacts(bodies, points, execution);
            planes::impacts(bodies, points, &mut impacts);
            impacts
        });
        points.changed.fill(false);
        // What was found is looked at again even if nothing was done about it: it must not pass for
        // resolved.
        for impact in &impacts {
            impact.points(bodies).iter().for_each(|&p| points.changed[p as usize] = true);
        }
        Ok(impacts)
    }
}
