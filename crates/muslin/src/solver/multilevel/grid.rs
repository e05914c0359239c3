//! A grid in motion: what a step is told, and what any back end must be able to do.

use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};

use super::bounds::held::Held;
use super::bounds::tethers::{TETHERS, Tether};
use super::cycle::LevelPlan;
use super::lattice::{Lattice, Stencils, Stitch};
use super::levels::GridLevel;
use crate::Error;
use crate::execution::Execution;
use crate::solver::Near;

/// All of a grid that does not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct GridModel {
    pub lattice: Lattice,
    /// Finest first.
    pub levels: Vec<GridLevel>,
    /// Per level what ties its patches together.
    pub stitches: Vec<Vec<Stitch>>,
    /// Per texel the inverse mass relative to that of a whole cell; 0 for held particles, and where there is none.
    pub weights: Vec<f32>,
    /// Held texels, and the coarse vertices that they follow.
    pub held: Vec<Held>,
    /// Per texel; empty if there are none.
    pub tethers: Vec<[Tether; TETHERS]>,
    /// Where the vertices of the coarse mesh read the grid.
    pub projection: Stencils,
    /// Per level. That of the finest is for the passes that also undo compression.
    pub plans: Vec<LevelPlan>,
    /// Passes from the coarsest level to the finest per step.
    pub cycles: u32,
    /// Bending passes per step.
    pub bending_passes: u32,
}

/// What a vertex of the coarse mesh hands on to the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "gpu", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub(crate) struct VertexMove {
    /// By how much collisions have moved it at the end of the last step, metres.
    pub offset: Vec4,
    /// By how much its velocity has changed by that and by forces on it (wind), m/s.
    pub push: Vec4,
}

/// What a step is told.
#[derive(Clone, Debug)]
pub(crate) struct GridStep<'a> {
    /// Δt, seconds.
    pub dt: f32,
    /// By how much gravity lets a particle go further than its velocity does, metres: g Δt (Δt₀ + Δt)/2, if the step
    /// before took Δt₀ seconds. Velocities are means over a step, so this falls by ½ g t² exactly.
    pub fall: Vec3,
    /// Share of the velocity relative to the neighbours along threads that is taken away.
    pub smoothing: f32,
    /// The farthest that a particle may go, metres.
    pub farthest: f32,
    /// Beyond this (any coordinate) a particle is lost, metres.
    pub bounds: f32,
    /// B Δt²/(m h²) along weft and warp.
    pub bending: [f32; 2],
    /// Where the held particles are at the end of the step, in the order of [`GridModel::held`].
    pub held: &'a [Vec3],
    /// Per coarse vertex what is near (see `contact`); empty where nothing is.
    pub near: &'a [Near],
    /// Iterations on the finest level: the first few undo compression too, the rest only limits stretch.
    pub iterations: u32,
    /// Who does the work, on the CPU.
    pub execution: Execution<'a>,
}

/// What a step leaves, beside positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GridStatus {
    /// The largest strain along a thread.
    pub strain: f32,
    /// Particles that were lost and put back at rest.
    pub contained: u32,
}

/// The particles of a grid, texel by texel; zero where there is none.
///
/// Velocities are kept, and not where particles were a step ago: that difference lies on the grid of the last place, on
/// which short steps lose gravity. What that grid takes from places is carried to the next step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GridState {
    /// Metres.
    pub points: Vec<Vec3>,
    /// Means over the last step, m/s.
    pub velocities: Vec<Vec3>,
    /// How much further they would be without rounding, metres.
    pub remainders: Vec<Vec3>,
}

impl GridState {
    /// Particles at rest.
    pub fn at_rest(points: Vec<Vec3>) -> Self {
        Self {
            velocities: vec![Vec3::ZERO; points.len()],
            remainders: vec![Vec3::ZERO; points.len()],
            points,
        }
    }

    /// Counts places from another origin, `by` from the last, and carries what that rounds.
    pub fn recentre(&mut self, by: DVec3) {
        for (point, remainder) in self.points.iter_mut().zip(&mut self.remainders) {
            let place = point.as_dvec3() - by;
            *point = place.as_vec3();
            *remainder += (place - point.as_dvec3()).as_vec3();
        }
    }
}

/// A vertex of the coarse mesh as the grid has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Projected {
    /// Metres.
    pub place: Vec3,
    /// m/s.
    pub velocity: Vec3,
}

/// A back end.
pub(crate) trait Grid: Send + Sync {
    /// Another grid on the same device.
    fn another(&self, model: Arc<GridModel>, state: &GridState) -> Result<Box<dyn Grid>, Error>;

    /// Samples what has been done to the coarse mesh into the grid ([Schmitt2013] §4.1): per vertex, internal order.
    fn hand_on(&mut self, moves: &[VertexMove]) -> Result<(), Error>;

    /// Takes a step: moves, bends, the hierarchical solver, and the projection onto the coarse mesh (§4.2). May return
    /// before it is done.
    fn step(&mut self, step: &GridStep) -> Result<(), Error>;

    /// The coarse mesh as the last step left it (internal order), waiting for it; before the first step, and after
    /// [`Grid::bring_back`] and [`Grid::write`], as the grid is.
    fn projected(&mut self, vertices: &mut [Projected]) -> Result<GridStatus, Error>;

    /// Keeps the state of now under a number, to be brought back. The numbers are small.
    fn keep(&mut self, number: usize);

    /// Brings back what was kept under a number.
    fn bring_back(&mut self, number: usize);

    /// Hands on and takes a step with the time of each kernel measured; `None`, and no step, where that cannot be.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    fn profile(&mut self, _: &[VertexMove], _: &GridStep) -> Result<Option<crate::gpu::Profile>, Error> {
        Ok(None)
    }

    /// Copies the state out.
    fn read(&self) -> Result<GridState, Error>;

    /// Puts the particles somewhere.
    fn write(&mut self, state: &GridState);
}
