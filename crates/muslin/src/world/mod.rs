//! A world: several cloths and what they collide with.

mod exchange;
mod intersections;
mod momentum;
mod recentre;
mod rigid;

use crate::Error;
use crate::collision::{Collider, CollisionCounts, CollisionSettings, StartPolicy, Unresolved};
use crate::diagnostics::timings::Timings;
use crate::execution::{Execution, Instructions, Threads};
use crate::rigid::RigidBody;
use crate::simulation::{Simulation, StepReport};
use crate::state::{Astray, State};
use exchange::Exchange;
pub use intersections::{Elements, Intersection, IntersectionReport};
use rigid::Rigid;

/// How often a substep is halved before it counts as failed.
const MOST_HALVINGS: usize = 5;

/// What happened in a step of a world.
#[derive(Clone, Debug, Default)]
pub struct WorldReport {
    /// Of each cloth. Collisions are not part of their times.
    pub cloths: Vec<StepReport>,
    /// What collisions did.
    pub collisions: CollisionCounts,
    /// What passes through each other after the step, if the settings ask for it.
    pub intersections: Option<IntersectionReport>,
    /// Time per stage, of all cloths and collisions together.
    pub timings: Timings,
}

/// Cloths that collide with each other, with themselves, and with colliders.
///
/// ```
/// use glam::Vec3;
/// use muslin::collision::{Collider, CollisionSettings, Shape};
/// use muslin::{Settings, Simulation, World, cloth::Cloth, mesh::generate};
///
/// // A square of 1 m, lying flat above a ball.
/// let mut mesh = generate::grid(30, 30, 1.0, 1.0)?;
/// for p in &mut mesh.positions {
///     *p = Vec3::new(p.x, 0.6, p.y);
/// }
/// let cloth = Simulation::new(Cloth::builder(mesh).build()?, Settings::default())?;
/// let ball = Shape::Sphere { center: Vec3::new(0.0, 0.25, 0.0), radius: 0.25 };
/// let ball = Collider::new("ball", ball);
///
/// let mut world = World::new(vec![("cloth".into(), cloth)], vec![ball], CollisionSettings::default())?;
/// for _ in 0..30 {
///     world.step()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World {
    cloths: Vec<(String, Simulation)>,
    rigid: Rigid,
    collisions: Option<Exchange>,
    /// For each halving the states of all cloths before it.
    before: Vec<Vec<State>>,
    threads: Threads,
    instructions: Instructions,
    count_intersections: bool,
}

/// Why a step was not finished.
enum Trouble {
    Astray(usize, Astray),
    Unresolved(Unresolved),
    /// The number of a rigid body.
    Body(usize),
}

impl World {
    /// Named cloths, all with the same step, and colliders. Without colliders and self-collisions
    /// a single cloth moves as it would alone.
    pub fn new(
        cloths: Vec<(String, Simulation)>,
        colliders: Vec<Collider>,
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        Self::with_bodies(cloths, colliders, Vec::new(), settings)
    }

