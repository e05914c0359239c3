//! From a cloth and options to levels with regions: everything that is done once.

use glam::{DVec3, Vec4};

use super::gather::GatherRegions;
use super::level::{Regions, SolverLevel};
use super::stiffness::LevelStiffness;
use super::triangle::RestTriangle;
use super::triangle_sweep::triangle_sweep;
use super::{Cycle, ShapeMatching, ShapeMatchingSolver, Variant, edge};
use crate::Error;
use crate::cloth::{Cloth, Stretch};
use crate::hierarchy::{self, Hierarchy, Level, Nesting, vertex_normals};
use crate::mesh::Topology;

/// A surface is taken to turn by no more than this between the ends of an edge, radians.
const LARGEST_TURN: f64 = 2.6;

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
        let normals = vertex_normals(&cloth.rest, &cloth.mesh.triangles);
        // Finest first, because what it cannot bring to bear goes on to the coarser ones.
        let mut levels: Vec<SolverLevel> = Vec::new();
        for (number, (level, masses)) in hierarchy.levels.iter().zip(&masses).enumerate().rev() {
            let normals = match self.variant {
                Variant::Paper => vec![DVec3::ZERO; masses.len()],
                _ => hierarchy.finest_vertices(number).iter().map(|&v| normals[v as usize]).collect(),
            };
            let rest = RestLevel { level, masses, normals: &normals, finest: number == finest };
            levels.push(self.level(&rest, &mut stiffness));
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

    fn level(&self, rest: &RestLevel, stiffness: &mut LevelStiffness) -> SolverLevel {
        let &RestLevel { level, masses, finest, .. } = rest;
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
            regions: self.regions(rest, &topology, stiffness),
        }
    }

    fn regions(&self, rest: &RestLevel, topology: &Topology, stiffness: &mut LevelStiffness) -> Regions {
        let &RestLevel { level, masses, normals, finest } = rest;
        if finest && let Some(membrane) = stiffness.membrane(level, masses) {
            return Regions::Membrane(membrane);
        }
        let (alphas, betas) = stiffness.coefficients(level, topology, masses);
        let end =
            |v: u32| (level.positions[v as usize], if finest { DVec3::ZERO } else { normals[v as usize] });
        let length = |&[a, b]: &[u32; 2]| length_along_surface(end(a), end(b)) as f32;
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

/// A level at rest.
struct RestLevel<'a> {
    level: &'a Level,
    /// kg.
    masses: &'a [f64],
    /// Normals of the finest surface at the level's vertices, of any length; zero: not wanted.
    normals: &'a [DVec3],
    finest: bool,
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
