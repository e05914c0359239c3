//! Spring dampers against shear and bending \[Bender2009\] §3.3, as impulses at the start of a step.
//!
//! Input: particles and their velocities at time t. Output: changed velocities.
//!
//! Shear springs lie along one diagonal of each quad, in alternating directions (errata 3); bending springs join
//! particles two edges apart, over a third between them. An n × n grid has (n − 1)² + 2n(n − 2) of them.
//!
//! With l the length, u its rate and n the unit vector from a to b, a spring of stiffness k and damping c gives a and
//! takes from b the impulse
//!
//!   p = h (k (l − l0) + (c + h k) u) / (1 + h (c + h k) (N_a k_a + N_b k_b)) n
//!
//! The paper's explicit Euler is h (k (l − l0) + c u), and this for h → 0. The added h k u is the spring's force at
//! the end of the step, and the denominator shares out what N_a springs at a particle do together: so no stiffness
//! and no step is too large, where explicit Euler explodes beyond h² k ≈ m (at 1/30 s and 20 mg, 0.02 N/m). All springs see
//! the same velocities; they act along their lines, in pairs, so both momenta are conserved.

use glam::DVec3;

use super::{Impulses, SpringDamper};
use crate::bending::placement::RestShape;
use crate::cloth::{Cloth, Stretch};
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::mesh::quads;

/// Shear stiffness where the material gives none in physical units, N/m.
const PLAIN_SHEAR: f64 = 5.0;

/// Damping of shear where none is given, in parts of the critical damping of two mean particles.
const PLAIN_DAMPING: f64 = 0.1;

#[derive(Clone, Copy, Debug)]
struct Spring {
    vertices: [u32; 2],
    rest: f64,
    /// k, N/m.
    stiffness: f64,
    /// c, N·s/m.
    damping: f64,
}

/// The springs of a cloth.
pub(crate) struct Springs {
    springs: Vec<Spring>,
    /// Per particle its springs, and whether it is their first end.
    incident: Csr<(u32, bool)>,
    /// 1/kg; 0 if static.
    inverse_masses: Vec<f64>,
    impulses: Vec<DVec3>,
}

impl Springs {
    /// Places the springs of a cloth.
    pub fn new(cloth: &Cloth, options: &Impulses) -> Self {
        let fixed = cloth.fixed();
        let inverse = |(v, mass): (usize, &f64)| if fixed[v] { 0.0 } else { 1.0 / mass };
        let inverse_masses: Vec<f64> = cloth.masses.iter().enumerate().map(inverse).collect();
        let mut springs = shear_springs(cloth, options.shear);
        if options.bending.stiffness > 0.0 || options.bending.damping > 0.0 {
            springs.extend(bending_springs(cloth, options.bending));
        }
        springs.retain(|spring| spring.vertices.iter().any(|&v| !fixed[v as usize]));
        let ends = springs.iter().enumerate().flat_map(|(s, spring)| {
            let [a, b] = spring.vertices;
            [(a, (s as u32, true)), (b, (s as u32, false))]
        });
        let incident = Csr::from_pairs(cloth.vertex_count(), ends);
        Self { impulses: vec![DVec3::ZERO; springs.len()], springs, incident, inverse_masses }
    }

    /// How many there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.springs.len()
    }

    /// Adds the impulses of a step of `dt` seconds to velocities.
    pub fn push(&mut self, positions: &[DVec3], velocities: &mut [DVec3], dt: f64, execution: Execution) {
        let Self { springs, incident, inverse_masses, impulses } = self;
        let before: &[DVec3] = velocities;
        execution.for_each_chunk(impulses, |first, chunk| {
            for (impulse, spring) in chunk.iter_mut().zip(&springs[first..]) {
                let [a, b] = spring.vertices.map(|v| v as usize);
                let shared = |v: usize| incident.row(v).len() as f64 * inverse_masses[v];
                *impulse = spring.impulse(
                    positions[b] - positions[a],
                    before[b] - before[a],
                    shared(a) + shared(b),
                    dt,
                );
            }
        });
        execution.for_each_chunk(velocities, |first, chunk| {
            for (offset, velocity) in chunk.iter_mut().enumerate() {
                for &(spring, is_first) in incident.row(first + offset) {
                    let impulse = impulses[spring as usize] * inverse_masses[first + offset];
                    *velocity += if is_first { impulse } else { -impulse };
                }
            }
        });
    }
}

impl Spring {
    /// What its first particle gets.
    fn impulse(&self, d: DVec3, relative: DVec3, shared: f64, dt: f64) -> DVec3 {
        let length = d.length();
        if length == 0.0 {
            return DVec3::ZERO;
        }
        let n = d / length;
        let resistance = dt * (self.damping + dt * self.stiffness);
        let push = dt * self.stiffness * (length - self.rest) + resistance * n.dot(relative);
        n * (push / (1.0 + resistance * shared))
    }
}

