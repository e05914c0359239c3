//! Multi-resolution shape matching \[Bender2013\] §4.
//!
//! Regions are triangles (2D) and edges (1D) on every level of a mesh hierarchy. A V-cycle visits
//! the levels; on each, every region pulls its points towards its own undeformed shape. Two variants, one of them in
//! two orders, exist because the paper's text, its GPU program and the best use of its idea differ;
//! `docs/papers/bender2013.md` compares them.

mod build;
mod level;
pub(crate) mod plan;
pub(crate) mod regions;
mod rest_length;
pub(crate) mod restriction;
mod stiffness;
mod vcycle;
mod weighed;

use glam::Vec4;

use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::hierarchy::{HierarchyOptions, Transfer};
use crate::solver::{Facts, Locks, Order, Senses, Solver, StrainLimit, Touch, Weight};
use crate::state::{Point, State};
use level::SolverLevel;
use regions::edge_limit::{EdgeLimits, MOST_SWEEPS, MOST_SWEEPS_IN_A_TURN};
use restriction::Restriction;
use weighed::Weighed;

/// What is computed; in which [`Order`] is another question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Variant {
    /// Full approximation scheme, edges on coarse levels and triangles on the finest: the stiffest per millisecond. (The
    /// paper's GPU program averages, and has triangles on coarse levels too. These feed short steps and thin triangles: half a
    /// tube of slivers in free fall flew apart.)
    #[default]
    FullApproximation,
    /// The V-cycle as printed, edges and triangles on all levels: reproduces the paper's Table 3. In the order of
    /// Gauss-Seidel only.
    Paper,
}

/// When the levels are worked on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Cycle {
    /// On the way down and on the way up, as in the paper.
    #[default]
    V,
    /// On the way up only: half the work for less than twice the strain. Since strain goes with the
    /// square of the step, twice the substeps with this are stiffer than the V-cycle and cost the
    /// same (`docs/performance.md`). For the full approximation scheme only.
    Sawtooth,
}

/// Options of the solver.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ShapeMatching {
    /// What is computed.
    pub variant: Variant,
    /// In which order a level's regions are gone through. `None` is the back end's: Gauss-Seidel on the CPU; Jacobi on a
    /// GPU, which has no other.
    pub order: Option<Order>,
    /// The mesh hierarchy.
    pub hierarchy: HierarchyOptions,
    /// Whether 1D regions (edges) are used besides the triangles.
    pub edges: bool,
    /// Whether coarse levels leave compressed regions alone, so that fine wrinkles survive.
    pub conserve_wrinkles: bool,
    /// When the levels are worked on.
    pub cycle: Cycle,
    /// Cycles per step. Substeps make better use of the same time.
    pub cycles: u32,
    /// Passes over the regions of a coarse level whenever it is visited.
    pub coarse_passes: u32,
    /// Passes over the edges of the finest level whenever it is visited. Where edges are averaged, several
    /// passes have the factors of Chebyshev's iteration, which together undo more than equal ones, and
    /// [`over_relaxation`](Self::over_relaxation) has no part in them. At most 8.
    pub edge_passes: u32,
    /// Factor on the corrections of averaged regions, where an average undoes less than could be
    /// undone: 1 is the plain mean, more is stiffer. An inner vertex of six edges stays stable up to 4, one on a
    /// boundary up to 2.7; triangles get 1.8 at the most. Only for [`Order::Jacobi`], so for all
    /// that a GPU does.
    pub over_relaxation: f32,
}

impl ShapeMatching {
    /// The default with regions averaged per vertex, on every back end.
    pub fn averaged() -> Self {
        Self { order: Some(Order::Jacobi), ..Self::default() }
    }

    /// The method as printed.
    pub fn paper() -> Self {
        Self { variant: Variant::Paper, ..Self::default() }
    }

    /// Whether regions are averaged on the CPU.
    pub(crate) fn averages(&self) -> bool {
        self.order == Some(Order::Jacobi)
    }

    /// What serves a GPU best, by the measurements of `docs/gpu.md`: few large strides between levels, two
    /// passes over edges on each, on the way up only, over-relaxed.
    pub fn for_gpu() -> Self {
        Self {
            hierarchy: HierarchyOptions {
                levels: 12,
                removal: 0.75,
                fewest_triangles: 120,
                ..HierarchyOptions::default()
            },
            cycle: Cycle::Sawtooth,
            coarse_passes: 2,
            edge_passes: 2,
            over_relaxation: 2.5,
            ..Self::default()
        }
    }
}

