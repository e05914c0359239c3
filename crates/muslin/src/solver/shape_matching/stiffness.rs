//! Who resists how much: the stiffness of every region on every level.

use glam::DVec3;

use super::regions::membrane::{MembraneStiffness, MembraneSweep};
use super::rest_length::RestSurface;
use super::{Cycle, ShapeMatching};
use crate::bending::hinges::Hinges;
use crate::cloth::threads::weft_directions;
use crate::cloth::{BendingForm, Cloth, Stretch};
use crate::hierarchy::Level;
use crate::math::csr::Csr;
use crate::mesh::Topology;
use crate::solver::resistance::brought_to_bear;

/// Hands out the stiffness of regions, level by level, finest first.
///
/// Coefficients α and β are the same everywhere. Physical stiffness must not be counted twice: in
/// the limit of small steps every pass on every level adds its force, so the passes share it. A
/// pass over regions that hold a mass m against a stiffness k can bring to bear about
/// k/(1 + k h²/m) of it; the rest goes to the next coarser level, whose regions are heavier. With
/// small steps nothing is left for coarse levels; with long ones each does what it can, and the sum
/// never exceeds k.
pub(super) struct LevelStiffness {
    stretch: Stretch,
    /// What is left of the physical stiffness along weft, along warp and in shear, 1 at first.
    shares: [f64; 3],
    /// What is left of the bending stiffness, N·m.
    bending: f64,
    /// Less than this is not worth a pass.
    least_bending: f64,
    /// Passes over a level per step: in a V-cycle on the way down and up.
    passes: f64,
    /// The same for coarse levels.
    coarse_passes: f64,
    dt: f64,
    /// Weft direction per finest triangle, and per vertex of the level in hand.
    triangle_weft: Vec<DVec3>,
    vertex_weft: Vec<DVec3>,
}

impl LevelStiffness {
    pub fn new(config: &ShapeMatching, cloth: &Cloth, finest: usize, dt: f64) -> Self {
        let physical = matches!(cloth.material.stretch, Stretch::Physical { .. });
        let triangle_weft = if physical { weft_directions(&cloth.mesh) } else { Vec::new() };
        let mean = |row: &[u32]| {
            row.iter().map(|&t| triangle_weft[t as usize]).sum::<DVec3>().normalize_or(DVec3::X)
        };
        let around: &Csr = &cloth.topology.vertex_triangles;
        let vertex_weft = if physical { around.iter().map(mean).collect() } else { Vec::new() };
        let per_cycle = if finest > 0 && config.cycle == Cycle::V { 2.0 } else { 1.0 };
        let passes = per_cycle * f64::from(config.cycles);
        let bending = match cloth.material.bending_form {
            BendingForm::Position => cloth.material.quadratic_bending(),
            BendingForm::Explicit => 0.0,
        };
        Self {
            stretch: cloth.material.stretch,
            shares: [1.0; 3],
            bending,
            least_bending: 0.02 * bending.max(f64::MIN_POSITIVE),
            passes,
            coarse_passes: passes * f64::from(config.coarse_passes),
            dt,
            triangle_weft,
            vertex_weft,
        }
    }

    /// A coarse level's part in bending. The finest level's own is a stage of the step, before the
    /// solver.
    pub fn bending(
        &mut self,
        surface: &RestSurface,
        topology: &Topology,
        masses: &[f64],
        inverse_masses: &[f32],
        finest: bool,
    ) -> Option<Hinges> {
        let passes = if finest { 1.0 } else { self.passes };
        if self.bending < self.least_bending || topology.hinges.is_empty() {
            return None;
        }
        let share = self.bending / passes;
        let RestSurface { rest, spread, .. } = surface;
        let hinges = Hinges::of_means(rest, spread, &topology.hinges, share, masses, self.dt);
        self.bending *= hinges.residual(inverse_masses);
        (!finest).then_some(hinges)
    }

    fn physical(&self, passes: f64) -> Option<MembraneStiffness> {
        let Stretch::Physical { weft, warp, shear } = self.stretch else { return None };
        let full = MembraneStiffness { weft: weft.into(), warp: warp.into(), shear: shear.into() };
        Some(full.scaled(self.shares.map(|share| share / passes)))
    }

    /// What a level could not bring to bear is left for coarser ones.
    fn take(&mut self, residual: [f64; 3]) {
        self.shares.iter_mut().zip(residual).for_each(|(share, residual)| *share *= residual);
    }

    /// The finest level's membrane, if the stiffness is physical.
    pub fn membrane(&mut self, level: &Level, masses: &[f64]) -> Option<MembraneSweep> {
        let stiffness = self.physical(self.passes)?;
        let Level { positions, triangles, fixed, .. } = level;
        let membrane =
            MembraneSweep::new(positions, triangles, &self.triangle_weft, masses, fixed, stiffness, self.dt);
        self.take(membrane.residual);
        Some(membrane)
    }

    /// α per triangle and β per edge of a level.
    pub fn coefficients(
        &mut self,
        level: &Level,
        topology: &Topology,
        masses: &[f64],
    ) -> (Vec<f32>, Vec<f32>) {
        match (self.stretch, self.physical(self.coarse_passes)) {
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
        let left = fractions.iter().map(|&taken| 1.0 - brought_to_bear(taken));
        self.take([left.sum::<f64>() / fractions.len() as f64; 3]);
        fractions.iter().map(|&f| f as f32).collect()
    }
}
