//! From a cloth and options to levels: everything that is decided once, for every back end.
//!
//! Input: a cloth, [`ShapeMatching`], the step. Output: [`Plan`]: per level the mesh, the masses, the rest
//! data of its regions and their stiffness.

use glam::DVec3;

use super::membrane::MembraneSweep;
use super::stiffness::LevelStiffness;
use super::triangle::RestTriangle;
use super::{Cycle, ShapeMatching, Variant};
use crate::Error;
use crate::bending::hinges::Hinges;
use crate::cloth::{Cloth, Stretch};
use crate::hierarchy::{self, Hierarchy, Level, Transfer, vertex_normals};
use crate::mesh::Topology;

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

/// A surface is taken to turn by no more than this between the ends of an edge, radians.
const LARGEST_TURN: f64 = 2.6;

/// The levels of a cloth and what carries values between them.
pub(crate) struct Plan {
    /// Coarsest first.
    pub levels: Vec<LevelPlan>,
    /// `transfers[l]` goes between `levels[l]` and `levels[l + 1]`.
    pub transfers: Vec<Transfer>,
}

/// A level with its regions.
pub(crate) struct LevelPlan {
    pub level: Level,
    pub topology: Topology,
    /// Relative to the level's mean mass; 0: fixed.
    pub inverse_masses: Vec<f32>,
    /// Whether 1D regions are used.
    pub edges: bool,
    /// Of the edges of the topology, along the surface, metres.
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
    fn check(&self, cloth: &Cloth) -> Result<(), Error> {
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

    /// Plans hierarchy, regions and transfers for steps of `dt` seconds; `averaged` says whether regions are.
    pub(crate) fn plan(&self, cloth: &Cloth, dt: f64, averaged: bool) -> Result<Plan, Error> {
        self.check(cloth)?;
        if self.over_relaxation != 1.0 && !averaged {
            let feature = "over-relaxation where regions are not averaged";
            return Err(Error::Unsupported { solver: "shape matching on the CPU", feature });
        }
        let hierarchy = hierarchy::build(&cloth.mesh, &cloth.fixed(), &self.hierarchy)?.in_bisection_order();
        let masses = level_masses(cloth, &hierarchy);
        let finest = hierarchy.levels.len() - 1;
        let mut stiffness = LevelStiffness::new(self, cloth, finest, dt);
        let surface_normals = vertex_normals(&cloth.rest, &cloth.mesh.triangles);
        let normals = |number: usize| match self.variant {
            Variant::Paper => vec![DVec3::ZERO; masses[number].len()],
            _ => hierarchy.finest_vertices(number).iter().map(|&v| surface_normals[v as usize]).collect(),
        };
        let normals: Vec<Vec<DVec3>> = (0..=finest).map(normals).collect();
        // Finest first, because what it cannot bring to bear goes on to the coarser ones.
        let Hierarchy { levels, transfers, .. } = hierarchy;
        let numbered = levels.into_iter().zip(&masses).zip(&normals).enumerate().rev();
        let mut levels: Vec<LevelPlan> = numbered
            .map(|(number, ((level, masses), normals))| {
                let finest = number == finest;
                let factors =
                    if finest { self.finest_edge_factors(averaged) } else { vec![self.over_relaxation] };
                let plan = self.plan_level(level, masses, normals, finest, &mut stiffness);
                LevelPlan { edge_factors: factors, ..plan }
            })
            .collect();
        levels.reverse();
        Ok(Plan { levels, transfers })
    }

    fn finest_edge_factors(&self, averaged: bool) -> Vec<f32> {
        match self.edge_passes {
            1 => vec![self.over_relaxation],
            passes if averaged => chebyshev_factors(passes),
            passes => vec![1.0; passes as usize],
        }
    }

    /// `masses` in kg; `normals` of the finest surface at the level's vertices, of any length (zero: not
    /// wanted).
    fn plan_level(
        &self,
        level: Level,
        masses: &[f64],
        normals: &[DVec3],
        finest: bool,
        stiffness: &mut LevelStiffness,
    ) -> LevelPlan {
        let topology = Topology::new(level.positions.len(), &level.triangles);
        let mean_mass = masses.iter().sum::<f64>() / masses.len() as f64;
        let inverse_mass = |v: usize| if level.fixed[v] { 0.0 } else { (mean_mass / masses[v]) as f32 };
        let hinges = stiffness.bending(&level, &topology, masses, finest);
        let membrane = if finest { stiffness.membrane(&level, masses) } else { None };
        let (alphas, betas) = match membrane {
            Some(_) => (Vec::new(), Vec::new()),
            None => stiffness.coefficients(&level, &topology, masses),
        };
        let factor = self.over_relaxation;
        let alphas = alphas.into_iter().map(|a| a * factor.min(MOST_ON_TRIANGLES)).collect();
        let end =
            |v: u32| (level.positions[v as usize], if finest { DVec3::ZERO } else { normals[v as usize] });
        let length = |&[a, b]: &[u32; 2]| length_along_surface(end(a), end(b)) as f32;
        let corners = |t: &[u32; 3]| t.map(|v| level.positions[v as usize]);
        LevelPlan {
            inverse_masses: (0..masses.len()).map(inverse_mass).collect(),
            edges: self.edges,
            rest_lengths: topology.edges.iter().map(length).collect(),
            betas,
            edge_factors: Vec::new(),
            triangles: finest || self.variant != Variant::FullApproximation,
            rest_triangles: level.triangles.iter().map(|t| RestTriangle::new(corners(t))).collect(),
            alphas,
            membrane,
            only_stretched: !finest && self.conserve_wrinkles,
            passes: if finest { 1 } else { self.coarse_passes },
            hinges,
            topology,
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

/// The rest length of an edge between two (position, surface normal) ends, along the surface.
///
/// Where the rest shape is curved (a sleeve, a skirt), a coarse edge is a chord. Cloth may be laid
/// flat without being stretched, and its ends then move apart, up to the length of the arc: with
/// the chord as rest length, coarse levels would resist that and hold a sleeve round. So the rest
/// length is that of the circular arc whose normals turn as the surface's do; on flat cloth it is the
/// chord. The paper does not have this.
fn length_along_surface((a, normal_a): (DVec3, DVec3), (b, normal_b): (DVec3, DVec3)) -> f64 {
    let chord = b - a;
    let length = chord.length();
    let along = chord / length;
    let mean =
        (normal_a.normalize_or_zero() + normal_b.normalize_or_zero()).reject_from(along).normalize_or_zero();
    let lean = |normal: DVec3| normal.dot(along).atan2(normal.dot(mean));
    let half_turn = 0.5 * (lean(normal_b) - lean(normal_a)).clamp(-LARGEST_TURN, LARGEST_TURN);
    if half_turn.abs() < 1e-6 { length } else { length * half_turn / half_turn.sin() }
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

    #[test]
    fn an_edge_over_an_arc_is_as_long_as_the_arc() {
        for (turn, bound) in [(0.01f64, 1e-6), (0.5, 0.002), (1.5, 0.02), (2.5, 0.05)] {
            let end = |angle: f64| {
                let normal = DVec3::new(angle.sin(), angle.cos(), 0.0);
                (2.0 * normal + DVec3::Z * angle, 3.0 * normal)
            };
            // A helix: turning by `turn` on radius 2 while moving `turn` along the axis.
            let (straight_part, arc) = (turn, 2.0 * turn);
            let ours = length_along_surface(end(0.3), end(0.3 + turn));
            let exact = arc.hypot(straight_part);
            assert!((ours / exact - 1.0).abs() < bound, "{turn}: {ours} {exact}");
        }
        let flat = length_along_surface((DVec3::ZERO, DVec3::Z), (DVec3::X * 0.3, DVec3::Z));
        assert_eq!(flat, 0.3);
        assert_eq!(length_along_surface((DVec3::ZERO, DVec3::ZERO), (DVec3::X, DVec3::ZERO)), 1.0);
    }
}
