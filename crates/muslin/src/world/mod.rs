//! A world: several cloths and what they collide with.
//!
//! `step` is the list of stages of a step: of all cloths, of rigid bodies (`rigid`, `momentum`), and of collisions in between, which
//! `exchange` stands for. `recentre` brings all to one origin before it, `intersections` counts after it.

mod exchange;
mod intersections;
mod momentum;
mod recentre;
mod rigid;
mod step;

use crate::Error;
use crate::collision::{Collider, CollisionCounts, CollisionSettings, StartPolicy};
use crate::diagnostics::timings::Timings;
use crate::execution::{Instructions, Threads};
use crate::rigid::RigidBody;
use crate::simulation::{Simulation, StepReport};
use crate::state::State;
use exchange::Exchange;
pub use intersections::{Elements, Intersection, IntersectionReport};
use rigid::Rigid;

/// What happened in a step of a world.
#[derive(Clone, Debug, Default)]
pub struct WorldReport {
    /// The report of each cloth. Collisions are not part of their times.
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
}
