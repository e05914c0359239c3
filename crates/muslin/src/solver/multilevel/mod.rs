//! Multilevel cloth \[Schmitt2013\]: a coarse triangle mesh that collides, coupled to a fine grid of particles that
//! folds.
//!
//! The cloth's own mesh is the coarse one. `charts` lays it into the plane, `lattice` covers it with a regular grid
//! (all patches in one atlas), `levels` thins that out. In a step what the coarse mesh met (collisions, wind) is sampled
//! into the grid, the grid is moved and relaxed from its coarsest level to its finest (`cycle`: `constraints` and `seams`
//! within `bounds`), and its particles are projected onto the coarse mesh, which then collides. The paper begins that circle at
//! the projection; here a step ends with collisions, so that what users see at its end does not collide.
//!
//! A grid works on the CPU (`cpu`) or on a GPU (`gpu/grid`), stage for stage the same.
//!
//! Limits: only what the coarse mesh meets is met: folds of the grid that are finer than its triangles may pass into
//! each other, into other cloth and rigid bodies. Tethers to pins act on all levels, and so do contacts with colliders.

pub(crate) mod bounds;
pub(crate) mod build;
pub(crate) mod charts;
pub(crate) mod constraints;
pub(crate) mod cpu;
pub(crate) mod cycle;
pub(crate) mod fine_mesh;
pub(crate) mod grid;
pub(crate) mod lattice;
mod layout;
pub(crate) mod levels;
mod options;
mod own_particles;
mod pins;
pub(crate) mod round_trip;
pub(crate) mod seams;
pub(crate) mod snap;
mod stages;
#[cfg(test)]
pub(crate) mod test_meshes;

use std::sync::{Arc, Mutex};

use glam::{Vec3, Vec4};

use crate::Error;
use crate::cloth::{Cloth, Damping};
use crate::simulation::Settings;
use crate::solver::Near;
use build::Built;
use charts::Charts;
pub use charts::{ChartError, Distortion, Parameterisation};
use cpu::CpuGrid;
pub(crate) use fine_mesh::FineMesh;
use grid::{Grid, GridModel, Projected, VertexMove};
pub use lattice::LatticeError;
pub use layout::GridLayout;
pub use options::{LevelChoice, Multilevel, Scheme};
pub use own_particles::FineState;
use pins::HeldPins;
pub use round_trip::{RoundTrip, round_trip_error};
pub use snap::snapped;

/// Iterations on the finest level in the first step, where the strain limit decides.
const FIRST_ITERATIONS: u32 = 16;
/// How far off colliders matter to the grid, in mean edges of the coarse mesh: a particle is less than one from the
/// vertices that it hears of them by.
const REACH: f64 = 1.5;

/// What the grid did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct GridReport {
    /// Iterations on the finest level, of the last substep.
    pub iterations: u32,
    /// The largest strain along a thread after a substep, as a fraction.
    pub strain: f32,
    /// How often a particle of the grid was lost and put back at rest.
    pub contained: u32,
}

/// What the next step needs to know of the last, beside the grid.
#[derive(Clone, Debug)]
struct Pace {
    /// How often the grid has been moved.
    taken: u64,
    /// Seconds that the last step took; 0 after a start.
    last_step: f64,
    /// On the finest level.
    iterations: u32,
    /// Velocities at its end: what they are beyond that at the start of the next is wind.
    velocities: Vec<Vec4>,
    /// What collisions changed of the coarse mesh after the grid was projected and had gone on.
    under_way: Vec<Vec3>,
}

/// The solver, built for one cloth.
pub(crate) struct MultilevelSolver {
    options: Multilevel,
    model: Arc<GridModel>,
    grid: Box<dyn Grid>,
    /// In the user's numbering.
    pub(crate) fine: FineMesh,
    pub(crate) layout: GridLayout,
    /// The cloth's own rest shape.
    rest: Vec<Vec3>,
    pins: HeldPins,
    physics: Physics,
    pace: Pace,
    kept: Vec<Pace>,
    /// Length of the step that is on, seconds.
    dt: f64,
    /// The coarse mesh as the grid left it.
    projected: Vec<Projected>,
    moves: Vec<VertexMove>,
    /// What is near the coarse mesh; empty if nothing is.
    near: Vec<Near>,
    /// How far from the coarse mesh that matters, metres.
    reach: f32,
    pub(crate) report: GridReport,
    fault: Option<Error>,
    /// After which step, and the state then.
    last_read: Mutex<Option<(u64, Arc<FineState>)>>,
}

/// What moves a grid, beside the coarse mesh.
struct Physics {
    gravity: Vec3,
    /// m/s.
    max_speed: f32,
    /// Metres.
    bounds: f32,
    /// B/(m h²) along weft and warp, 1/s².
    bending: [f64; 2],
    /// 1/s.
    damping: f32,
}

impl Multilevel {
    /// Builds the solver on the CPU.
    pub(crate) fn build(&self, cloth: &Cloth, settings: &Settings) -> Result<MultilevelSolver, Error> {
        let built = self.grid(cloth)?;
        let grid = Box::new(CpuGrid::new(Arc::clone(&built.model), &built.state));
        Ok(MultilevelSolver::new(self, cloth, settings, built, grid))
    }
}

impl MultilevelSolver {
    /// A solver that leaves the work to a grid.
    pub(crate) fn new(
        options: &Multilevel,
        cloth: &Cloth,
        settings: &Settings,
        built: Built,
        grid: Box<dyn Grid>,
    ) -> Self {
        let Built { model, state, fine, charts } = built;
        let material = &cloth.material;
        let stiffness = options.bending.unwrap_or([material.bending; 2]).map(f64::from);
        let spacing = model.lattice.spacing;
        let per_particle = f64::from(material.density) * spacing.powi(4);
        let physics = Physics {
            gravity: settings.gravity,
            max_speed: settings.max_speed,
            bounds: settings.bounds,
            bending: stiffness.map(|stiffness| stiffness / per_particle),
            damping: if let Damping::Deformation { rate } = material.damping { rate } else { 0.0 },
        };
        let vertices = cloth.vertex_count();
        Self {
            pins: HeldPins::new(cloth, &model, &state),
            layout: GridLayout::new(&model, &charts),
            pace: Pace {
                taken: 0,
                last_step: 0.0,
                iterations: options.iterations.unwrap_or(FIRST_ITERATIONS.min(options.most_iterations)),
                velocities: vec![Vec4::ZERO; vertices],
                under_way: vec![Vec3::ZERO; vertices],
            },
            rest: cloth.mesh.positions.clone(),
            options: options.clone(),
            model,
            grid,
            fine,
            physics,
            kept: Vec::new(),
            dt: settings.substep_length(),
            projected: cloth.start.iter().map(|&place| Projected { place, ..Projected::default() }).collect(),
            moves: vec![VertexMove::default(); vertices],
            near: Vec::new(),
            reach: (REACH * mean_edge(&charts)) as f32,
            report: GridReport::default(),
            fault: None,
            last_read: Mutex::new(None),
        }
    }
}

/// The mean length of the charts' triangle sides, metres.
pub(crate) fn mean_edge(charts: &Charts) -> f64 {
    let lengths = |&[a, b, c]: &[glam::DVec2; 3]| a.distance(b) + b.distance(c) + c.distance(a);
    charts.uvs.iter().map(lengths).sum::<f64>() / (3 * charts.uvs.len()) as f64
}