/// One diagonal per quad.
///
/// Under a shear γ the diagonal (length l) of a rectangle with sides a and b changes by γ a b/l, so ½ k (γ a b/l)² =
/// ½ G a b γ² gives k = G l²/(a b) for a material that says G.
fn shear_springs(cloth: &Cloth, given: Option<SpringDamper>) -> Vec<Spring> {
    let place = |v: u32| cloth.rest[v as usize];
    let mean_mass = cloth.total_mass() / cloth.vertex_count() as f64;
    let of_material = |l: f64, area: f64| {
        let stiffness = match cloth.material.stretch {
            Stretch::Physical { shear, .. } => f64::from(shear) * l * l / area,
            Stretch::Coefficients { .. } => PLAIN_SHEAR,
        };
        (stiffness, PLAIN_DAMPING * (2.0 * stiffness * mean_mass).sqrt())
    };
    let diagonals = quads::Diagonals::new(&cloth.topology, &cloth.mesh.quads);
    let black = quads::two_colours(cloth.vertex_count(), &cloth.mesh.quads);
    let mut springs = Vec::with_capacity(diagonals.crossed.len());
    for &(edge, crossing) in &diagonals.crossed {
        let dividing = cloth.topology.edges[edge as usize];
        // Diagonals between black corners alternate from quad to quad, whichever way quads are divided.
        let vertices = if black[crossing[0] as usize] { crossing } else { dividing };
        let [l, other] = [vertices, if vertices == crossing { dividing } else { crossing }]
            .map(|[a, b]| place(b) - place(a));
        let (stiffness, damping) = match given {
            Some(spring) => (spring.stiffness.into(), spring.damping.into()),
            None => of_material(l.length(), 0.5 * l.cross(other).length()),
        };
        springs.push(Spring { vertices, rest: l.length(), stiffness, damping });
    }
    springs.retain(|spring| spring.stiffness > 0.0 || spring.damping > 0.0);
    springs
}

/// Between neighbours that lie opposite each other.
fn bending_springs(cloth: &Cloth, options: SpringDamper) -> Vec<Spring> {
    let shape =
        RestShape { positions: &cloth.rest, mesh: &cloth.mesh, topology: &cloth.topology, quads: true };
    let bends = shape.rings();
    let place = |v: u32| cloth.rest[v as usize];
    bends
        .into_iter()
        .map(|bend| Spring {
            vertices: bend.base,
            rest: place(bend.base[0]).distance(place(bend.base[1])),
            stiffness: options.stiffness.into(),
            damping: options.damping.into(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn a_grid_has_as_many_springs_as_the_paper_counts() {
        let bending = SpringDamper { stiffness: 1e-3, damping: 0.0 };
        let options = Impulses { bending, ..Impulses::default() };
        for (n, count) in [(10, 241), (50, 7201)] {
            let mesh = generate::grid(n - 1, n - 1, 1.0, 1.0).unwrap();
            let cloth = Cloth::builder(mesh).build().unwrap();
            assert_eq!(Springs::new(&cloth, &options).len(), count);
        }
    }

    #[test]
    fn shear_springs_alternate_whichever_way_quads_are_divided() {
        for mesh in
            [generate::grid(6, 5, 1.0, 1.0).unwrap(), generate::alternating_grid(6, 5, 1.0, 1.0).unwrap()]
        {
            let cloth = Cloth::builder(mesh).build().unwrap();
            let springs = shear_springs(&cloth, None);
            assert_eq!(springs.len(), 30);
            let mut used = vec![0; cloth.vertex_count()];
            springs.iter().for_each(|spring| spring.vertices.iter().for_each(|&v| used[v as usize] += 1));
            // Every inner particle has four diagonals or none.
            let inner = (0..used.len()).filter(|&v| cloth.topology.neighbours(v as u32).count() > 5);
            assert!(inner.map(|v| used[v]).all(|n| n == 0 || n == 4));
        }
    }

    #[test]
    fn the_stiffest_spring_does_not_explode_and_keeps_momentum() {
        let mesh = generate::grid(3, 3, 1.0, 1.0).unwrap();
        let cloth = Cloth::builder(mesh).build().unwrap();
        let stiff = SpringDamper { stiffness: 1e6, damping: 0.0 };
        let options = Impulses { shear: Some(stiff), bending: stiff, ..Impulses::default() };
        let mut springs = Springs::new(&cloth, &options);
        let mut positions: Vec<DVec3> = cloth.rest.iter().map(|p| *p * 1.1).collect();
        let mut velocities = vec![DVec3::ZERO; positions.len()];
        for _ in 0..200 {
            springs.push(&positions, &mut velocities, 0.1, Execution::default());
            positions.iter_mut().zip(&velocities).for_each(|(x, v)| *x += *v * 0.1);
            let momentum: DVec3 = velocities.iter().zip(&cloth.masses).map(|(v, m)| *v * *m).sum();
            assert!(momentum.length() < 1e-12);
            assert!(velocities.iter().all(|v| v.length() < 2.0));
        }
    }
}
