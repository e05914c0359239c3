//! A world: several cloths, what they collide with, and everything by which a program drives them.
//!
//! `builder` puts it together and `members` adds and removes; `handles` are their names. `step` is the list of stages of a step:
//! of all cloths, of rigid bodies (`rigid`, `momentum`), and of collisions in between, which `exchange` stands for. `recentre`
//! brings all to one origin before it, `intersections` counts after it. `controls` are what can be set between steps,
//! `contacts` and `events` what can be read. `device` is for worlds whose cloths are on a GPU.

mod builder;
mod contacts;
mod controls;
#[cfg(feature = "gpu")]
mod device;
mod events;
mod exchange;
mod fixed_step;
mod handles;
mod intersections;
mod members;
mod momentum;
mod recentre;
mod rigid;
mod step;

use glam::{DVec3, Vec3};

use crate::Error;
use crate::collision::{Collider, CollisionCounts, CollisionSettings, Substep};
use crate::diagnostics::timings::Timings;
use crate::execution::Threads;
use crate::rigid::RigidBody;
use crate::simulation::{Settings, Simulation, StepReport};
use crate::state::State;
pub use builder::WorldBuilder;
pub use contacts::Touch;
use controls::Attachment;
pub use controls::{Anchor, Strength, WorldState};
pub use events::Event;
use events::Events;
use exchange::Exchange;
pub use fixed_step::FixedStep;
pub use handles::{AttachmentId, BodyId, ClothId, ColliderId, Handle};
use handles::{Ids, Issue};
pub use intersections::{Elements, Intersection, IntersectionReport};
use members::Start;
use rigid::Rigid;

/// What happened in a step of a world.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
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

impl WorldReport {
    /// As before a step of so many cloths; its memory is kept.
    fn clear(&mut self, cloths: usize) {
        self.cloths.resize_with(cloths, StepReport::default);
        self.cloths.iter_mut().for_each(StepReport::clear);
        (self.collisions, self.intersections) = (CollisionCounts::default(), None);
        self.timings = Timings::default();
    }
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
    /// The conditions for all that have none of their own.
    settings: Settings,
    collision_settings: CollisionSettings,
    /// Seconds since the start, as long as there is no cloth to tell.
    clock: f64,
    issue: Issue,
    cloth_ids: Ids<ClothId>,
    cloths: Vec<(String, Simulation)>,
    /// Where they are moved, if not here.
    #[cfg(feature = "gpu")]
    device: Option<device::OnGpu>,
    collider_ids: Ids<ColliderId>,
    colliders: Vec<Collider>,
    /// Memory for the vertices of a collider that is bent.
    spare_frame: Vec<Vec3>,
    body_ids: Ids<BodyId>,
    rigid: Rigid,
    attachments: Vec<Attachment>,
    /// `None` where nothing can collide, or what collides has to be laid out anew.
    collisions: Option<Exchange>,
    /// Whether collisions are laid out for what there is.
    is_up_to_date: bool,
    /// Whether something was put where it may intersect something.
    was_put: bool,
    /// For each halving the states of all cloths before it.
    before: Vec<Vec<State>>,
    threads: Threads,
    report: WorldReport,
    events: Events,
}

impl World {
    /// Starts to put a world together.
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Named cloths, all with the same step, and colliders. Without colliders and self-collisions
    /// a single cloth moves as it would alone.
    pub fn new(
        cloths: Vec<(String, Simulation)>,
        colliders: Vec<Collider>,
        settings: CollisionSettings,
    ) -> Result<Self, Error> {
        Self::with_bodies(cloths, colliders, Vec::new(), settings)
    }

    /// As [`World::new`], with rigid bodies, which fall as the first cloth does.
    pub fn with_bodies(
        cloths: Vec<(String, Simulation)>,
        colliders: Vec<Collider>,
        bodies: Vec<RigidBody>,
        collisions: CollisionSettings,
    ) -> Result<Self, Error> {
        let settings = cloths.first().map(|(_, cloth)| cloth.settings().clone()).unwrap_or_default();
        Self::start(Start { settings, threads: None, collisions, cloths, colliders, bodies })
    }

    /// With nothing in it.
    fn empty(settings: Settings, threads: Threads, collision_settings: CollisionSettings) -> Self {
        Self {
            settings,
            collision_settings,
            clock: 0.0,
            issue: Issue::default(),
            cloth_ids: Ids::default(),
            cloths: Vec::new(),
            #[cfg(feature = "gpu")]
            device: None,
            collider_ids: Ids::default(),
            colliders: Vec::new(),
            spare_frame: Vec::new(),
            body_ids: Ids::default(),
            rigid: Rigid::default(),
            attachments: Vec::new(),
            collisions: None,
            is_up_to_date: false,
            was_put: false,
            before: Vec::new(),
            threads,
            report: WorldReport::default(),
            events: Events::default(),
        }
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.cloths.first().map_or(self.clock, |(_, cloth)| cloth.now().time)
    }

    /// When the next step ends, as the clock counts: substep by substep.
    fn next_time(&self) -> f64 {
        let dt = self.settings.substep_length();
        (0..self.settings.substeps).fold(self.time(), |time, _| time + dt)
    }

    /// The conditions for the world and every cloth that has none of its own.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What happened in the last step.
    pub fn report(&self) -> &WorldReport {
        &self.report
    }

    /// The cloths with their names, in the order in which they were added.
    pub fn cloths(&self) -> &[(String, Simulation)] {
        &self.cloths
    }

    /// The cloths, to be changed: restored from snapshots, say.
    pub fn cloths_mut(&mut self) -> impl Iterator<Item = (&str, &mut Simulation)> {
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

    /// The colliders, in the order in which they were added.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }
}

/// Between these times. A world brings all of its cloths to one origin before a step.
fn substep<'a>(cloths: &[(String, Simulation)], colliders: &'a [Collider], times: [f64; 2]) -> Substep<'a> {
    let origin = cloths.first().map_or(DVec3::ZERO, |(_, cloth)| cloth.origin());
    Substep { origin, times, colliders }
}
