//! From a cloth and options to levels with regions: everything that is done once.

use glam::{DVec3, Vec4};

use super::gather::GatherRegions;
use super::level::{Regions, SolverLevel};
use super::membrane::{MembraneStiffness, MembraneSweep};
use super::triangle::{RestTriangle, triangle_sweep};
use super::{ShapeMatching, ShapeMatchingSolver, Variant, edge};
use crate::Error;
use crate::cloth::threads::weft_directions;
use crate::bending::quadratic::QuadraticBending;
use crate::cloth::{BendingForm, Cloth, Stretch};
use crate::hierarchy::{self, Hierarchy, Level, Nesting};
use crate::math::csr::Csr;
use crate::mesh::Topology;

impl ShapeMatching {
    /// Looks for options out of range and combinations that do not exist.
    fn check(&self, cloth: &Cloth) -> Result<(), Error> {
        self.hierarchy.check()?;
        if self.cycles == 0 {
            return Err(Error::Setting { field: "solver.cycles", value: 0.0, must_be: "at least 1" });
        }
        if self.variant != Variant::FullApproximation && matches!(cloth.material.stretch, Stretch::Physical { .. }) {
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
            cycles: self.cycles,
            levels,
            transfers: hierarchy.transfers,
            level_triangles,
        })
    }

    fn level(&self, level: &Level, masses: &[f64], finest: bool, stiffness: &mut LevelStiffness) -> SolverLevel {
        let topology = Topology::new(level.positions.len(), &level.triangles);
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let inverse_mass = |v: usize| if level.fixed[v] { 0.0 } else { (mean_mass / masses[v]) as f32 };
        let points: Vec<Vec4> =
            (0..masses.len()).map(|v| level.positions[v].as_vec3().extend(inverse_mass(v))).collect();
        SolverLevel {
            entry: points.clone(),
            points,
            finer_vertex: (!finest && self.hierarchy.nesting == Nesting::Nested).then(|| level.finer_vertex.clone()),
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
        let length = |[a, b]: &[u32; 2]| level.positions[*a as usize].distance(level.positions[*b as usize]) as f32;
        let rest_lengths: Vec<f32> = topology.edges.iter().map(length).collect();
        let corners = |t: &[u32; 3]| t.map(|v| level.positions[v as usize]);
        let rest: Vec<RestTriangle<f32>> = level.triangles.iter().map(|t| RestTriangle::new(corners(t))).collect();
        let edges = self.edges;
        let triangles = finest || self.variant != Variant::FullApproximation;
        match self.variant {
            Variant::Gather => {
                let (edge_list, triangle_list) = (topology.edges.clone(), level.triangles.clone());
                let regions =
                    GatherRegions::new(&level.positions, edge_list, rest_lengths, betas, triangle_list, rest, alphas);
                Regions::Gather { regions: Box::new(regions), edges, triangles }
            }
            Variant::FullApproximation | Variant::Paper => Regions::Sweeps {
                edges: edges.then(|| edge::edge_sweep(level.positions.len(), &topology.edges, &rest_lengths, &betas)),
                triangles: triangles.then(|| triangle_sweep(&level.positions, &level.triangles, &rest, &alphas)),
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

/// Hands out the stiffness of regions, level by level, finest first.
///
/// Coefficients α and β are the same everywhere. Physical stiffness must not be counted twice: in
/// the limit of small steps every pass on every level adds its force, so the passes share it. A
/// pass over regions that hold a mass m against a stiffness k can bring to bear about
/// k/(1 + k h²/m) of it; the rest goes to the next coarser level, whose regions are heavier. With
/// small steps nothing is left for coarse levels; with long ones each does what it can, and the sum
/// never exceeds k.
struct LevelStiffness {
    stretch: Stretch,
    /// What is left of the physical stiffness, 1 at first.
    share: f64,
    /// What is left of the bending stiffness, N·m.
    bending: f64,
    /// Less than this is not worth a pass.
    least_bending: f64,
    /// Passes over a level per step: twice on the way down and up, once on the coarsest.
    passes: f64,
    dt: f64,
    /// Weft direction per finest triangle, and per vertex of the level in hand.
    triangle_weft: Vec<DVec3>,
    vertex_weft: Vec<DVec3>,
}

impl LevelStiffness {
    fn new(config: &ShapeMatching, cloth: &Cloth, finest: usize, dt: f64) -> Self {
        let physical = matches!(cloth.material.stretch, Stretch::Physical { .. });
        let triangle_weft = if physical { weft_directions(&cloth.mesh) } else { Vec::new() };
        let mean = |row: &[u32]| row.iter().map(|&t| triangle_weft[t as usize]).sum::<DVec3>().normalize_or(DVec3::X);
        let around: &Csr = &cloth.topology.vertex_triangles;
        let vertex_weft = if physical { around.iter().map(mean).collect() } else { Vec::new() };
        let per_cycle = if finest == 0 { 1.0 } else { 2.0 };
        let passes = per_cycle * f64::from(config.cycles);
        let bending = match cloth.material.bending_form {
            BendingForm::Position => f64::from(cloth.material.bending),
            BendingForm::Explicit => 0.0,
        };
        Self { stretch: cloth.material.stretch, share: 1.0, bending, least_bending: 0.02 * bending.max(f64::MIN_POSITIVE), passes, dt, triangle_weft, vertex_weft }
    }

    /// A coarse level's part in bending. The finest level's own is a stage of the step, before the
    /// solver.
    fn bending(&mut self, level: &Level, topology: &Topology, masses: &[f64], finest: bool) -> Option<QuadraticBending> {
        let passes = if finest { 1.0 } else { self.passes };
        if self.bending < self.least_bending || topology.hinges.is_empty() {
            return None;
        }
        let share = self.bending / passes;
        let bending = QuadraticBending::new(&level.positions, &topology.hinges, share, masses, self.dt);
        self.bending *= bending.residual;
        (!finest).then_some(bending)
    }

    fn physical(&self) -> Option<MembraneStiffness> {
        let Stretch::Physical { weft, warp, shear } = self.stretch else { return None };
        let full = MembraneStiffness { weft: weft.into(), warp: warp.into(), shear: shear.into() };
        Some(full.scaled(self.share / self.passes))
    }

    /// The finest level's membrane, if the stiffness is physical.
    fn membrane(&mut self, level: &Level, masses: &[f64]) -> Option<MembraneSweep> {
        let stiffness = self.physical()?;
        let Level { positions, triangles, fixed, .. } = level;
        let membrane = MembraneSweep::new(positions, triangles, &self.triangle_weft, masses, fixed, stiffness, self.dt);
        self.share *= membrane.residual;
        Some(membrane)
    }

    /// α per triangle and β per edge of a level.
    fn coefficients(&mut self, level: &Level, topology: &Topology, masses: &[f64]) -> (Vec<f32>, Vec<f32>) {
        match (self.stretch, self.physical()) {
            (Stretch::Coefficients { alpha, beta }, _) => {
                (vec![alpha; level.triangles.len()], vec![beta; topology.edges.len()])
            }
            (_, Some(stiffness)) => (Vec::new(), self.edge_compliance(level, topology, masses, stiffness)),
            (_, None) => (Vec::new(), Vec::new()),
        }
    }

    /// β of coarse edges that together resist like a membrane.
    ///
    /// An edge with a third of its triangles' area A gets the spring constant (8/3) k A/l²: a strain
    /// in one direction is shared by edges of all directions θ as cos²θ, and the mean of cos⁴θ
    /// is 3/8. A spring of constant κ between masses of inverse w takes the fraction
    /// 1/(1 + 1/(κ h² (w_a + w_b))) out of its strain in one pass.
    fn edge_compliance(
        &mut self,
        level: &Level,
        topology: &Topology,
        masses: &[f64],
        stiffness: MembraneStiffness,
    ) -> Vec<f32> {
        self.vertex_weft = level.finer_vertex.iter().map(|&v| self.vertex_weft[v as usize]).collect();
        let area = |t: &u32| {
            let [a, b, c] = level.triangles[*t as usize].map(|v| level.positions[v as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let inverse = |v: u32| if level.fixed[v as usize] { 0.0 } else { 1.0 / masses[v as usize] };
        let fraction = |(e, &[a, b]): (usize, &[u32; 2])| {
            let along = level.positions[b as usize] - level.positions[a as usize];
            let weft = (self.vertex_weft[a as usize] + self.vertex_weft[b as usize]).normalize_or(DVec3::X);
            let third: f64 = topology.edge_triangles.row(e).iter().map(area).sum::<f64>() / 3.0;
            let k = stiffness.along(along.normalize_or(DVec3::X).dot(weft).clamp(-1.0, 1.0));
            let spring = 8.0 / 3.0 * k * third / along.length_squared();
            let strength = spring * self.dt * self.dt * (inverse(a) + inverse(b));
            strength / (1.0 + strength)
        };
        let fractions: Vec<f64> = topology.edges.iter().enumerate().map(fraction).collect();
        self.share *= fractions.iter().sum::<f64>() / fractions.len() as f64;
        fractions.iter().map(|&f| f as f32).collect()
    }
}
