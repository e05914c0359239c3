//! How a world is put together.

use super::World;
use super::members::Start;
use crate::Error;
use crate::cloth::Cloth;
use crate::collision::{Collider, CollisionSettings};
use crate::execution::Threads;
use crate::rigid::RigidBody;
use crate::simulation::{Settings, Simulation};

/// Puts a [`World`] together. More can be added to it, and removed, at any time later.
///
/// ```
/// use muslin::collision::{Collider, Shape};
/// use muslin::glam::Vec3;
/// use muslin::{World, cloth::Cloth, mesh::generate};
///
/// let mut world = World::builder()
///     .cloth("flag", Cloth::builder(generate::grid(20, 20, 1.0, 1.0)?).pin_group("left").build()?)
///     .collider(Collider::new("floor", Shape::Plane { point: Vec3::NEG_Y, normal: Vec3::Y }))
///     .build()?;
/// world.step()?;
/// # Ok::<(), muslin::Error>(())
/// ```
#[derive(Default)]
pub struct WorldBuilder {
    pub(super) settings: Settings,
    pub(super) collisions: CollisionSettings,
    pub(super) threads: Option<Threads>,
    pub(super) cloths: Vec<(String, Member)>,
    pub(super) colliders: Vec<Collider>,
    pub(super) bodies: Vec<RigidBody>,
    #[cfg(feature = "gpu")]
    pub(super) gpu: Option<crate::gpu::Gpu>,
}

/// A cloth that is still to be simulated, or already is.
pub(super) enum Member {
    Cloth(Box<Cloth>),
    Simulation(Box<Simulation>),
    #[cfg(feature = "gpu")]
    OnGpu(Box<crate::gpu::GpuSimulation>),
}

impl WorldBuilder {
    /// The conditions for the world and every cloth that has none of its own: length of a step, substeps, gravity, air,
    /// solver, threads.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// How collisions are handled.
    pub fn collisions(mut self, settings: CollisionSettings) -> Self {
        self.collisions = settings;
        self
    }

    /// The threads that steps run on, in place of the process's: those of the caller's program, say.
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = Some(threads);
        self
    }

    /// A cloth under the world's settings.
    pub fn cloth(mut self, name: &str, cloth: Cloth) -> Self {
        self.cloths.push((name.to_owned(), Member::Cloth(Box::new(cloth))));
        self
    }

    /// A cloth under settings of its own. Steps must be as long as the world's, and divided as they are.
    pub fn simulation(mut self, name: &str, simulation: Simulation) -> Self {
        self.cloths.push((name.to_owned(), Member::Simulation(Box::new(simulation))));
        self
    }

    /// Something to collide with.
    pub fn collider(mut self, collider: Collider) -> Self {
        self.colliders.push(collider);
        self
    }

    /// A rigid body.
    pub fn body(mut self, body: RigidBody) -> Self {
        self.bodies.push(body);
        self
    }

    /// Checks everything, and looks whether cloth starts intersecting something.
    pub fn build(self) -> Result<World, Error> {
        #[cfg(feature = "gpu")]
        if self.gpu.is_some() {
            return self.build_on_gpu();
        }
        let Self { settings, collisions, threads, cloths, colliders, bodies, .. } = self;
        let simulate = |(name, member): (String, Member)| {
            Ok(match member {
                Member::Simulation(simulation) => (name, *simulation),
                #[cfg(feature = "gpu")]
                Member::OnGpu(simulation) => (name, simulation.into_simulation()?),
                Member::Cloth(cloth) => {
                    let simulation = Simulation::new(*cloth, settings.clone());
                    let wrap = |error| Error::InCloth { cloth: name.clone(), error: Box::new(error) };
                    (name.clone(), simulation.map_err(wrap)?)
                }
            })
        };
        let cloths = cloths.into_iter().map(simulate).collect::<Result<Vec<_>, Error>>()?;
        World::start(Start { settings, threads, collisions, cloths, colliders, bodies })
    }
}
