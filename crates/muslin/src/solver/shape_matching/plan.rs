//! From a cloth and options to levels: everything that is decided once, for every back end.
//!
//! Input: a cloth, [`ShapeMatching`], the step. Output: [`Plan`]: per level the mesh, the masses, the rest
//! data of its regions and their stiffness.

use glam::DVec3;

use super::regions::membrane::MembraneSweep;
use super::regions::triangle::RestTriangle;
use super::rest_length::RestSurface;
use super::restriction::Restriction;
use super::stiffness::LevelStiffness;
use super::{Cycle, ShapeMatching, Variant};
use crate::bending::hinges::Hinges;
use crate::cloth::{Cloth, Stretch};
use crate::hierarchy::{self, Hierarchy, Level, Transfer, vertex_normals};
use crate::mesh::Topology;
use crate::{Error, Feature};

/// Averaged triangles overshoot with more over-relaxation than this.
const MOST_ON_TRIANGLES: f32 = 1.8;

/// The largest factor on averaged edges that an inner vertex bears.
const MOST_ON_EDGES: f32 = 4.0;

/// The share of a stretch that the mean over a vertex's edges undoes: at the most three quarters on a straight
/// boundary and half inside; what it undoes less of than the lower end is left to coarser levels.
const UNDONE_BY_A_MEAN: [f64; 2] = [0.05, 0.8];

/// With more passes than this, Chebyshev's last factors magnify rounding and bends until a cloth flies apart
/// (measured: 14 held, 25 did not).
const MOST_EDGE_PASSES: u32 = 8;

/// The levels of a cloth and what carries values between them.
pub(crate) struct Plan {
    /// Coarsest first.
    pub levels: Vec<LevelPlan>,
    /// `transfers[l]` goes between `levels[l]` and `levels[l + 1]`.
    pub transfers: Vec<Transfer>,
    /// The same way down: where points of `levels[l]` begin.
    pub restrictions: Vec<Restriction>,
}

/// A level with its regions.
pub(crate) struct LevelPlan {
    pub level: Level,
    pub topology: Topology,
    /// Where the level's points are when the cloth is at rest, metres.
    #[cfg_attr(not(feature = "gpu"), allow(dead_code))]
    pub rest: Vec<DVec3>,
    /// Relative to the level's mean mass; 0: fixed.
    pub inverse_masses: Vec<f32>,
    /// kg.
    pub mean_mass: f64,
    /// Whether 1D regions are used.
    pub edges: bool,
    /// Lengths of the edges of the topology, along the surface, metres.
    pub rest_lengths: Vec<f32>,
    /// β per edge.
    pub betas: Vec<f32>,
    /// Factors on β, one per pass over the edges.
    pub edge_factors: Vec<f32>,
    /// Whether 2D regions are used.
    pub triangles: bool,
    /// The flat shapes of the level's triangles.
    pub rest_triangles: Vec<RestTriangle<f32>>,
    /// α per triangle.
    pub alphas: Vec<f32>,
    /// Takes the place of all regions where stretch has a physical stiffness.
    pub(super) membrane: Option<MembraneSweep>,
    /// Compressed regions are left alone, so that finer levels keep their wrinkles.
    pub only_stretched: bool,
    /// How often a visit goes over the edges, with their factors, and then over the triangles.
    pub passes: u32,
    /// The part of the bending stiffness that finer levels could not bring to bear.
    pub hinges: Option<Hinges>,
}