impl Default for ShapeMatching {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            order: None,
            hierarchy: HierarchyOptions::default(),
            edges: true,
            conserve_wrinkles: true,
            cycle: Cycle::V,
            cycles: 1,
            coarse_passes: 1,
            edge_passes: 1,
            over_relaxation: 1.0,
        }
    }
}

/// The solver, built for one cloth.
pub(crate) struct ShapeMatchingSolver<P> {
    variant: Variant,
    cycle: Cycle,
    cycles: u32,
    /// Coarsest first.
    levels: Vec<SolverLevel<P>>,
    /// Limits of the finest level's edges, where stretch has a physical stiffness.
    limits: Option<EdgeLimits>,
    /// Whether in this substep these cannot hold.
    is_drawn_out: bool,
    /// What counts as heavier than it is.
    weighed: Weighed,
    transfers: Vec<Transfer>,
    restrictions: Vec<Restriction>,
    level_triangles: Vec<usize>,
}

impl<P: Point> Solver for ShapeMatchingSolver<P> {
    fn facts(&self) -> Facts {
        let keeps_momentum = self.variant != Variant::Paper;
        Facts { keeps_momentum, ..Facts::new(self.level_triangles.clone()) }
    }

    fn weigh(&mut self, weights: &[Weight]) {
        self.weighed.weigh(weights, &mut self.levels, &self.transfers);
    }

    fn solve(&mut self, _: u32, state: &mut State, execution: Execution, timings: &mut Timings) {
        let points = P::of(state);
        let finest = self.levels.len() - 1;
        // The finest level works on the state itself.
        std::mem::swap(&mut self.levels[finest].points, points);
        for _ in 0..self.cycles {
            match self.variant {
                Variant::Paper => {
                    vcycle::printed(
                        &mut self.levels,
                        &self.transfers,
                        &self.restrictions,
                        execution,
                        timings,
                    );
                }
                Variant::FullApproximation => {
                    vcycle::full_approximation(
                        self.cycle,
                        &mut self.levels,
                        &self.transfers,
                        &self.restrictions,
                        execution,
                        timings,
                    );
                }
            }
        }
        std::mem::swap(&mut self.levels[finest].points, P::of(state));
        timings.time(Stage::ShapeMatching1d, || self.hold_edges(state, execution));
    }

    fn smooth(&mut self, points: &mut Vec<Vec4>, execution: Execution, timings: &mut Timings) {
        let finest = self.levels.len() - 1;
        let level = &mut self.levels[finest];
        P::take(&mut level.points, points);
        level.match_shapes(None, execution, timings);
        P::give(&mut level.points, points);
    }

    fn senses(&mut self) -> Senses<'_> {
        Senses::Touch(self)
    }

    fn strain_limit(&mut self) -> StrainLimit<'_> {
        StrainLimit::Locks(self)
    }
}

impl<P> Touch for ShapeMatchingSolver<P> {
    fn touch(&mut self, normals: &[Vec4]) {
        let mut finer = normals;
        for level in self.levels.iter_mut().rev().skip(1) {
            let Some(finer_vertex) = &level.finer_vertex else { break };
            level.normals.clear();
            level.normals.extend(finer_vertex.iter().map(|&v| finer[v as usize]));
            finer = &level.normals;
        }
    }
}

impl<P> Locks for ShapeMatchingSolver<P> {
    fn lock(&mut self, points: &mut [Vec4], execution: Execution, timings: &mut Timings) -> bool {
        match &self.limits {
            Some(limits) if !self.is_drawn_out => {
                timings.time(Stage::ShapeMatching1d, || limits.hold(points, MOST_SWEEPS_IN_A_TURN, execution))
            }
            _ => true,
        }
    }
}

impl<P: Point> ShapeMatchingSolver<P> {
    /// Keeps edges within the limits of their strain, unless the cloth is drawn out.
    fn hold_edges(&mut self, state: &mut State, execution: Execution) {
        let Some(limits) = &self.limits else { return };
        self.is_drawn_out = false;
        if limits.hold_once(P::of(state), execution) > 0 {
            // Nobody enters the finest level, so its entry is free.
            let finest = self.levels.len() - 1;
            let start = &mut self.levels[finest].entry;
            start.copy_from_slice(&state.previous);
            self.is_drawn_out = limits.are_drawn_out(start, execution);
            if !self.is_drawn_out {
                limits.hold(P::of(state), MOST_SWEEPS - 1, execution);
            }
        }
    }
}
