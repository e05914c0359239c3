//! Constraints: functions C of a few points that are to be zero, and what it takes to make them so.
//!
//! Input: points with inverse masses w. Output: moved points. A kind of constraint is a [`Constraint`] (pure
//! arithmetic, one constraint or eight at once); [`Constraints`] are many of a kind, with their stiffness, in one of
//! two orders ([`sweep`], [`averaged`]).
//!
//! One projection (Müller et al. 2006; with compliance Macklin et al. 2016) moves along the gradients g_i = ∂C/∂x_i,
//! weighted by inverse masses:
//!
//!   Δλ = −k' (C + α λ)/(Σ w_i |g_i|² + α),  x_i += w_i g_i Δλ,  λ += Δλ
//!
//! α = 0 is the plain form, in which λ plays no part. With α = compliance/h² and k' = 1, λ h⁻² is the constraint's
//! force, and iterations approach implicit Euler for the energy C²/(2 compliance). C does not change when all points
//! are moved or turned together, so Σ g_i = 0 and Σ x_i × g_i = 0: linear and angular momentum stay.
//!
//! Where only C ≥ 0 is asked for, forces only push: λ ≥ 0.

mod averaged;
pub(crate) mod length;
mod sweep;
#[cfg(test)]
pub(crate) mod testing;

use crate::cloth::{Cloth, Stiffness};
use crate::execution::Execution;
use crate::math::lanes::Real;
use crate::math::vec3::V3;
use crate::state::Point;
use averaged::AveragedConstraints;
use sweep::SweptConstraints;

/// Below this, a sum of inverse masses counts as zero: nothing moves then.
const TINY: f32 = 1e-20;

/// What a projection needs to know of a constraint.
#[derive(Clone, Copy)]
pub(crate) struct Evaluation<R, const N: usize> {
    /// C.
    pub value: R,
    /// g_i. All zero where C has no direction.
    pub gradients: [V3<R>; N],
    /// Σ w_i |g_i|², or what takes its place.
    pub mobility: R,
}

/// A kind of constraint over `N` points, each with `K` numbers of rest data. What all of a kind have in common are
/// fields.
pub(crate) trait Constraint<const N: usize, const K: usize>: Copy + Send + Sync {
    /// C and its gradients at points `x` of inverse masses `w`. Must be `#[inline(always)]`.
    fn evaluate<R: Real>(&self, x: [V3<R>; N], w: [R; N], rest: [R; K]) -> Evaluation<R, N>;

    /// Whether only C ≥ 0 is asked for.
    fn one_sided(&self) -> bool {
        false
    }
}

/// Δλ of a projection. `fraction` is k'; `multiplier` λ so far.
#[inline(always)]
pub(crate) fn multiplier_change<R: Real, const N: usize>(
    evaluation: &Evaluation<R, N>,
    fraction: R,
    compliance: R,
    multiplier: R,
    one_sided: bool,
) -> R {
    let residual = R::splat(0.0) - evaluation.value - compliance * multiplier;
    let change = fraction * residual / (evaluation.mobility + compliance).max(R::splat(TINY));
    match one_sided {
        false => change,
        true => (multiplier + change).max(R::splat(0.0)) - multiplier,
    }
}

/// k' of [Kelager2010] eq. 6: after `iterations` of it, a fraction 1 − k of the error is left.
pub(crate) fn fraction_per_iteration(k: f32, iterations: u32) -> f32 {
    (1.0 - (1.0 - f64::from(k)).powf(1.0 / f64::from(iterations.max(1)))) as f32
}

/// Many constraints of a kind, as they are made: plain data for every back end.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintList<const N: usize, const K: usize> {
    pub vertices: Vec<[u32; N]>,
    pub rest: Vec<[f32; K]>,
    /// k' per constraint.
    pub fractions: Vec<f32>,
    /// α per constraint, in units of the relative inverse masses: compliance · mean mass / h².
    pub compliances: Vec<f32>,
}

/// How a list of constraints is enforced: what stiffness means in numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enforcement {
    /// Passes per step.
    pub iterations: u32,
    /// Seconds per step.
    pub dt: f64,
    /// kg, which relative inverse masses refer to.
    pub mean_mass: f64,
}

impl Enforcement {
    /// For the constraints of a cloth, in so many passes per step of `dt` seconds.
    pub fn new(cloth: &Cloth, iterations: u32, dt: f64) -> Self {
        Self { iterations, dt, mean_mass: cloth.total_mass() / cloth.vertex_count() as f64 }
    }

    /// k' and α of a stiffness.
    pub fn numbers(&self, stiffness: Stiffness) -> (f32, f32) {
        match stiffness {
            Stiffness::Fraction(k) => (fraction_per_iteration(k, self.iterations), 0.0),
            Stiffness::Compliance(compliance) => {
                (1.0, (f64::from(compliance) * self.mean_mass / (self.dt * self.dt)) as f32)
            }
        }
    }
}

impl<const N: usize, const K: usize> ConstraintList<N, K> {
    /// Constraints of one stiffness.
    pub fn uniform(
        vertices: Vec<[u32; N]>,
        rest: Vec<[f32; K]>,
        stiffness: Stiffness,
        enforcement: Enforcement,
    ) -> Self {
        let (fraction, compliance) = enforcement.numbers(stiffness);
        let count = vertices.len();
        Self { vertices, rest, fractions: vec![fraction; count], compliances: vec![compliance; count] }
    }

    fn is_compliant(&self) -> bool {
        self.compliances.iter().any(|&compliance| compliance > 0.0)
    }
}

/// In which order constraints of a kind are projected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passes {
    /// Each constraint sees what the ones before it did.
    GaussSeidel,
    /// All see the same points, and each point takes the mean of what is asked of it, times a factor.
    Jacobi { over_relaxation: f32 },
}

/// Many constraints of a kind, ready to be projected.
#[derive(Clone, Debug)]
pub(crate) enum Constraints<C, const N: usize, const K: usize> {
    Swept(SweptConstraints<C, N, K>),
    Averaged(Box<AveragedConstraints<C, N, K>>),
}

impl<C: Constraint<N, K>, const N: usize, const K: usize> Constraints<C, N, K> {
    /// Arranges constraints over `vertices` vertices.
    pub fn new(kind: C, vertices: usize, list: ConstraintList<N, K>, passes: Passes) -> Self {
        match passes {
            Passes::GaussSeidel => Self::Swept(SweptConstraints::new(kind, vertices, &list)),
            Passes::Jacobi { over_relaxation } => {
                Self::Averaged(Box::new(AveragedConstraints::new(kind, vertices, list, over_relaxation)))
            }
        }
    }

    /// What all constraints have in common.
    pub fn kind_mut(&mut self) -> &mut C {
        match self {
            Self::Swept(constraints) => &mut constraints.kind,
            Self::Averaged(constraints) => &mut constraints.kind,
        }
    }

    /// One pass over all constraints. `first` says that a step begins, for which multipliers start at zero.
    pub fn project<P: Point>(&mut self, first: bool, points: &mut [P], execution: Execution) {
        match self {
            Self::Swept(constraints) => constraints.project(first, points, execution),
            Self::Averaged(constraints) => constraints.project(first, points, execution),
        }
    }
}

#[cfg(test)]
mod tests;
