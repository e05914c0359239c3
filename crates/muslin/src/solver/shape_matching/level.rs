//! One level of the hierarchy as the solver sees it: points, regions, and one smoothing pass.

use glam::Vec4;

use super::regions::edge::{EdgePack, match_edges};
use super::regions::gather::GatherRegions;
use super::regions::membrane::MembraneSweep;
use super::regions::touching_edge::match_touching_edges;
use super::regions::triangle_sweep::{TriangleSweep, match_triangles};
use crate::bending::PositionBending;
use crate::diagnostics::timings::{Stage, Timings};
use crate::execution::Execution;
use crate::solver::sweep::{ForEach, Sweep};
use crate::state::Point;

/// How the regions of a level are brought together.
#[derive(Clone, Debug)]
pub(super) enum Regions {
    /// Gauss-Seidel: each region sees what the ones before it did.
    Sweeps {
        /// 1D regions, where used.
        edges: Option<Sweep<EdgePack>>,
        /// 2D regions, where used.
        triangles: Option<TriangleSweep>,
    },
    /// Gauss-Seidel over triangles with physical stiffness.
    Membrane(MembraneSweep),
    /// Jacobi: all regions see the same positions and are averaged.
    Gather {
        /// All regions.
        regions: Box<GatherRegions>,
        /// Whether 1D regions are used.
        edges: bool,
        /// Whether 2D regions are used.
        triangles: bool,
    },
}

/// A level: what it needs in a step, and nothing else.
#[derive(Clone, Debug)]
pub(super) struct SolverLevel<P> {
    /// With the inverse mass relative to the level's mean mass; 0 means fixed.
    pub points: Vec<P>,
    /// kg, which inverse masses are relative to.
    pub mean_mass: f64,
    /// What points had [reached](Point::reached) when the level was entered; after [`SolverLevel::change_since_entry`] the change.
    pub entry: Vec<Vec4>,
    /// Away from what points lie on, of length one, else zero. Empty on the finest level, and where nobody has
    /// ever asked for collisions.
    pub normals: Vec<Vec4>,
    /// For each vertex its number on the next finer level, if the levels are nested.
    pub finer_vertex: Option<Vec<u32>>,
    /// Compressed regions are left alone, so that finer levels keep their wrinkles.
    pub only_stretched: bool,
    /// How often a visit goes over the edges, with their factors, and then over the triangles.
    pub passes: u32,
    /// Factors on averaged edges, one per pass over them.
    pub edge_factors: Vec<f32>,
    pub regions: Regions,
    /// The part of the bending stiffness that finer levels could not bring to bear.
    pub bending: Option<PositionBending>,
}

impl<P: Point> SolverLevel<P> {
    /// Stores the current positions as the entry.
    pub fn remember_entry(&mut self) {
        self.entry.iter_mut().zip(&self.points).for_each(|(entry, point)| *entry = point.reached());
    }

    /// Turns the stored entry into the change since then, in place.
    pub fn change_since_entry(&mut self, execution: Execution) -> &[Vec4] {
        let points = &self.points;
        execution.for_each_chunk(&mut self.entry, |first, chunk| {
            for (entry, &point) in chunk.iter_mut().zip(&points[first..]) {
                *entry = point.reached() - *entry;
            }
        });
        &self.entry
    }

    /// A visit to the level: bending, where it has a part in it, then passes over 1D and 2D regions. `first` is done to
    /// each point before, within the first sweep where there is one (and its time counts as that sweep's).
    pub fn match_shapes(
        &mut self,
        mut first: Option<ForEach<P>>,
        execution: Execution,
        timings: &mut Timings,
    ) {
        let begins_with_sweep =
            self.bending.is_none() && !self.touches() && !matches!(self.regions, Regions::Gather { .. });
        if let (Some(first), false) = (first, begins_with_sweep) {
            timings.time(Stage::Transfer, || execution.for_each_chunk(&mut self.points, first));
        }
        first = first.filter(|_| begins_with_sweep);
        if let Some(bending) = &mut self.bending {
            timings.time(Stage::Bending, || bending.apply(&mut self.points, execution));
        }
        for _ in 0..self.passes {
            self.match_regions(&mut first, execution, timings);
        }
        // Where there are no regions (neither triangles nor edges are asked for) there was no sweep to go along with.
        if let Some(first) = first {
            timings.time(Stage::Transfer, || execution.for_each_chunk(&mut self.points, first));
        }
    }

    /// Whether anything lies on something.
    fn touches(&self) -> bool {
        self.normals.iter().any(|normal| *normal != Vec4::ZERO)
    }

    fn match_regions(&mut self, first: &mut Option<ForEach<P>>, execution: Execution, timings: &mut Timings) {
        let touches = self.touches();
        let Self { points, normals, regions, only_stretched, edge_factors, .. } = self;
        match regions {
            Regions::Sweeps { edges, triangles } => {
                if let Some(edges) = edges {
                    for _ in edge_factors {
                        timings.time(Stage::ShapeMatching1d, || match touches {
                            false => match_edges(edges, first.take(), points, *only_stretched, execution),
                            true => match_touching_edges(edges, points, normals, *only_stretched, execution),
                        });
                    }
                }
                if let Some(triangles) = triangles {
                    timings.time(Stage::ShapeMatching2d, || {
                        match_triangles(triangles, first.take(), points, *only_stretched, execution);
                    });
                }
            }
            Regions::Membrane(membrane) => {
                timings.time(Stage::ShapeMatching2d, || membrane.apply(first.take(), points, execution));
            }
            Regions::Gather { regions, edges, triangles } => {
                if *edges {
                    for &factor in &*edge_factors {
                        timings.time(Stage::ShapeMatching1d, || {
                            regions.match_edges(points, *only_stretched, factor, execution)
                        });
                    }
                }
                if *triangles {
                    timings.time(Stage::ShapeMatching2d, || {
                        regions.match_triangles(points, *only_stretched, execution);
                    });
                }
            }
        }
    }
}
