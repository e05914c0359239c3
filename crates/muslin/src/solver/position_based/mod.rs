//! Position-based dynamics (Müller et al. 2006; \[Kelager2010\]; with compliance XPBD, Macklin et al. 2016).
//!
//! Input: predicted points. Output: points whose edges have their lengths, as far as the iterations go. Each iteration
//! is a round of the step: bending, volume and tethers are projected in turn with the stretch that is solved here.
//!
//! Limits: errors travel one edge per pass (two and more by Gauss-Seidel, in the direction of the sweep), so large or
//! fine cloth stretches unless there are many iterations or substeps; shape matching with its levels does not.

pub(crate) mod stretch;

use glam::Vec4;

use crate::cloth::{Cloth, Stiffness};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::constraint::length::Distance;
use crate::solver::constraint::{Constraints, Enforcement, Passes};
use crate::solver::{Facts, Order, Solver};
use crate::state::{State, with_points};
use crate::{Error, Feature};

/// Averaged corrections overshoot with more than this, even on regular meshes.
const MOST_OVER_RELAXATION: f32 = 4.0;

/// Which diagonals of quads resist stretch, where a mesh knows its quads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Diagonals {
    /// None: quads shear freely.
    None,
    /// The one along which a quad is divided into triangles: all edges of the triangle mesh.
    #[default]
    One,
    /// Both: the same resistance to shear in both directions.
    Both,
}

/// Options of the solver.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct PositionBased {
    /// Passes over all constraints per substep.
    pub iterations: u32,
    /// In which order.
    pub order: Order,
    /// Factor on averaged corrections: 1 is the plain mean; below 2 converges on every mesh. Only for
    /// [`Order::Jacobi`].
    pub over_relaxation: f32,
    /// How strongly edges keep their lengths; a compliance is in m/N, the same for every edge. `None` is what the
    /// material says: β of its coefficients is the fraction k, and physical stiffness becomes a compliance per edge.
    pub stretch: Option<Stiffness>,
    /// Which diagonals of quads keep their lengths.
    pub diagonals: Diagonals,
}

impl Default for PositionBased {
    fn default() -> Self {
        Self {
            iterations: 16,
            order: Order::GaussSeidel,
            over_relaxation: 1.0,
            stretch: None,
            diagonals: Diagonals::One,
        }
    }
}

impl PositionBased {
    /// What serves a GPU best, by the measurements of `docs/gpu.md`: averages, which need fewer dispatches.
    pub fn for_gpu() -> Self {
        Self { order: Order::Jacobi, over_relaxation: 1.9, ..Self::default() }
    }
}

/// The solver, built for one cloth.
pub(crate) struct PositionBasedSolver {
    iterations: u32,
    edges: Constraints<Distance, 2, 1>,
    triangles: usize,
}

impl PositionBased {
    /// Looks for options out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |field, value: f32, must_be| Err(Error::Setting { field, value: value.into(), must_be });
        if self.iterations == 0 {
            return wrong("solver.iterations", 0.0, "at least 1");
        }
        let factor = self.over_relaxation;
        if !(factor > 0.0 && factor < MOST_OVER_RELAXATION) {
            return wrong("solver.over_relaxation", factor, "above 0 and below 4");
        }
        if factor != 1.0 && self.order != Order::Jacobi {
            let what = "over-relaxation where constraints are not averaged (order: Jacobi)";
            let (by, feature) = ("position-based dynamics", Feature::OverRelaxation);
            return Err(Error::Unsupported { by, feature, what });
        }
        match self.stretch.and_then(Stiffness::problem) {
            Some((value, must_be)) => wrong("solver.stretch", value, must_be),
            None => Ok(()),
        }
    }

    /// How constraints are gone through.
    pub(crate) fn passes(&self) -> Passes {
        match self.order {
            Order::GaussSeidel => Passes::GaussSeidel,
            Order::Jacobi => Passes::Jacobi { over_relaxation: self.over_relaxation },
        }
    }

    /// Makes the constraints for steps of `dt` seconds.
    pub(crate) fn build(&self, cloth: &Cloth, dt: f64) -> Result<PositionBasedSolver, Error> {
        self.check()?;
        let enforcement = Enforcement::new(cloth, self.iterations, dt);
        let list = stretch::stretch_list(cloth, self, enforcement);
        Ok(PositionBasedSolver {
            iterations: self.iterations,
            edges: Constraints::new(Distance, cloth.vertex_count(), list, self.passes()),
            triangles: cloth.mesh.triangles.len(),
        })
    }
}

impl Solver for PositionBasedSolver {
    fn facts(&self) -> Facts {
        Facts { rounds: self.iterations, ..Facts::new(vec![self.triangles]) }
    }

    fn solve(&mut self, round: u32, state: &mut State, execution: Execution, timings: &mut Timings) {
        timings.time(Stage::Stretch, || {
            with_points!(state, |points| self.edges.project(round == 0, points, execution));
        });
    }

    fn smooth(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings) {
        timings.time(Stage::Stretch, || self.edges.project(false, points, execution));
    }
}

#[cfg(test)]
mod tests;
