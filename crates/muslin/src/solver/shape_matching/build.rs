//! From a plan to levels that the CPU works on.

use glam::Vec4;

use super::level::{Regions, SolverLevel};
use super::plan::{LevelPlan, Plan};
use super::regions::edge;
use super::regions::edge_limit::EdgeLimits;
use super::regions::gather::GatherRegions;
use super::regions::triangle_sweep::triangle_sweep;
use super::weighed::Weighed;
use super::{ShapeMatching, ShapeMatchingSolver};
use crate::Error;
use crate::bending::PositionBending;
use crate::bending::gather::GatherBending;
use crate::bending::quadratic::QuadraticBending;
use crate::cloth::Cloth;
use crate::hierarchy::Nesting;
use crate::state::Point;

impl ShapeMatching {
    /// Builds hierarchy, regions and transfers for steps of `dt` seconds.
    pub(crate) fn build<P: Point>(&self, cloth: &Cloth, dt: f64) -> Result<ShapeMatchingSolver<P>, Error> {
        let Plan { levels, transfers, restrictions } = self.plan(cloth, dt, self.averages())?;
        let limits = cloth.material.strain_limit.and_then(|limit| {
            let LevelPlan { level, topology, rest_lengths, membrane, .. } = levels.last()?;
            let new = || EdgeLimits::new(level.positions.len(), &topology.edges, rest_lengths, limit);
            membrane.as_ref().map(|_| new())
        });
        Ok(ShapeMatchingSolver {
            variant: self.variant,
            cycle: self.cycle,
            cycles: self.cycles,
            level_triangles: levels.iter().map(|plan| plan.level.triangles.len()).collect(),
            levels: levels.into_iter().map(|plan| self.level(plan)).collect(),
            limits,
            is_drawn_out: false,
            weighed: Weighed::default(),
            transfers,
            restrictions,
        })
    }

    fn level<P: Point>(&self, plan: LevelPlan) -> SolverLevel<P> {
        let positions = plan.level.positions.iter().zip(&plan.inverse_masses);
        let points: Vec<P> = positions.map(|(position, &w)| P::at(position.as_vec3().extend(w))).collect();
        let bending = plan.hinges.as_ref().map(|hinges| match self.averages() {
            true => PositionBending::Gather(GatherBending::new(&plan.inverse_masses, hinges)),
            false => PositionBending::Sweep(QuadraticBending::new(points.len(), hinges)),
        });
        let coarse = !plan.level.finer_vertex.is_empty();
        SolverLevel {
            entry: vec![Vec4::ZERO; points.len()],
            normals: Vec::new(),
            points,
            mean_mass: plan.mean_mass,
            finer_vertex: (coarse && self.hierarchy.nesting == Nesting::Nested)
                .then(|| plan.level.finer_vertex.clone()),
            only_stretched: plan.only_stretched,
            passes: plan.passes,
            edge_factors: plan.edge_factors.clone(),
            bending,
            regions: self.regions(plan),
        }
    }

    fn regions(&self, plan: LevelPlan) -> Regions {
        if let Some(membrane) = plan.membrane {
            return Regions::Membrane(membrane);
        }
        let (edges, triangles) = (plan.edges, plan.triangles);
        if self.averages() {
            return Regions::Gather { regions: Box::new(GatherRegions::new(plan)), edges, triangles };
        }
        let LevelPlan { level, topology, rest_lengths, betas, rest_triangles, alphas, .. } = &plan;
        Regions::Sweeps {
            edges: edges
                .then(|| edge::edge_sweep(level.positions.len(), &topology.edges, rest_lengths, betas)),
            triangles: triangles
                .then(|| triangle_sweep(&level.positions, &level.triangles, rest_triangles, alphas)),
        }
    }
}
