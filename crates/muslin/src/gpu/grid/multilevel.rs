//! Multilevel cloth whose grid is on a GPU: a simulation like any other, which collides in a world.

use std::sync::Arc;

use super::GpuGrid;
use crate::cloth::Cloth;
use crate::gpu::Gpu;
use crate::simulation::{Settings, Simulation};
use crate::solver::SolverConfig;
use crate::solver::multilevel::MultilevelSolver;
use crate::{Error, Feature};

/// A simulation of multilevel cloth with its grid on a GPU. Only for [`SolverConfig::Multilevel`]; cloth of other solvers
/// moves on a GPU by itself, as a [`GpuSimulation`](crate::gpu::GpuSimulation).
pub fn multilevel(gpu: &Gpu, cloth: Cloth, settings: Settings) -> Result<Simulation, Error> {
    settings.check()?;
    let SolverConfig::Multilevel(options) = &settings.solver else {
        let what = "other methods than multilevel here: these have a GpuSimulation";
        return Err(Error::Unsupported { by: "a grid on the GPU", feature: Feature::Method, what });
    };
    let built = options.grid(&cloth)?;
    let grid = Box::new(GpuGrid::new(gpu, Arc::clone(&built.model), &built.state)?);
    let solver = MultilevelSolver::new(options, &cloth, &settings, built, grid);
    Simulation::at_start(cloth, settings)?.moved_by(Box::new(solver))
}
