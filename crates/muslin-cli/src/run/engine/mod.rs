//! What computes a run: a world on the CPU, or one whose cloths are on a GPU. To the rest of the run they are alike.
//! [`backend`] chooses.

pub mod backend;

use muslin::collision::{Collider, CollisionCounts};
use muslin::rigid::{BodyState, MovingBody};
use muslin::solver::SolverReport;
use muslin::state::Snapshot;
use muslin::{Error, IntersectionReport, Simulation, StepReport, World};
use muslin_io::scene::Backend;

use super::grid::GridFrame;
use crate::bench::cpu_model;
use crate::gpu::{self, Gpu};

/// What computes.
pub struct Engine {
    world: Box<World>,
    /// What cloths are on, or the grids of multilevel cloth.
    gpu: Option<Box<Gpu>>,
}

/// What happened on the way to a frame.
#[derive(Default)]
pub struct Stepped {
    pub collisions: CollisionCounts,
    /// Substeps after which constraints of the impulse solver did not hold, of all cloths.
    pub unsatisfied: usize,
    /// For each cloth in which particles went astray: its name, the first of them (`None` of those of a grid), how many (on
    /// a GPU and of a grid: how often, over the substeps).
    pub astray: Vec<(String, Option<u32>, usize)>,
    /// What the grids of multilevel cloth did.
    pub grid: Option<GridFrame>,
}

/// Why a frame was not reached. The state is the one before it.
#[derive(Debug)]
pub enum StepError {
    /// The cloth cannot go there.
    Undone(String),
    /// The device has failed: another one could go on.
    Device(String),
}

impl StepError {
    /// Says in which frame it was.
    pub fn in_frame(self, frame: u32) -> Self {
        match self {
            Self::Undone(message) => Self::Undone(format!("frame {frame}: {message}")),
            Self::Device(message) => Self::Device(format!("frame {frame}: {message}")),
        }
    }
}

impl From<Error> for StepError {
    fn from(error: Error) -> Self {
        match gpu::of_device(error) {
            Ok(error) => Self::Device(error.to_string()),
            Err(error) => Self::Undone(error.to_string()),
        }
    }
}

impl Engine {
    /// A world, and the GPU that it uses.
    pub fn new(world: World, gpu: Option<Gpu>) -> Self {
        Self { world: Box::new(world), gpu: gpu.map(Box::new) }
    }

    /// The cloths as they are after the last frame.
    pub fn cloths(&self) -> Vec<(&str, &Simulation)> {
        self.world.cloths().iter().map(|(name, cloth)| (name.as_str(), cloth)).collect()
    }

    /// What the cloths collide with.
    pub fn colliders(&self) -> Vec<&Collider> {
        self.world.colliders().iter().collect()
    }

    /// The rigid bodies as they are after the last frame.
    pub fn bodies(&self) -> &[MovingBody] {
        self.world.bodies()
    }

    /// The states of the rigid bodies after the last frame, with their names.
    pub fn body_states(&self) -> Vec<(String, BodyState)> {
        self.bodies().iter().map(|body| (body.name().to_owned(), *body.state())).collect()
    }

    /// Which kind it is; never [`Backend::Auto`].
    pub fn backend(&self) -> Backend {
        if self.gpu.is_some() { Backend::Gpu } else { Backend::Cpu }
    }

    /// The device's name.
    pub fn device(&self) -> String {
        self.gpu.as_ref().map_or_else(cpu_model, |gpu| gpu.name().to_owned())
    }

    /// Goes to the next frame.
    pub fn step(&mut self) -> Result<Stepped, StepError> {
        let world = &mut *self.world;
        world.step()?;
        gpu::read_back(world)?;
        let report = world.report();
        let cloths = world.cloths().iter().zip(&report.cloths);
        let astray = cloths.flat_map(|((name, _), report)| astray(name, report)).collect();
        let own = report.cloths.iter().map(|cloth| &cloth.solver);
        let grid = GridFrame::of(own.clone().filter_map(SolverReport::grid));
        let unsatisfied = own.filter_map(SolverReport::impulses).map(|own| own.unsatisfied as usize).sum();
        Ok(Stepped { collisions: report.collisions, unsatisfied, astray, grid })
    }

    /// The state of each cloth after the last frame, with its name.
    pub fn snapshots(&self) -> Vec<(String, Snapshot)> {
        self.cloths().into_iter().map(|(name, cloth)| (name.to_owned(), cloth.snapshot())).collect()
    }

    /// Puts the cloths into states, in their order.
    pub fn restore<'a>(&mut self, states: impl Iterator<Item = &'a Snapshot>) -> Result<(), Error> {
        self.world.cloths_mut().zip(states).try_for_each(|((_, cloth), state)| cloth.restore(state))
    }

    /// Puts the rigid bodies into states, in their order.
    pub fn restore_bodies(&mut self, states: &[BodyState]) -> Result<(), Error> {
        self.world.restore_body_states(states)
    }

    /// Counts what passes through what.
    pub fn intersections(&self) -> IntersectionReport {
        self.world.intersections()
    }

    /// Breaks the GPU, as a driver reset would.
    #[cfg(all(test, feature = "gpu"))]
    pub fn break_device(&self) {
        self.gpu.iter().for_each(|gpu| gpu.break_for_test());
    }
}

/// Which particles of a cloth went astray in a step: of its mesh, and of its grid.
fn astray(cloth: &str, report: &StepReport) -> impl Iterator<Item = (String, Option<u32>, usize)> {
    let count = report.quarantined.len().max(report.contained as usize);
    let of_mesh = report.quarantined.first().map(|&first| (Some(first), count));
    let contained = report.solver.grid().map_or(0, |grid| grid.contained as usize);
    let of_grid = (contained > 0).then_some((None, contained));
    let name = cloth.to_owned();
    of_mesh.into_iter().chain(of_grid).map(move |(first, count)| (name.clone(), first, count))
}
