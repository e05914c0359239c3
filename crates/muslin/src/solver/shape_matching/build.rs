//! From a cloth and options to levels with regions: everything that is done once.

use glam::Vec4;

use super::gather::GatherRegions;
use super::level::{Regions, SolverLevel};
use super::stiffness::LevelStiffness;
use super::triangle::RestTriangle;
use super::triangle_sweep::triangle_sweep;
use super::{Cycle, ShapeMatching, ShapeMatchingSolver, Variant, edge};
use crate::Error;
use crate::cloth::{Cloth, Stretch};
use crate::hierarchy::{self, Hierarchy, Level, Nesting};
use crate::mesh::Topology;

impl ShapeMatching {
    /// Looks for options out of range and combinations that do not exist.
    fn check(&self, cloth: &Cloth) -> Result<(), Error> {
        self.hierarchy.check()?;
        if self.cycles == 0 {
            return Err(Error::Setting { field: "solver.cycles", value: 0.0, must_be: "at least 1" });
        }
        if self.variant == Variant::Paper && self.cycle != Cycle::V {
            return Err(Error::Unsupported { solver: "the paper variant", feature: "the sawtooth cycle" });
        }
        if self.variant != Variant::FullApproximation
            && matches!(cloth.material.stretch, Stretch::Physical { .. })
        {
            let feature = "physical stretch stiffness (only the full_approximation variant does)";
            return Err(Error::Unsupported { solver: "shape matching", feature });
        }
        Ok(())
    }

    /// Builds hierarchy, regions and transfers for steps of `dt` seconds.
    pub(crate) fn build(&self, cloth: &Cloth, dt: f64) -> Result<ShapeMatchingSolver, Error> {
        self.check(cloth)?;
        let hierarchy = hierarchy::build(&cloth.mesh, &cloth.fixed(), &self.hierarchy)?.in_bisection_order();
        let masses = level_masses(cloth, &hierarchy);
        let finest = hierarchy.levels.len() - 1;
        let mut stiffness = LevelStiffness::new(self, cloth, finest, dt);
        // Finest first, because what it cannot bring to bear goes on to the coarser ones.
        let mut levels: Vec<SolverLevel> = Vec::new();
        for (number, (level, masses)) in hierarchy.levels.iter().zip(&masses).enumerate().rev() {
            levels.push(self.level(level, masses, number == finest, &mut stiffness));
        }
        levels.reverse();
        let level_triangles = hierarchy.levels.iter().map(|level| level.triangles.len()).collect();
        Ok(ShapeMatchingSolver {
            variant: self.variant,
            cycle: self.cycle,
            cycles: self.cycles,
            levels,
            transfers: hierarchy.transfers,
            level_triangles,
        })
    }

    fn level(
        &self,
        level: &Level,
        masses: &[f64],
        finest: bool,
        stiffness: &mut LevelStiffness,
    ) -> SolverLevel {
        let topology = Topology::new(level.positions.len(), &level.triangles);
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let inverse_mass = |v: usize| if level.fixed[v] { 0.0 } else { (mean_mass / masses[v]) as f32 };
        let points: Vec<Vec4> =
            (0..masses.len()).map(|v| level.positions[v].as_vec3().extend(inverse_mass(v))).collect();
        SolverLevel {
            entry: points.clone(),
            points,
            finer_vertex: (!finest && self.hierarchy.nesting == Nesting::Nested)
                .then(|| level.finer_vertex.clone()),
            only_stretched: !finest && self.conserve_wrinkles,
            bending: stiffness.bending(level, &topology, masses, finest),
            regions: self.regions(level, &topology, masses, finest, stiffness),
        }
    }

    fn regions(
        &self,
        level: &Level,
        topology: &Topology,
        masses: &[f64],
        finest: bool,
        stiffness: &mut LevelStiffness,
    ) -> Regions {
        if finest && let Some(membrane) = stiffness.membrane(level, masses) {
            return Regions::Membrane(membrane);
        }
        let (alphas, betas) = stiffness.coefficients(level, topology, masses);
        let length =
            |[a, b]: &[u32; 2]| level.positions[*a as usize].distance(level.positions[*b as usize]) as f32;
        let rest_lengths: Vec<f32> = topology.edges.iter().map(length).collect();
        let corners = |t: &[u32; 3]| t.map(|v| level.positions[v as usize]);
        let rest: Vec<RestTriangle<f32>> =
            level.triangles.iter().map(|t| RestTriangle::new(corners(t))).collect();
        let edges = self.edges;
        let triangles = finest || self.variant != Variant::FullApproximation;
        match self.variant {
            Variant::Gather => {
                let (edge_list, triangle_list) = (topology.edges.clone(), level.triangles.clone());
                let regions = GatherRegions::new(
                    &level.positions,
                    edge_list,
                    rest_lengths,
                    betas,
                    triangle_list,
                    rest,
                    alphas,
                );
                Regions::Gather { regions: Box::new(regions), edges, triangles }
            }
            Variant::FullApproximation | Variant::Paper => Regions::Sweeps {
                edges: edges
                    .then(|| edge::edge_sweep(level.positions.len(), &topology.edges, &rest_lengths, &betas)),
                triangles: triangles
                    .then(|| triangle_sweep(&level.positions, &level.triangles, &rest, &alphas)),
            },
        }
    }
}

/// Masses per level in kg, coarsest first: P^T m, which keeps the momentum; eq. 1 evaluated on the
/// coarse meshes does not (errata 10).
fn level_masses(cloth: &Cloth, hierarchy: &Hierarchy) -> Vec<Vec<f64>> {
    let mut masses = vec![cloth.masses.clone()];
    for transfer in hierarchy.transfers.iter().rev() {
        masses.push(transfer.coarse_masses(&masses[masses.len() - 1]));
    }
    masses.reverse();
    masses
}
