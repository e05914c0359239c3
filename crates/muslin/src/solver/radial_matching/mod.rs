//! Radial shape matching \[Anonymous\] §3.3: every triangle and edge pulls its points back to their distances from
//! its centre, on the mesh alone, averaged per vertex.
//!
//! Input: points. Output: points, or velocities, that make them a cloth again. `region` has the formula,
//! `averaged` the pass; `docs/papers/anonymous.md` what was measured.
//!
//! It is simpler than multi-resolution shape matching and much softer: one averaged pass per step carries a
//! pull by one edge. Use it with short steps on small meshes, or to compare.
//!
//! **Impulses or positions.** §3.3.3 turns corrections into impulses, Δv = Δx/h, before positions are
//! integrated. Let Δ(x) be the correction of positions x, and x* = xₙ + h(vₙ + h g) where points would go:
//!
//!   impulses at the start:      xₙ₊₁ = xₙ + h(vₙ + h g + Δ(xₙ)/h) = x* + Δ(xₙ)
//!   impulses at the prediction: xₙ₊₁ = xₙ + h(vₙ + h g + Δ(x*)/h) = x* + Δ(x*)
//!
//! In both vₙ₊₁ = (xₙ₊₁ − xₙ)/h. So impulses that are measured at the prediction *are* a correction of
//! predicted positions, in the step of this library; only where the deformation is measured makes a difference.
//! For one region with the deformation e and ν = h·ė, without gravity:
//!
//!   at the start:      (e, ν) → (e + ν − α e, ν − α e)           determinant 1: a spring of α m/h² that
//!                                                                  oscillates and loses nothing
//!   at the prediction: (e, ν) → ((1 − α)(e + ν), (1 − α)(e + ν) − e)   determinant 1 − α: damped, at α = 1 gone
//!
//! [`RadialUpdate::Impulses`] is the first, [`RadialUpdate::Positions`] the second. Both keep linear momentum. The
//! first keeps angular momentum too, as Σ m xₙ₊₁ × vₙ₊₁ = Σ m xₙ × vₙ₊₁ and Σ m xₙ × Δ(xₙ) = 0; the second
//! changes it by Σ m Δ(x*) × v* per step, as every projection of predicted positions does.

mod averaged;
mod region;
#[cfg(test)]
mod tests;

use glam::Vec4;

use crate::cloth::{Cloth, Stretch};
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::{Facts, Solver, Weight};
use crate::state::{Point, State, with_points};
use crate::{Error, Feature};
use averaged::AveragedRegions;

/// What counts as a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum RadialRegions {
    /// Triangles (the paper's table 1).
    Triangles,
    /// Edges (table 2).
    Edges,
    /// Triangles, then edges (table 3).
    #[default]
    Both,
}

/// Where deformation is measured, and so what a correction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum RadialUpdate {
    /// Where the cloth is at the start of a step: corrections become velocities before positions are integrated, as
    /// in the paper. A spring as stiff as the step allows: its oscillations do not die out by themselves.
    Impulses,
    /// Where the cloth would be at the end of a step: corrections of predicted positions.
    #[default]
    Positions,
}

/// Options of the solver. α and β are those of the material's
/// [`Stretch::Coefficients`]; physical stiffness is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct RadialMatching {
    /// What counts as a region.
    pub regions: RadialRegions,
    /// Where deformation is measured.
    pub update: RadialUpdate,
}

/// The solver, built for one cloth.
pub(crate) struct RadialMatchingSolver {
    update: RadialUpdate,
    triangles: Option<AveragedRegions<3>>,
    edges: Option<AveragedRegions<2>>,
    triangle_count: usize,
}

impl RadialMatching {
    /// Prepares the regions of a cloth.
    pub(crate) fn build(&self, cloth: &Cloth) -> Result<RadialMatchingSolver, Error> {
        let Stretch::Coefficients { alpha, beta } = cloth.material.stretch else {
            let what = "physical stretch stiffness (give stretch = { alpha, beta })";
            return Err(Error::Unsupported {
                by: "radial matching",
                feature: Feature::PhysicalStretch,
                what,
            });
        };
        let triangles = self.regions != RadialRegions::Edges;
        let edges = self.regions != RadialRegions::Triangles;
        Ok(RadialMatchingSolver {
            update: self.update,
            triangles: triangles.then(|| AveragedRegions::new(cloth, &cloth.mesh.triangles, alpha)),
            edges: edges.then(|| AveragedRegions::new(cloth, &cloth.topology.edges, beta)),
            triangle_count: cloth.mesh.triangles.len(),
        })
    }
}

impl RadialMatchingSolver {
    /// Triangles, then edges, which see what triangles have done.
    fn correct<P: Point>(&mut self, points: &mut [P], execution: Execution, timings: &mut Timings) {
        if let Some(triangles) = &mut self.triangles {
            timings.time(Stage::ShapeMatching2d, || {
                triangles.measure(points, execution);
                triangles.add_to(points, 1.0, execution);
            });
        }
        if let Some(edges) = &mut self.edges {
            timings.time(Stage::ShapeMatching1d, || {
                edges.measure(points, execution);
                edges.add_to(points, 1.0, execution);
            });
        }
    }
}

impl Solver for RadialMatchingSolver {
    fn facts(&self) -> Facts {
        Facts::new(vec![self.triangle_count])
    }

    fn weigh(&mut self, weights: &[Weight]) {
        if let Some(triangles) = &mut self.triangles {
            triangles.weigh(weights);
        }
        if let Some(edges) = &mut self.edges {
            edges.weigh(weights);
        }
    }

    /// [Anonymous] §3.3.3: Δv = Δx/h. Points stay, so triangles and edges see the same.
    fn predict(&mut self, state: &mut State, dt: f32, execution: Execution, timings: &mut Timings) {
        let State { points, velocities, .. } = state;
        if self.update != RadialUpdate::Impulses {
            return;
        }
        if let Some(triangles) = &mut self.triangles {
            timings.time(Stage::ShapeMatching2d, || {
                triangles.measure(points, execution);
                triangles.add_to(velocities, 1.0 / dt, execution);
            });
        }
        if let Some(edges) = &mut self.edges {
            timings.time(Stage::ShapeMatching1d, || {
                edges.measure(points, execution);
                edges.add_to(velocities, 1.0 / dt, execution);
            });
        }
    }

    fn solve(&mut self, _round: u32, state: &mut State, execution: Execution, timings: &mut Timings) {
        if self.update == RadialUpdate::Positions {
            with_points!(state, |points| self.correct(points, execution, timings));
        }
    }

    /// After contacts. With impulses deformation is countered by velocities only, in the next step.
    fn smooth(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings) {
        if self.update == RadialUpdate::Positions {
            self.correct(points, execution, timings);
        }
    }
}
