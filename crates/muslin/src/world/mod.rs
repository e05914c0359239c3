//! A world: several cloths and what they collide with.

mod intersections;
mod momentum;
mod rigid;

use std::sync::Arc;

use crate::Error;
use crate::collision::{Collider, CollisionCounts, CollisionSettings, Collisions, StartPolicy, Unresolved};
use crate::diagnostics::timings::Timings;
use crate::execution::{Execution, in_pool};
use crate::rigid::RigidBody;
use crate::simulation::{Simulation, StepReport};
use crate::state::{Astray, State};
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
    collisions: Option<Collisions>,
    /// For each halving the states of all cloths before it.
    before: Vec<Vec<State>>,
    pool: Option<Arc<rayon::ThreadPool>>,
    execution: Execution,
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
        mut cloths: Vec<(String, Simulation)>,
        colliders: Vec<Collider>,
        bodies: Vec<RigidBody>,
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        let first = cloths.first().map(|(_, s)| (s.pool.clone(), s.execution, s.settings().clone()));
        let (pool, execution, common) = first.unwrap_or_default();
        for (name, simulation) in &mut cloths {
            let own = simulation.settings();
            let differs = [
                ("time_step", own.time_step != common.time_step),
                ("number of substeps", own.substeps != common.substeps),
            ];
            if let Some((field, _)) = differs.into_iter().find(|(_, differs)| *differs) {
                return Err(Error::UnequalSettings { cloth: name.clone(), field });
            }
            // One pool for all, or each cloth would wake its own.
            (simulation.pool, simulation.execution) = (pool.clone(), execution);
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
        let mut collisions =
            needed.then(|| Collisions::new(&cloths, colliders, &rigid.bodies, settings)).transpose()?;
        collisions.iter_mut().try_for_each(|collisions| collisions.check_crowd(&cloths, &rigid.bodies))?;
        rigid.prepare(collisions.iter().flat_map(Collisions::colliders))?;
        let world =
            Self { cloths, rigid, collisions, before: Vec::new(), pool, execution, count_intersections };
        if world.collisions.is_some() && start == StartPolicy::Refuse {
            world.refuse_intersections()?;
        }
        Ok(world)
    }

    /// Only what can collide counts: a cloth may lie in itself if it does not collide with itself.
    fn refuse_intersections(&self) -> Result<(), Error> {
        let self_collisions = self.collisions.as_ref().is_some_and(Collisions::has_self_collisions);
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

    /// The colliders, in the order in which they were given.
    pub fn colliders(&self) -> impl Iterator<Item = &Collider> {
        self.collisions.iter().flat_map(Collisions::colliders)
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
        let pool = self.pool.clone();
        let mut report = self.step_or_retry(pool.as_deref())?;
        report.intersections = self.count_intersections.then(|| self.intersections());
        Ok(report)
    }

    fn step_or_retry(&mut self, pool: Option<&rayon::ThreadPool>) -> Result<WorldReport, Error> {
        let first_try = in_pool(pool, || self.substeps());
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
        match in_pool(pool, || self.substeps_from_here()) {
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

    fn substeps(&mut self) -> Result<WorldReport, Trouble> {
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.save_start());
        self.rigid.save_start();
        self.substeps_from_here()
    }

    fn substeps_from_here(&mut self) -> Result<WorldReport, Trouble> {
        let mut report = WorldReport::default();
        report.cloths.resize(self.cloths.len(), StepReport::default());
        let Some((_, first)) = self.cloths.first() else { return Ok(report) };
        let (count, dt) = (first.settings().substeps, first.substep_length());
        for _ in 0..count {
            self.substep(dt, 0, &mut report)?;
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
    fn substep(&mut self, dt: f64, halvings: usize, report: &mut WorldReport) -> Result<(), Trouble> {
        let times = self.times(dt);
        if let Some(collisions) = &mut self.collisions {
            collisions.tell_solvers(&mut self.cloths, times, self.execution, &mut report.timings);
            self.save(halvings);
        }
        self.advance_bodies(dt, &mut report.timings);
        let momentum = self.momentum_to_keep(dt);
        for (number, (_, cloth)) in self.cloths.iter_mut().enumerate() {
            let lost = |lost| Trouble::Astray(number, lost);
            cloth.predict(dt, &mut report.cloths[number].timings).map_err(lost)?;
        }
        match self.collide(dt, report) {
            Ok(()) => {}
            Err(_) if halvings < MOST_HALVINGS => {
                self.restore(halvings);
                report.collisions.divisions += 1;
                self.substep(0.5 * dt, halvings + 1, report)?;
                return self.substep(0.5 * dt, halvings + 1, report);
            }
            Err(unresolved) => return Err(Trouble::Unresolved(unresolved)),
        }
        for (number, (_, cloth)) in self.cloths.iter_mut().enumerate() {
            let lost = |lost| Trouble::Astray(number, lost);
            cloth.conclude(dt, &mut report.cloths[number]).map_err(lost)?;
        }
        self.rigid.conclude().map_err(Trouble::Body)?;
        if let Some(momentum) = momentum {
            self.keep_momentum(&momentum);
        }
        Ok(())
    }

    /// Of the start and of the end of a substep.
    fn times(&self, dt: f64) -> [f64; 2] {
        let start = self.cloths.first().map_or(0.0, |(_, cloth)| cloth.time());
        [start, start + dt]
    }

    fn collide(&mut self, dt: f64, report: &mut WorldReport) -> Result<(), Unresolved> {
        let times = self.times(dt);
        let Some(collisions) = &mut self.collisions else { return Ok(()) };
        let (cloths, bodies) = (&mut self.cloths, &mut self.rigid.bodies);
        let counts = collisions.resolve(cloths, bodies, times, self.execution, &mut report.timings)?;
        report.collisions.add(&counts);
        Ok(())
    }

    fn save(&mut self, halvings: usize) {
        if self.before.len() <= halvings {
            self.before.push(self.cloths.iter().map(|_| State::default()).collect());
        }
        for (before, (_, cloth)) in self.before[halvings].iter_mut().zip(&self.cloths) {
            before.copy_start_of(&cloth.state, self.execution);
        }
        // Under 0 a solver keeps what it was before the whole step.
        self.cloths.iter_mut().for_each(|(_, cloth)| cloth.solver.keep(halvings + 1));
        self.rigid.save(halvings);
    }

    fn restore(&mut self, halvings: usize) {
        for (before, (_, cloth)) in self.before[halvings].iter().zip(&mut self.cloths) {
            cloth.state.copy_start_of(before, self.execution);
            cloth.solver.bring_back(halvings + 1);
        }
        self.rigid.restore(halvings);
    }
}
