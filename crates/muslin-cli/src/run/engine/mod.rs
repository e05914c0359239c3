//! What computes a run: a world on the CPU, or cloths on a GPU. To the rest of the run they are alike.
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
use crate::gpu::{self, Gpu, GpuSimulation};

/// What computes.
pub enum Engine {
    /// Everything; of multilevel cloth the grids may be on a GPU.
    World(Box<World>, Option<Box<Gpu>>),
    /// Cloths without collisions.
    Gpu(Box<GpuCloths>),
}

/// Cloths on one GPU.
pub struct GpuCloths {
    gpu: Gpu,
    cloths: Vec<(String, GpuSimulation)>,
    /// States before the frame, where one cloth could come back from it and another not.
    before: Vec<Snapshot>,
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
    /// Named cloths on a GPU.
    pub fn on_gpu(gpu: Gpu, cloths: Vec<(String, GpuSimulation)>) -> Self {
        Self::Gpu(Box::new(GpuCloths { gpu, cloths, before: Vec::new() }))
    }

    /// The cloths as they are after the last frame.
    pub fn cloths(&self) -> Vec<(&str, &Simulation)> {
        match self {
            Self::World(world, _) => {
                world.cloths().iter().map(|(name, cloth)| (name.as_str(), cloth)).collect()
            }
            Self::Gpu(gpu) => {
                gpu.cloths.iter().map(|(name, cloth)| (name.as_str(), cloth.last_read())).collect()
            }
        }
    }

    /// What the cloths collide with.
    pub fn colliders(&self) -> Vec<&Collider> {
        match self {
            Self::World(world, _) => world.colliders().iter().collect(),
            Self::Gpu(_) => Vec::new(),
        }
    }

    /// The rigid bodies as they are after the last frame.
    pub fn bodies(&self) -> &[MovingBody] {
        match self {
            Self::World(world, _) => world.bodies(),
            Self::Gpu(_) => &[],
        }
    }

    /// The states of the rigid bodies after the last frame, with their names.
    pub fn body_states(&self) -> Vec<(String, BodyState)> {
        self.bodies().iter().map(|body| (body.name().to_owned(), *body.state())).collect()
    }

    /// Which kind it is; never [`Backend::Auto`].
    pub fn backend(&self) -> Backend {
        match self {
            Self::World(_, None) => Backend::Cpu,
            Self::World(_, Some(_)) => Backend::Gpu,
            Self::Gpu(_) => Backend::Gpu,
        }
    }

    /// The device's name.
    pub fn device(&self) -> String {
        match self {
            Self::World(_, None) => cpu_model(),
            Self::World(_, Some(gpu)) => gpu.name().to_owned(),
            Self::Gpu(gpu) => gpu.gpu.name().to_owned(),
        }
    }

    /// Goes to the next frame.
    pub fn step(&mut self) -> Result<Stepped, StepError> {
        match self {
            Self::World(world, _) => {
                world.step()?;
                let report = world.report();
                let cloths = world.cloths().iter().zip(&report.cloths);
                let astray = cloths.flat_map(|((name, _), report)| astray(name, report)).collect();
                let own = report.cloths.iter().map(|cloth| &cloth.solver);
                let grid = GridFrame::of(own.clone().filter_map(SolverReport::grid));
                let unsatisfied =
                    own.filter_map(SolverReport::impulses).map(|own| own.unsatisfied as usize).sum();
                Ok(Stepped { collisions: report.collisions, unsatisfied, astray, grid })
            }
            Self::Gpu(gpu) => gpu.step(),
        }
    }

    /// The state of each cloth after the last frame, with its name.
    pub fn snapshots(&self) -> Vec<(String, Snapshot)> {
        let now = || self.cloths().into_iter().map(|(name, cloth)| (name.to_owned(), cloth.snapshot()));
        match self {
            Self::Gpu(gpu) if !gpu.before.is_empty() => {
                let names = gpu.cloths.iter().map(|(name, _)| name.clone());
                names.zip(gpu.before.iter().cloned()).collect()
            }
            _ => now().collect(),
        }
    }

    /// Puts the cloths into states, in their order.
    pub fn restore<'a>(&mut self, states: impl Iterator<Item = &'a Snapshot>) -> Result<(), Error> {
        match self {
            Self::World(world, _) => {
                world.cloths_mut().zip(states).try_for_each(|((_, cloth), state)| cloth.restore(state))
            }
            Self::Gpu(gpu) => {
                gpu.before.clear();
                gpu.cloths.iter_mut().zip(states).try_for_each(|((_, cloth), state)| cloth.restore(state))
            }
        }
    }

    /// Puts the rigid bodies into states, in their order.
    pub fn restore_bodies(&mut self, states: &[BodyState]) -> Result<(), Error> {
        match self {
            Self::World(world, _) => world.restore_body_states(states),
            Self::Gpu(_) => Ok(()),
        }
    }

    /// Counts what passes through what.
    pub fn intersections(&self) -> IntersectionReport {
        match self {
            Self::World(world, _) => world.intersections(),
            Self::Gpu(_) => IntersectionReport::of_cloths(&self.cloths()),
        }
    }

    /// Breaks the GPU, as a driver reset would.
    #[cfg(all(test, feature = "gpu"))]
    pub fn break_device(&self) {
        match self {
            Self::Gpu(gpu) => gpu.gpu.break_for_test(),
            Self::World(_, gpu) => gpu.iter().for_each(|gpu| gpu.break_for_test()),
        }
    }
}

/// Which particles of a cloth went astray in a step: of its mesh, and of its grid.
fn astray(cloth: &str, report: &StepReport) -> impl Iterator<Item = (String, Option<u32>, usize)> {
    let of_mesh = report.quarantined.first().map(|&first| (Some(first), report.quarantined.len()));
    let contained = report.solver.grid().map_or(0, |grid| grid.contained as usize);
    let of_grid = (contained > 0).then_some((None, contained));
    let name = cloth.to_owned();
    of_mesh.into_iter().chain(of_grid).map(move |(first, count)| (name.clone(), first, count))
}

impl GpuCloths {
    /// All substeps of a cloth are one submission, and each cloth is read back once.
    fn step(&mut self) -> Result<Stepped, StepError> {
        if self.cloths.len() > 1 {
            self.before = self.cloths.iter().map(|(_, cloth)| cloth.last_read().snapshot()).collect();
        }
        for (name, cloth) in &mut self.cloths {
            let wrap = |error| Error::InCloth { cloth: name.clone(), error: Box::new(error) };
            cloth.step().map_err(wrap)?;
            cloth.begin_read_back()?;
        }
        let mut stepped = Stepped::default();
        for (name, cloth) in &mut self.cloths {
            cloth.read_back()?;
            let report = cloth.report();
            let astray =
                report.first_contained.map(|first| (name.clone(), Some(first), report.contained as usize));
            stepped.astray.extend(astray);
        }
        self.before.clear();
        Ok(stepped)
    }
}