impl ShapeMatching {
    /// Looks for options out of range and combinations that do not exist.
    fn check(&self, cloth: &Cloth, averaged: bool) -> Result<(), Error> {
        self.hierarchy.check()?;
        if self.cycles == 0 {
            return Err(Error::Setting { field: "solver.cycles", value: 0.0, must_be: "at least 1" });
        }
        if self.coarse_passes == 0 {
            return Err(Error::Setting { field: "solver.coarse_passes", value: 0.0, must_be: "at least 1" });
        }
        if !(1..=MOST_EDGE_PASSES).contains(&self.edge_passes) {
            let (field, value) = ("solver.edge_passes", self.edge_passes.into());
            return Err(Error::Setting { field, value, must_be: "between 1 and 8" });
        }
        let factor = self.over_relaxation;
        if !(factor > 0.0 && factor < MOST_ON_EDGES) {
            let (field, must_be) = ("solver.over_relaxation", "above 0 and below 4");
            return Err(Error::Setting { field, value: factor.into(), must_be });
        }
        if self.variant == Variant::Paper && self.cycle != Cycle::V {
            let (by, feature, what) = ("the paper variant", Feature::Cycle, "the sawtooth cycle");
            return Err(Error::Unsupported { by, feature, what });
        }
        if self.variant == Variant::Paper && averaged {
            let (by, feature, what) = ("the paper variant", Feature::Order, "the order jacobi");
            return Err(Error::Unsupported { by, feature, what });
        }
        if (self.variant == Variant::Paper || averaged)
            && matches!(cloth.material.stretch, Stretch::Physical { .. })
        {
            let feature = if averaged { Feature::Order } else { Feature::Variant };
            let what =
                "physical stretch stiffness (only the full_approximation variant does, by gauss_seidel)";
            return Err(Error::Unsupported { by: "shape matching", feature, what });
        }
        Ok(())
    }

    /// Plans hierarchy, regions and transfers for steps of `dt` seconds; `averaged` says whether regions are.
    pub(crate) fn plan(&self, cloth: &Cloth, dt: f64, averaged: bool) -> Result<Plan, Error> {
        self.check(cloth, averaged)?;
        if self.over_relaxation != 1.0 && !averaged {
            let (by, what) = ("shape matching on the CPU", "over-relaxation where regions are not averaged");
            return Err(Error::Unsupported { by, feature: Feature::OverRelaxation, what });
        }
        let hierarchy = hierarchy::build(&cloth.mesh, &cloth.fixed(), &self.hierarchy)?.in_bisection_order();
        let (masses, restrictions) = restrictions(cloth, &hierarchy, self.variant);
        let finest = hierarchy.levels.len() - 1;
        let mut stiffness = LevelStiffness::new(self, cloth, finest, dt);
        let surface_normals = vertex_normals(&cloth.rest, &cloth.mesh.triangles);
        let normals = |number: usize| match self.variant {
            Variant::Paper => vec![DVec3::ZERO; masses[number].len()],
            _ => hierarchy.finest_vertices(number).iter().map(|&v| surface_normals[v as usize]).collect(),
        };
        let surfaces = RestSurface::of_levels(&hierarchy, &restrictions, normals);
        // Finest first, because what it cannot bring to bear goes on to the coarser ones.
        let Hierarchy { levels, transfers, .. } = hierarchy;
        let numbered = levels.into_iter().zip(&masses).zip(surfaces).enumerate().rev();
        let mut levels: Vec<LevelPlan> = numbered
            .map(|(number, ((level, masses), surface))| {
                let finest = number == finest;
                let factors =
                    if finest { self.finest_edge_factors(averaged) } else { vec![self.over_relaxation] };
                let plan = self.plan_level(level, masses, surface, finest, &mut stiffness);
                LevelPlan { edge_factors: factors, ..plan }
            })
            .collect();
        levels.reverse();
        Ok(Plan { levels, transfers, restrictions })
    }

    fn finest_edge_factors(&self, averaged: bool) -> Vec<f32> {
        match self.edge_passes {
            1 => vec![self.over_relaxation],
            passes if averaged => chebyshev_factors(passes),
            passes => vec![1.0; passes as usize],
        }
    }

