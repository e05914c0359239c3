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
//! It knows points, edges, triangles and masses: what the cloths behind them do is asked by the trait `Cloths`; `world/exchange`
//! answers, and carries positions to and fro. What cannot be kept apart even so is reported, and the world divides the step.
//! [`Response::Impulses`] leaves out what looks at the step between its start and its end, and all that this promises.

mod bodies;
mod detect;
mod hints;
pub mod intersections;
mod points;
mod respond;
mod settings;
mod start;
mod substep;

use glam::{Vec3, Vec4};

pub use crate::math::proximity;
use bodies::Bodies;
pub use bodies::collider::{Collider, ColliderMotion, Pose, Shape};
pub(crate) use bodies::sheet::Sheet;
pub use bodies::surface::{PairSurface, Surface};
use detect::Detection;
pub use detect::ccd;
use hints::Hints;
pub(crate) use hints::{Near, Particles};
pub(crate) use points::Points;
pub(crate) use respond::carrier::Carrier;
use respond::contact::Contact;
pub(crate) use respond::contact::Pushed;
use respond::contacts::Contacts;
pub(crate) use respond::coupling::Cloths;
use respond::coupling::Coupling;
use respond::impact_zone::ImpactZones;
use respond::impulses;
pub(crate) use respond::tie::Tie;
use respond::{stop, support};
pub(crate) use settings::Unresolved;
pub use settings::{CollisionCounts, CollisionSettings, ImpulseResponse, Response, StartPolicy};
use start::tangles::Tangles;
pub(crate) use substep::Substep;

use crate::Error;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::rigid::MovingBody;

/// The part of a gap that features keep at all times: continuous detection reports a meeting when less
/// is left. It makes normals well-defined, and rounding of positions harmless as long as it is larger.
const CLEARANCE: f64 = 0.1;

/// Rounds of continuous detection where the result is not relied upon.
const ROUNDS_OF_PROPOSAL: usize = 2;

/// The collision stage.
pub(crate) struct Collisions {
    settings: CollisionSettings,
    bodies: Bodies,
    hints: Hints,
    tangles: Tangles,
    detection: Detection,
    contacts: Contacts,
    zones: ImpactZones,
    /// In place of contacts, with [`Response::Impulses`].
    impulses: Vec<impulses::Contact>,
}

