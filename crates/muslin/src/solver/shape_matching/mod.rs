//! Multi-resolution shape matching [Bender2013] §4.
//!
//! Regions are triangles (2D) and edges (1D) on every level of a mesh hierarchy. A V-cycle visits
//! the levels; on each, every region pulls its points towards its own undeformed shape. Three named
//! variants exist because the paper's text, its GPU program and the best use of its idea differ;
//! `docs/papers/bender2013.md` compares them.

mod edge;
mod gather;
mod level;
mod triangle;
mod vcycle;

use glam::Vec4;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::cloth::{Cloth, Stretch};
use crate::diagnostics::timings::Timings;
use crate::execution::Execution;
use crate::hierarchy::{self, Hierarchy, HierarchyOptions, Level, Nesting, Transfer};
use crate::mesh::Topology;
use crate::solver::Solver;
use gather::GatherRegions;
use level::{Regions, SolverLevel};
use triangle::RestTriangle;

/// Which form of the method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Full approximation scheme, Gauss-Seidel, edges on coarse levels and triangles on the finest:
    /// the stiffest per millisecond.
    #[default]
    FullApproximation,
    /// The V-cycle as printed, Gauss-Seidel, edges and triangles on all levels: reproduces the
    /// paper's Table 3.
    Paper,
    /// Full approximation scheme with regions averaged per vertex, edges and triangles on all
    /// levels: what a GPU does.
    Gather,
}

/// Options of the solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShapeMatching {
    /// Which form of the method.
    pub variant: Variant,
    /// The mesh hierarchy.
    pub hierarchy: HierarchyOptions,
    /// Whether 1D regions (edges) are used besides the triangles.
    pub edges: bool,
    /// Whether coarse levels leave compressed regions alone, so that fine wrinkles survive.
    pub conserve_wrinkles: bool,
    /// V-cycles per step.
    pub cycles: u32,
}

impl Default for ShapeMatching {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            hierarchy: HierarchyOptions::default(),
            edges: true,
            conserve_wrinkles: true,
            cycles: 1,
        }
    }
}

/// The solver, built for one cloth.
pub(crate) struct ShapeMatchingSolver {
    variant: Variant,
    cycles: u32,
    /// Coarsest first.
    levels: Vec<SolverLevel>,
    transfers: Vec<Transfer>,
    level_triangles: Vec<usize>,
}

impl ShapeMatching {
    /// Looks for options out of range.
    fn check(&self) -> Result<(), Error> {
        self.hierarchy.check()?;
        if self.cycles == 0 {
            return Err(Error::Setting { field: "solver.cycles", value: 0.0, must_be: "at least 1" });
        }
        Ok(())
    }

    /// Builds hierarchy, regions and transfers.
    pub(crate) fn build(&self, cloth: &Cloth, _dt: f64) -> Result<ShapeMatchingSolver, Error> {
        self.check()?;
        let hierarchy = hierarchy::build(&cloth.mesh, &cloth.fixed(), &self.hierarchy)?.in_bisection_order();
        let masses = self.level_masses(cloth, &hierarchy);
        let finest = hierarchy.levels.len() - 1;
        let levels = hierarchy.levels.iter().zip(&masses).enumerate();
        let levels = levels.map(|(l, (level, masses))| self.level(level, masses, cloth, l == finest)).collect();
        let level_triangles = hierarchy.levels.iter().map(|level| level.triangles.len()).collect();
        Ok(ShapeMatchingSolver {
            variant: self.variant,
            cycles: self.cycles,
            levels,
            transfers: hierarchy.transfers,
            level_triangles,
        })
    }

    /// Masses per level, coarsest first. Restricted ones keep the momentum (errata 10); the paper
    /// evaluates eq. 1 on each mesh.
    fn level_masses(&self, cloth: &Cloth, hierarchy: &Hierarchy) -> Vec<Vec<f64>> {
        let mut masses = vec![cloth.masses.clone()];
        for transfer in hierarchy.transfers.iter().rev() {
            masses.push(transfer.coarse_masses(&masses[masses.len() - 1]));
        }
        masses.reverse();
        masses
    }

    fn level(&self, level: &Level, masses: &[f64], cloth: &Cloth, finest: bool) -> SolverLevel {
        let Stretch::Coefficients { alpha, beta } = cloth.material.stretch else { todo!() };
        let edges = Topology::new(level.positions.len(), &level.triangles).edges;
        let length = |[a, b]: &[u32; 2]| level.positions[*a as usize].distance(level.positions[*b as usize]) as f32;
        let rest_lengths: Vec<f32> = edges.iter().map(length).collect();
        let rest: Vec<RestTriangle<f32>> =
            level.triangles.iter().map(|t| RestTriangle::new(t.map(|v| level.positions[v as usize]))).collect();
        let (alphas, betas) = (vec![alpha; rest.len()], vec![beta; edges.len()]);
        let with_edges = self.edges;
        let with_triangles = finest || self.variant != Variant::FullApproximation;
        let regions = match self.variant {
            Variant::Gather => Regions::Gather {
                regions: Box::new(GatherRegions::new(
                    &level.positions,
                    edges,
                    rest_lengths,
                    betas,
                    level.triangles.clone(),
                    rest,
                    alphas,
                )),
                edges: with_edges,
                triangles: with_triangles,
            },
            _ => Regions::Sweeps {
                edges: with_edges.then(|| edge::edge_sweep(level.positions.len(), &edges, &rest_lengths, &betas)),
                triangles: with_triangles
                    .then(|| triangle::triangle_sweep(&level.positions, &level.triangles, &rest, &alphas)),
            },
        };
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let inverse_mass = |v: usize| if level.fixed[v] { 0.0 } else { (mean_mass / masses[v]) as f32 };
        let points: Vec<Vec4> =
            (0..masses.len()).map(|v| level.positions[v].as_vec3().extend(inverse_mass(v))).collect();
        SolverLevel {
            entry: points.clone(),
            points,
            finer_vertex: (!finest && self.hierarchy.nesting == Nesting::Nested).then(|| level.finer_vertex.clone()),
            only_stretched: !finest && self.conserve_wrinkles,
            regions,
        }
    }
}

impl Solver for ShapeMatchingSolver {
    fn solve(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings) {
        let finest = self.levels.len() - 1;
        // The finest level works on the state itself.
        std::mem::swap(&mut self.levels[finest].points, points);
        for _ in 0..self.cycles {
            match self.variant {
                Variant::Paper => vcycle::printed(&mut self.levels, &self.transfers, execution, timings),
                Variant::FullApproximation | Variant::Gather => {
                    vcycle::full_approximation(&mut self.levels, &self.transfers, execution, timings);
                }
            }
        }
        std::mem::swap(&mut self.levels[finest].points, points);
    }

    fn level_triangles(&self) -> Vec<usize> {
        self.level_triangles.clone()
    }
}