    /// `masses` in kg.
    fn plan_level(
        &self,
        level: Level,
        masses: &[f64],
        surface: RestSurface,
        finest: bool,
        stiffness: &mut LevelStiffness,
    ) -> LevelPlan {
        let topology = Topology::new(level.positions.len(), &level.triangles);
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let inverse_mass = |v: usize| if level.fixed[v] { 0.0 } else { (mean_mass / masses[v]) as f32 };
        let inverse_masses: Vec<f32> = (0..masses.len()).map(inverse_mass).collect();
        let hinges = stiffness.bending(&surface, &topology, masses, &inverse_masses, finest);
        let membrane = if finest { stiffness.membrane(&level, masses) } else { None };
        let (alphas, betas) = match membrane {
            Some(_) => (Vec::new(), Vec::new()),
            None => stiffness.coefficients(&level, &topology, masses),
        };
        let factor = self.over_relaxation;
        let alphas = alphas.into_iter().map(|a| a * factor.min(MOST_ON_TRIANGLES)).collect();
        let only_stretched = !finest && self.conserve_wrinkles;
        let triangles = finest || self.variant == Variant::Paper;
        let length = |&ends: &[u32; 2]| surface.rest_length(ends, only_stretched) as f32;
        let corners = |t: &[u32; 3]| t.map(|v| surface.rest[v as usize]);
        LevelPlan {
            inverse_masses,
            mean_mass,
            edges: self.edges,
            rest_lengths: topology.edges.iter().map(length).collect(),
            betas,
            edge_factors: Vec::new(),
            triangles,
            rest_triangles: level.triangles.iter().map(|t| RestTriangle::new(corners(t))).collect(),
            alphas,
            membrane,
            only_stretched,
            passes: if finest { 1 } else { self.coarse_passes },
            hinges,
            topology,
            rest: surface.rest,
            level,
        }
    }
}

/// Factors of Chebyshev's iteration over `passes` averaged passes: the polynomial Π(1 − f_k λ), which is what is
/// left of a mode of which one mean undoes the share λ, is as small as can be over the whole interval
/// [`UNDONE_BY_A_MEAN`]. Single factors may be larger than would be stable alone. Only for the finest level: on
/// coarse ones, which undo stretch and not compression, it put energy in (`docs/gpu.md`).
fn chebyshev_factors(passes: u32) -> Vec<f32> {
    let [least, most] = UNDONE_BY_A_MEAN;
    let (middle, half) = (0.5 * (most + least), 0.5 * (most - least));
    let angle = |pass: u32| (f64::from(pass) + 0.5) / f64::from(passes) * std::f64::consts::PI;
    (0..passes).map(|pass| (1.0 / (middle + half * angle(pass).cos())) as f32).collect()
}

/// Masses per level in kg and the ways down to them, coarsest first. Masses are P^T m, which keeps the momentum; eq. 1
/// evaluated on the coarse meshes does not (errata 10).
fn restrictions(cloth: &Cloth, hierarchy: &Hierarchy, variant: Variant) -> (Vec<Vec<f64>>, Vec<Restriction>) {
    let (mut masses, mut restrictions) = (vec![cloth.masses.clone()], Vec::new());
    for (number, transfer) in hierarchy.transfers.iter().enumerate().rev() {
        let (fine, coarse) = (&hierarchy.levels[number + 1], &hierarchy.levels[number]);
        let fine_masses = &masses[masses.len() - 1];
        let (restriction, coarse_masses) = match variant {
            Variant::Paper => (Restriction::printed(transfer, coarse), transfer.coarse_masses(fine_masses)),
            _ => Restriction::adjoint(transfer, fine, fine_masses, coarse),
        };
        masses.push(coarse_masses);
        restrictions.push(restriction);
    }
    masses.reverse();
    restrictions.reverse();
    (masses, restrictions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chebyshev_s_passes_undo_every_mode_and_more_of_it_than_equal_ones() {
        for passes in 2..=MOST_EDGE_PASSES {
            let left = |factors: &[f32], share: f64| {
                factors.iter().map(|&f| 1.0 - f64::from(f) * share).product::<f64>().abs()
            };
            let [least, most] = UNDONE_BY_A_MEAN;
            let shares = (0..=100).map(|i| least + (most - least) * f64::from(i) / 100.0);
            let worst = |factors: &[f32]| shares.clone().map(|s| left(factors, s)).fold(0.0, f64::max);
            let ours = worst(&chebyshev_factors(passes));
            let equal = worst(&vec![(2.0 / (least + most)) as f32; passes as usize]);
            assert!(ours < 1.0 && ours < 0.9 * equal, "{passes}: {ours} {equal}");
        }
    }
}
