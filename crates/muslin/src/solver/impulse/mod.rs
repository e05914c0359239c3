//! Inextensible cloth by impulses \[Bender2009\]: a cloth whose strain is a number the user sets.
//!
//! Input: a state at time t. Output: its positions at t + h, in which no edge is strained by more than the tolerance,
//! and its velocities there. In the order of a step:
//!
//! - `springs`: shear and bending change velocities (`Solver::predict`),
//! - the exact motion of free particles is the preview (`Motion::Exact`),
//! - `distance` constraints correct it, one after the other (`iterative`) or all at once (`linear_system`, `matrix`, `cholesky`),
//! - velocities are corrected likewise, after collisions (`Solver::settle`), and bounded in their energy (`energy_bound`).
//!
//! All of it in double precision, because single precision rounds away strains below about 1e-5.
//!
//! Limits: edges resist compression as well as stretch, so cloth gets shorter only by folding. On a quad grid that is
//! how cloth behaves; triangles whose edges all keep their lengths can bend only along straight lines of edges, and
//! want a tolerance of a per cent or so. Contacts work in single precision: where they move particles, 1e-5 is
//! the least that is asked for, and at an impact single substeps end with more than the tolerance.

mod cholesky;
pub(crate) mod distance;
mod energy_bound;
mod iterative;
mod linear_system;
mod matrix;
mod options;
mod reach;
mod springs;
mod stages;
mod taut;

use glam::{DVec3, Vec4};

use crate::Error;
use crate::cloth::Cloth;
use crate::solver::ShapeMatching;
use crate::solver::shape_matching::ShapeMatchingSolver;
use distance::{Distance, Particle, distances};
use iterative::{Iterative, Limits};
use linear_system::LinearSystem;
pub use options::{ImpulseDirections, ImpulseMethod, ImpulseStart, Impulses, SpringDamper};
use springs::Springs;
use taut::{Taut, taut};

/// Cycles of shape matching that a step begins with. On 40 × 40 particles at 10 % one leaves 38 of 105 passes, two 22; a
/// cycle costs about as much as six passes.
const CYCLES: u32 = 2;

/// What the impulse solver did in a step, summed over its substeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImpulseReport {
    /// Passes over all constraints, or solutions of the linear system, for positions.
    pub iterations: u32,
    /// The same for velocities.
    pub velocity_iterations: u32,
    /// Numeric factorisations of the linear system.
    pub factorisations: u32,
    /// How often constraints were found redundant, and the linear system was regularised or its solution taken back; passes of
    /// the iterative method did its work then.
    pub degenerate: u32,
    /// Substeps in which strains above the tolerance were left.
    pub unsatisfied: u32,
    /// Substeps in which corrections had added energy that was taken from velocities again.
    pub calmed: u32,
}

/// The solver, built for one cloth.
pub(crate) struct ImpulseSolver {
    limits: Limits,
    /// How many passes where a solution of the linear system made things worse: enough to carry a push across the cloth. On
    /// 50 × 50 particles at 1/30 s and 1e-6, 200 passes without over-relaxation took twice as many factorisations, and
    /// cloth with a slack of 1 % between its corners did not get below 1 %.
    between: Limits,
    directions: ImpulseDirections,
    velocity_impulses: bool,
    springs: Springs,
    distances: Vec<Distance>,
    iterative: Iterative,
    linear_system: Option<LinearSystem>,
    taut: Vec<Taut>,
    /// Per entry of `taut` whether its row is straight in this step.
    straight: Vec<bool>,
    particles: Vec<Particle>,
    /// Inverse masses relative to the mean. Those of the state are rounded to single precision, which would show in
    /// the momentum.
    inverse_masses: Vec<f64>,
    /// kg.
    mean_mass: f64,
    /// Particles that count as heavier, and what their inverse masses are.
    weighed: Vec<(u32, f64)>,
    report: ImpulseReport,
    /// Brings the preview near its end before constraints are looked at one by one.
    hierarchy: Option<ShapeMatchingSolver<Vec4>>,
    /// Normals away from what particles lie on at rest; zero for others. Empty without collisions.
    contact_normals: Vec<DVec3>,
    /// How much of the last step's corrections a step begins with.
    warm_start: f64,
    /// What corrections of positions added to Σ ½ m (h u)² in this substep (`energy_bound`).
    excess: f64,
    triangles: usize,
}

impl Impulses {
    /// Makes the constraints of a cloth.
    pub(crate) fn build(&self, cloth: &Cloth, dt: f64) -> Result<ImpulseSolver, Error> {
        self.check()?;
        let mean_mass = cloth.total_mass() / cloth.vertex_count() as f64;
        let (list, taut) = (distances(cloth), taut(cloth));
        Ok(ImpulseSolver {
            limits: Limits {
                tolerance: self.tolerance,
                iterations: self.iterations,
                factor: self.resolved_over_relaxation(cloth),
            },
            directions: match self.directions {
                ImpulseDirections::Auto if cloth.pins.is_empty() => ImpulseDirections::Auto,
                ImpulseDirections::Auto => ImpulseDirections::End,
                chosen => chosen,
            },
            between: Limits {
                tolerance: self.tolerance,
                iterations: (2.0 * options::side(cloth)).max(120.0) as u32,
                factor: options::young(cloth),
            },
            velocity_impulses: self.velocity_impulses,
            springs: Springs::new(cloth, self),
            iterative: Iterative::new(cloth.vertex_count(), &list),
            linear_system: match self.resolved_method(cloth, dt) {
                ImpulseMethod::LinearSystem => Some(LinearSystem::new(list.clone(), &cloth.fixed())?),
                _ => None,
            },
            distances: list,
            straight: vec![false; taut.len()],
            taut,
            mean_mass,
            weighed: Vec::new(),
            inverse_masses: cloth.masses.iter().map(|mass| mean_mass / mass).collect(),
            particles: vec![Particle::default(); cloth.vertex_count()],
            report: ImpulseReport::default(),
            hierarchy: match self.resolved_start(cloth, dt) {
                ImpulseStart::Hierarchy => {
                    Some(ShapeMatching { cycles: CYCLES, ..ShapeMatching::default() }.build(cloth, dt)?)
                }
                _ => None,
            },
            warm_start: self.warm_start,
            excess: 0.0,
            contact_normals: Vec::new(),
            triangles: cloth.mesh.triangles.len(),
        })
    }
}
