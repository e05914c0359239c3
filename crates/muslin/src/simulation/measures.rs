//! Figures about a simulation: strain, energy, momentum, fingerprint.

use glam::DVec3;

use super::Simulation;
use crate::bending::hinges::{HingeRest, hinge_vertices};
use crate::cloth::Stretch;
use crate::cloth::threads::weft_directions;
use crate::diagnostics::energy::{Energy, Momentum};
use crate::diagnostics::state_hash;
use crate::diagnostics::strain::{self, Strain};
use crate::math::largest;
use crate::solver::impulse::distance::{Distance, distances};
use crate::solver::shape_matching::regions::membrane::{MembraneStiffness, strain_energy};
use crate::state::State;

impl Simulation {
    /// Average, largest and global strain; of multilevel cloth that of its grid along threads.
    pub fn strain(&self) -> Strain {
        let Self { cloth, state, settings, .. } = self;
        let of_finer = self.finer().and_then(|finer| finer.strain(settings.gravity));
        of_finer.unwrap_or_else(|| {
            strain::measure(&state.points, &cloth.rest, &cloth.topology.edges, settings.gravity)
        })
    }

    /// The largest |l − l0|/l0 among the edges that the solver holds: those of quads without their diagonals where the
    /// mesh knows its quads, else those of triangles. With the precision of the solver's own state.
    pub fn constraint_strain(&self) -> f64 {
        let strain = |distance: &Distance| {
            let [a, b] = distance.vertices.map(|v| self.state.position(v as usize));
            distance.strain(a, b)
        };
        distances(&self.cloth).iter().map(strain).fold(0.0, largest)
    }

    /// Per triangle (user's numbering) the principal stretches minus one, larger first.
    pub fn triangle_strains(&self) -> Vec<[f32; 2]> {
        let renamed = self.cloth.permutation.rename(self.cloth.triangles());
        strain::principal_strains(&self.state.points, &self.cloth.rest, &renamed)
    }

    /// Kinetic, gravitational, bending and stretch energy.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for (v, mass) in self.cloth.masses.iter().enumerate() {
            let (position, velocity) = (self.state.position(v), self.state.velocity(v));
            energy.kinetic += 0.5 * mass * velocity.length_squared();
            energy.gravity -= mass * self.settings.gravity.as_dvec3().dot(position);
        }
        energy.gravity -= self.cloth.total_mass() * self.settings.gravity.as_dvec3().dot(self.state.origin);
        if let Stretch::Physical { weft, warp, shear } = self.cloth.material.stretch {
            let stiffness = MembraneStiffness { weft: weft.into(), warp: warp.into(), shear: shear.into() };
            let wefts = weft_directions(&self.cloth.mesh);
            for (corners, weft) in self.cloth.mesh.triangles.iter().zip(wefts) {
                let rest = corners.map(|v| self.cloth.rest[v as usize]);
                let now = corners.map(|v| self.state.points[v as usize].truncate().as_dvec3());
                energy.stretch += strain_energy(rest, now, weft, stiffness);
            }
        }
        let stiffness = self.cloth.material.quadratic_bending();
        if stiffness > 0.0 {
            for hinge in &self.cloth.topology.hinges {
                let vertices = hinge_vertices(hinge);
                let rest = HingeRest::new(vertices.map(|v| self.cloth.rest[v as usize]));
                let now = vertices.map(|v| self.state.points[v as usize].truncate().as_dvec3());
                let bend: DVec3 = now.iter().zip(rest.weights).map(|(&x, k)| x * k).sum();
                let off = bend.length() - rest.rest_bend.abs();
                energy.bending += 0.5 * stiffness * rest.per_area * off * off;
            }
        }
        energy
    }

    /// Linear and angular momentum, the latter about zero; of multilevel cloth that of its grid, which is what has mass and
    /// moves. (Its mesh only samples that, and misses what goes on between its vertices.)
    pub fn momentum(&self) -> Momentum {
        let of_finer = self.finer().and_then(|finer| finer.momentum(self.cloth.total_mass()));
        of_finer.unwrap_or_else(|| self.momentum_about_origin()).about(-self.state.origin)
    }

    /// The same about the origin, of the cloth's own mesh.
    pub(crate) fn momentum_about_origin(&self) -> Momentum {
        let mut momentum = Momentum::default();
        for (v, &mass) in self.cloth.masses.iter().enumerate() {
            let velocity = self.state.velocity(v) * mass;
            momentum.linear += velocity;
            momentum.angular += self.state.position(v).cross(velocity);
        }
        momentum
    }

    /// A fingerprint of all positions and velocities: equal exactly if every bit is equal.
    pub fn state_hash(&self) -> u64 {
        let State { origin, .. } = self.state;
        let rounded = origin.as_vec3();
        let far = (origin != DVec3::ZERO).then(|| [rounded, (origin - rounded.as_dvec3()).as_vec3()]);
        let positions = self.positions_from(origin);
        state_hash::hash(positions.iter().chain(&self.velocities()).chain(far.iter().flatten()))
    }
}