impl Collisions {
    /// For cloths, with what carries rigid bodies in each of them, and all that these collide with. The part `kept`
    /// of all gaps is kept. The points are in the order of the cloths, the colliders and the rigid bodies.
    pub fn new(
        sheets: &[Sheet<'_>],
        carriers: Vec<Option<Carrier>>,
        colliders: &[Collider],
        rigid: &[MovingBody],
        settings: CollisionSettings,
        kept: f64,
    ) -> Result<(Self, Points), Error> {
        let (bodies, points) = Bodies::new(sheets, colliders, rigid, &settings.pairs, kept)?;
        let collisions = Self {
            bodies,
            hints: Hints::default(),
            tangles: Tangles::new(settings.start, settings.self_collisions),
            detection: Detection::new(settings.self_collisions),
            contacts: Contacts::new(carriers, settings.passes),
            zones: ImpactZones::default(),
            impulses: Vec::new(),
            settings,
        };
        Ok((collisions, points))
    }

    /// Whether there are colliders or rigid bodies.
    pub fn has_obstacles(&self) -> bool {
        !self.bodies.colliders.is_empty()
    }

    /// Whether intersections may be there.
    pub fn may_be_tangled(&self) -> bool {
        self.tangles.are_present()
    }

    /// Intersections may be there again: somebody has moved cloth.
    pub fn look_for_tangles(&mut self) {
        self.tangles.look_again();
    }

    /// A collider moves in another way from now on.
    pub fn forget(&mut self, collider: usize) {
        self.hints.forget(collider);
    }

    /// What is held together from now on.
    pub fn set_ties(&mut self, ties: impl Iterator<Item = Tie>) {
        self.contacts.ties.clear();
        self.contacts.ties.extend(ties);
    }

    /// What was pushed apart in the last substep, of `dt` seconds.
    pub fn pushed<'a>(&'a self, points: &'a Points, dt: f64) -> impl Iterator<Item = Pushed> + 'a {
        self.contacts.all.iter().filter_map(move |contact| contact.pushed_apart(points, dt))
    }

    /// The numbers of all bodies that were pushed apart in the last substep, pair by pair, some of them often.
    pub fn pushed_pairs(&self) -> impl Iterator<Item = [u16; 2]> {
        let contacts = self.contacts.all.iter().filter_map(Contact::apart);
        contacts.chain(self.impulses.iter().filter_map(impulses::Contact::apart))
    }

    /// Looks, before the first step, whether there are too many places where bodies are close to each other.
    pub fn check_crowd(&mut self, points: &mut Points, substep: &Substep<'_>) -> Result<(), Error> {
        self.bodies.place(substep, points);
        self.detection.find_pairs(&mut self.bodies, points, substep.times, Execution::default())
    }

    /// Places colliders for hints; those that move only if `moving` ones are asked for ([`Collisions::near`]).
    pub fn place(&mut self, substep: &Substep<'_>, moving: bool, execution: Execution) {
        self.hints.place(&self.bodies, substep, moving, execution);
    }

    /// For each particle of a cloth the direction away from the collider that it lies on, at the gap that `keeping` keeps.
    pub fn touching(
        &self,
        keeping: &Self,
        cloth: usize,
        points: &[Vec4],
        execution: Execution,
        normals: &mut Vec<Vec4>,
    ) {
        self.hints.touching([&self.bodies, &keeping.bodies], cloth, points, execution, normals);
    }

    /// What is near each particle of a cloth.
    pub fn near(
        &self,
        cloth: usize,
        particles: Particles<'_>,
        reach: f32,
        execution: Execution,
    ) -> Vec<Near> {
        self.hints.near(&self.bodies, cloth, particles, reach, execution)
    }

    /// Moves the ends of a substep so that nothing meets. Points of cloths and rigid bodies are where they start and where
    /// they would end.
    pub fn resolve(
        &mut self,
        points: &mut Points,
        cloths: &mut dyn Cloths,
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<CollisionCounts, Unresolved> {
        let dt = substep.length();
        self.start(points, substep, execution, timings)?;
        if let Response::Impulses(response) = self.settings.response {
            return Ok(self.push_by_impulses(&response, points, dt, execution, timings));
        }
        self.find_contacts(points, dt, execution, timings);
        self.coupling(points).solve(cloths, execution, timings);
        let mut counts = CollisionCounts::default();
        self.separate(points, cloths, dt, &mut counts, execution, timings)?;
        timings.time(Stage::CollisionResponse, || self.contacts.tell());
        let Self { bodies, contacts, tangles, detection, .. } = self;
        if let Some(names) = support::runaway(contacts, bodies, points, cloths, dt) {
            return Err(Unresolved::Meeting(names));
        }
        counts.overloaded = usize::from(support::is_overloaded(contacts, bodies, points));
        counts.contacts = contacts.active();
        counts.ignored = detection.ignored();
        counts.inside = tangles.escaping();
        timings.time(Stage::CollisionResponse, || {
            points.recovered.fill(Vec3::ZERO);
            tangles.book_recovery(points);
            if counts.zones == 0 {
                // Zones have replaced what contacts did.
                contacts.book_recovery(points);
                stop::without_throwing(contacts, bodies, points, cloths, dt);
            }
        });
        Ok(counts)
    }

    /// Moves the ends of a substep so that gaps are kept as well as contacts can, without asking any cloth; the number of
    /// contacts that pushed. Bodies that are close in too many places are left alone: `None`.
    pub fn propose(
        &mut self,
        points: &mut Points,
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> Option<usize> {
        points.recovered.fill(Vec3::ZERO);
        self.start(points, substep, execution, timings).ok()?;
        self.find_contacts(points, substep.length(), execution, timings);
        timings.time(Stage::CollisionResponse, || self.contacts.solve(points, execution));
        for _ in 0..ROUNDS_OF_PROPOSAL {
            if !self.meet(points, execution, timings).is_ok_and(|impacts| impacts > 0) {
                break;
            }
            timings.time(Stage::CollisionResponse, || self.contacts.solve(points, execution));
        }
        timings.time(Stage::CollisionResponse, || {
            self.contacts.tell();
            self.contacts.book_recovery(points);
        });
        Some(self.contacts.active())
    }

    /// Places colliders, looks after what intersects from the start, and finds pairs.
    fn start(
        &mut self,
        points: &mut Points,
        substep: &Substep<'_>,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<(), Unresolved> {
        let Self { bodies, tangles, detection, .. } = self;
        timings.time(Stage::BroadPhase, || {
            bodies.place(substep, points);
            tangles.update(bodies, points);
            tangles.pull_apart(bodies, points, substep.length());
            detection.find_pairs(bodies, points, substep.times, execution).map_err(Unresolved::Crowded)
        })
    }

    /// Contacts of what starts too close.
    fn find_contacts(&mut self, points: &Points, dt: f64, execution: Execution, timings: &mut Timings) {
        let Self { bodies, detection, contacts, .. } = self;
        timings.time(Stage::NarrowPhase, || {
            detection.find_contacts(bodies, points, dt, execution, contacts.renew());
            contacts.tie(points);
        });
    }

    /// Contacts, in turn with the cloths. Passes of a solver would pull back what is on its way out of something. And after
    /// a coarser level, folds on a floor did not come to rest with them: 1.6 to 2.2 m/s at the end on levels 2 to 4.
    fn coupling<'a>(&'a mut self, points: &'a mut Points) -> Coupling<'a> {
        let allowed = !self.tangles.are_pulled_apart() && self.settings.level == 0;
        Coupling { contacts: &mut self.contacts, bodies: &self.bodies, points, allowed }
    }

    /// Continuous detection, until nothing meets any more.
    fn separate(
        &mut self,
        points: &mut Points,
        cloths: &mut dyn Cloths,
        dt: f64,
        counts: &mut CollisionCounts,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<(), Unresolved> {
        for _ in 0..self.settings.rounds {
            let impacts = self.meet(points, execution, timings)?;
            counts.impacts += impacts;
            if impacts == 0 {
                return Ok(());
            }
            self.coupling(points).solve_again(cloths, execution, timings);
            timings.time(Stage::CollisionResponse, || {
                support::support_bodies(&mut self.contacts, &self.bodies, points, false);
                support::carry_bodies(&mut self.contacts, &self.bodies, points, execution);
            });
        }
        timings.time(Stage::CollisionResponse, || {
            // Zones move bodies by their momentum.
            stop::without_throwing(&self.contacts, &self.bodies, points, cloths, dt);
            self.zones.start(points);
        });
        let Self { bodies, detection, zones, .. } = self;
        loop {
            let impacts = detection.impacts(bodies, points, execution, timings)?;
            if impacts.is_empty() {
                return Ok(());
            }
            let moved = zones.take_in(impacts, bodies, points);
            counts.zones = moved.map_err(|_| Unresolved::Meeting(bodies.names(impacts[0].bodies())))?;
        }
    }

    /// Appends contacts of all that meets during the step, and how much that was.
    fn meet(
        &mut self,
        points: &mut Points,
        execution: Execution,
        timings: &mut Timings,
    ) -> Result<usize, Unresolved> {
        let Self { bodies, detection, contacts, .. } = self;
        let impacts = detection.impacts(bodies, points, execution, timings)?;
        timings.time(Stage::CollisionResponse, || {
            contacts.all.extend(impacts.iter().filter_map(|impact| impact.contact(bodies, points)));
        });
        Ok(impacts.len())
    }

    /// The simpler response, which guarantees nothing.
    fn push_by_impulses(
        &mut self,
        response: &ImpulseResponse,
        points: &mut Points,
        dt: f64,
        execution: Execution,
        timings: &mut Timings,
    ) -> CollisionCounts {
        let Self { bodies, detection, tangles, impulses: contacts, settings, .. } = self;
        let mut counts = CollisionCounts { inside: tangles.escaping(), ..CollisionCounts::default() };
        timings.time(Stage::NarrowPhase, || {
            impulses::find(detection.candidates(), bodies, points, dt, response, execution, contacts);
            counts.ignored =
                detection.candidates().iter().filter(|listed| points.ignores(&listed.pair)).count();
        });
        timings.time(Stage::CollisionResponse, || {
            counts.contacts = impulses::solve(contacts, settings.passes, points);
            points.recovered.fill(Vec3::ZERO);
            tangles.book_recovery(points);
        });
        counts
    }
}