    /// As [`World::new`], with rigid bodies, which fall as the first cloth does: there must be one.
    pub fn with_bodies(
        cloths: Vec<(String, Simulation)>,
        colliders: Vec<Collider>,
        bodies: Vec<RigidBody>,
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        let first = cloths.first().map(|(_, s)| (s.threads.clone(), s.settings().clone()));
        let (threads, common) = first.unwrap_or_default();
        for (name, simulation) in &cloths {
            let own = simulation.settings();
            let differs = [
                ("time_step", own.time_step != common.time_step),
                ("number of substeps", own.substeps != common.substeps),
            ];
            if let Some((field, _)) = differs.into_iter().find(|(_, differs)| *differs) {
                return Err(Error::UnequalSettings { cloth: name.clone(), field });
            }
        }
        settings.check()?;
        let mut names: Vec<&str> = cloths.iter().map(|(name, _)| name.as_str()).collect();
        names.extend(colliders.iter().map(|collider| collider.name.as_str()));
        names.extend(bodies.iter().map(|body| body.name.as_str()));
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::SameName { name: pair[0].to_owned() });
        }
        let (start, count_intersections) = (settings.start, settings.count_intersections);
        let obstacles = !colliders.is_empty() || !bodies.is_empty();
        let needed = settings.self_collisions || obstacles || cloths.len() > 1;
        let mut rigid = Rigid::new(bodies, cloths.is_empty())?;
        let mut cloths = cloths;
        recentre::all(&mut cloths, &mut rigid.bodies);
        let mut collisions =
            needed.then(|| Exchange::new(&cloths, colliders, &rigid.bodies, settings)).transpose()?;
        collisions.iter_mut().try_for_each(|collisions| collisions.check_crowd(&cloths, &rigid.bodies))?;
        rigid.prepare(collisions.iter().flat_map(Exchange::colliders))?;
        let (before, instructions) = (Vec::new(), common.instructions);
        let world = Self { cloths, rigid, collisions, before, threads, instructions, count_intersections };
        if world.collisions.is_some() && start == StartPolicy::Refuse {
            world.refuse_intersections()?;
        }
        Ok(world)
    }

    /// Only what can collide counts: a cloth may lie in itself if it does not collide with itself.
    fn refuse_intersections(&self) -> Result<(), Error> {
        let self_collisions = self.collisions.as_ref().is_some_and(Exchange::has_self_collisions);
        let mut found = self.find_intersections();
        found.retain(|found| self_collisions || found.bodies[0] != found.bodies[1]);
        if found.is_empty() { Ok(()) } else { Err(Error::StartsIntersecting { found }) }
    }

    /// The cloths with their names, in the order in which they were given.
    pub fn cloths(&self) -> &[(String, Simulation)] {
        &self.cloths
    }

    /// The cloths, to be changed: restored from snapshots, say.
    pub fn cloths_mut(&mut self) -> impl Iterator<Item = (&str, &mut Simulation)> {
        if let Some(collisions) = &mut self.collisions {
            collisions.look_for_tangles();
        }
        self.cloths.iter_mut().map(|(name, simulation)| (name.as_str(), simulation))
    }

    /// The threads that steps run on: those of the first cloth, until [`World::set_threads`].
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Steps run on these threads from now on. The result does not depend on it.
    pub fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    /// The colliders, in the order in which they were given.
    pub fn colliders(&self) -> impl Iterator<Item = &Collider> {
        self.collisions.iter().flat_map(Exchange::colliders)
    }

    /// Advances all cloths by their time step.
    ///
    /// As [`Simulation::step`], with collisions: everything that was apart before the step is apart
    /// after it. A substep in which that cannot be had is halved, up to five times; then it is an error,
    /// and all cloths are as they were before the step. With [`Response::Impulses`](crate::collision::Response)
    /// nothing of that holds.
    pub fn step(&mut self) -> Result<WorldReport, Error> {
        let time = self.cloths.first().map_or(0.0, |(_, cloth)| cloth.time());
        if let Some((name, _)) = self.cloths.iter().find(|(_, cloth)| cloth.time() != time) {
            return Err(Error::UnequalSettings { cloth: name.clone(), field: "time" });
        }
        self.recentre();
        let threads = self.threads.clone();
        let execution = Execution { threads: &threads, instructions: self.instructions };
        let mut report = self.step_or_retry(execution)?;
        report.intersections = self.count_intersections.then(|| self.intersections());
        Ok(report)
    }

    fn step_or_retry(&mut self, execution: Execution) -> Result<WorldReport, Error> {
        let first_try = self.substeps(execution);
        if let Some(fault) = self.cloths.iter_mut().find_map(|(_, cloth)| cloth.solver.take_fault()) {
            self.roll_back();
            return Err(fault);
        }
        let trouble = match first_try {
            Ok(report) => return Ok(report),
            Err(trouble) => trouble,
        };
        self.roll_back();
        let (cloth, lost) = match trouble {
            Trouble::Unresolved(unresolved) => return Err(self.unresolved(unresolved)),
            Trouble::Body(body) => return Err(self.rigid.lost(body)),
            Trouble::Astray(cloth, lost) => (cloth, lost),
        };
        let held = self.cloths[cloth].1.hold(&lost);
        match self.substeps_from_here(execution) {
            Ok(mut report) => {
                report.cloths[cloth].quarantined = self.cloths[cloth].1.release(&held);
                Ok(report)
            }
            Err(trouble) => {
                self.roll_back();
                Err(match trouble {
                    Trouble::Unresolved(unresolved) => self.unresolved(unresolved),
                    Trouble::Body(body) => self.rigid.lost(body),
                    Trouble::Astray(cloth, lost) => {
                        let (name, simulation) = &mut self.cloths[cloth];
                        let error = Box::new(simulation.give_up(&lost));
                        Error::InCloth { cloth: name.clone(), error }
                    }
                })
            }
        }
    }

    /// Cloths and bodies as they were before the step.
    fn roll_back(&mut self) {
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.roll_back());
        self.rigid.roll_back();
    }

    fn unresolved(&self, unresolved: Unresolved) -> Error {
        let [first, second] = match unresolved {
            Unresolved::Meeting(bodies) => bodies,
            Unresolved::Crowded(error) => return error,
        };
        let (step, time) =
            self.cloths.first().map_or((1, 0.0), |(_, cloth)| (cloth.next_step(), cloth.time()));
        Error::Unresolved { step, time, first, second, divisions: 1 << MOST_HALVINGS }
    }

    fn substeps(&mut self, execution: Execution) -> Result<WorldReport, Trouble> {
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.save_start(execution));
        self.rigid.save_start();
        self.substeps_from_here(execution)
    }

    fn substeps_from_here(&mut self, execution: Execution) -> Result<WorldReport, Trouble> {
        let mut report = WorldReport::default();
        report.cloths.resize(self.cloths.len(), StepReport::default());
        let Some((_, first)) = self.cloths.first() else { return Ok(report) };
        let (count, dt) = (first.settings().substeps, first.substep_length());
        for _ in 0..count {
            self.substep(dt, 0, execution, &mut report)?;
        }
        for cloth in &report.cloths {
            report.timings.add(&cloth.timings);
        }
        Ok(report)
    }

    /// One substep; in two halves if bodies cannot be kept apart in it. The cloths' own coefficients
    /// stay those of the whole substep: a rare, short moment in which they are a little softer (or,
    /// by compliances, stiffer) is
    /// better than a second set of them.
    fn substep(
        &mut self,
        dt: f64,
        halvings: usize,
        execution: Execution,
        report: &mut WorldReport,
    ) -> Result<(), Trouble> {
        let times = self.times(dt);
        if let Some(collisions) = &mut self.collisions {
            collisions.tell_solvers(&mut self.cloths, times, execution, &mut report.timings);
            self.save(halvings, execution);
        }
        self.advance_bodies(dt, &mut report.timings);
        let momentum = self.momentum_to_keep(dt);
        for (number, (_, cloth)) in self.cloths.iter_mut().enumerate() {
            let lost = |lost| Trouble::Astray(number, lost);
            cloth.predict(dt, execution, &mut report.cloths[number].timings).map_err(lost)?;
        }
        match self.collide(dt, execution, report) {
            Ok(()) => {}
            Err(_) if halvings < MOST_HALVINGS => {
                self.restore(halvings, execution);
                report.collisions.divisions += 1;
                self.substep(0.5 * dt, halvings + 1, execution, report)?;
                return self.substep(0.5 * dt, halvings + 1, execution, report);
            }
            Err(unresolved) => return Err(Trouble::Unresolved(unresolved)),
        }
        for (number, (_, cloth)) in self.cloths.iter_mut().enumerate() {
            let lost = |lost| Trouble::Astray(number, lost);
            cloth.conclude(dt, execution, &mut report.cloths[number]).map_err(lost)?;
        }
        self.rigid.conclude().map_err(Trouble::Body)?;
        if let Some(momentum) = momentum {
            self.keep_momentum(&momentum, dt);
        }
        Ok(())
    }

    /// Of the start and of the end of a substep.
    fn times(&self, dt: f64) -> [f64; 2] {
        let start = self.cloths.first().map_or(0.0, |(_, cloth)| cloth.time());
        [start, start + dt]
    }

    fn collide(&mut self, dt: f64, execution: Execution, report: &mut WorldReport) -> Result<(), Unresolved> {
        let times = self.times(dt);
        let Some(collisions) = &mut self.collisions else { return Ok(()) };
        let (cloths, bodies) = (&mut self.cloths, &mut self.rigid.bodies);
        let counts = collisions.resolve(cloths, bodies, times, execution, &mut report.timings)?;
        report.collisions.add(&counts);
        Ok(())
    }

    fn save(&mut self, halvings: usize, execution: Execution) {
        if self.before.len() <= halvings {
            self.before.push(self.cloths.iter().map(|_| State::default()).collect());
        }
        for (before, (_, cloth)) in self.before[halvings].iter_mut().zip(&self.cloths) {
            before.copy_start_of(&cloth.state, execution);
        }
        // Under 0 a solver keeps what it was before the whole step.
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.solver.keep(halvings + 1));
        self.rigid.save(halvings);
    }

    fn restore(&mut self, halvings: usize, execution: Execution) {
        for (before, (_, cloth)) in self.before[halvings].iter().zip(&mut self.cloths) {
            cloth.state.copy_start_of(before, execution);
            cloth.solver.bring_back(halvings + 1);
        }
        self.rigid.restore(halvings);
    }
}
