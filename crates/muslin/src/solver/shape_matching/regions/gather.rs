//! Shape matching by averaging: every region looks at the same positions, every vertex takes the
//! mean of what its regions ask for ([Bender2013] §5, the GPU's way).
//!
//! This is Jacobi's iteration: softer than Gauss-Seidel, but without any order. It is the twin of
//! the GPU engine. Here belong the 1/|R_i| of eq. 12 and 15 and the masses per region m_i/|R_i|
//! (errata 8), which keep the momentum. |R_i| is the number of a vertex's edges in both passes: on a
//! boundary that is one more than it has triangles. So one factor per vertex serves both, on the GPU
//! folded into the stored mass.

use glam::{Vec3, Vec4};

use super::edge::edge_correction;
use super::triangle::{
    Goal, RestTriangle, flatten, is_collapsed, pose_frames, repair_frame, triangle_correction,
};
use crate::execution::Execution;
use crate::hierarchy::Level;
use crate::math::csr::Csr;
use crate::solver::shape_matching::plan::LevelPlan;
use crate::state::Point;

/// The regions of one level, for gathering.
#[derive(Clone, Debug)]
pub(crate) struct GatherRegions {
    edges: Vec<[u32; 2]>,
    rest_lengths: Vec<f32>,
    beta: Vec<f32>,
    triangles: Vec<[u32; 3]>,
    rest: Vec<RestTriangle<f32>>,
    alpha: Vec<f32>,
    poses: Vec<[Vec4; 2]>,
    /// Per vertex: edge number times two plus which end it is.
    vertex_edges: Csr,
    /// Per vertex: triangle number times three plus which corner it is.
    vertex_corners: Csr,
    edge_changes: Vec<[Vec3; 2]>,
    triangle_changes: Vec<[Vec3; 3]>,
}

impl GatherRegions {
    pub fn new(plan: LevelPlan) -> Self {
        let LevelPlan { level, topology, rest_lengths, betas, rest_triangles, alphas, .. } = plan;
        let Level { positions, triangles, .. } = level;
        let edges = topology.edges;
        let ends =
            edges.iter().enumerate().flat_map(|(e, vs)| (0..2).map(move |k| (vs[k], (2 * e + k) as u32)));
        let corners =
            triangles.iter().enumerate().flat_map(|(t, vs)| (0..3).map(move |k| (vs[k], (3 * t + k) as u32)));
        Self {
            vertex_edges: Csr::from_pairs(positions.len(), ends),
            vertex_corners: Csr::from_pairs(positions.len(), corners),
            poses: pose_frames(&positions, &triangles),
            edge_changes: vec![[Vec3::ZERO; 2]; edges.len()],
            triangle_changes: vec![[Vec3::ZERO; 3]; triangles.len()],
            edges,
            rest_lengths,
            beta: betas,
            triangles,
            rest: rest_triangles,
            alpha: alphas,
        }
    }

    /// One averaged pass of 1D shape matching, its corrections times `factor`.
    pub fn match_edges<P: Point>(
        &mut self,
        points: &mut [P],
        only_stretched: bool,
        factor: f32,
        execution: Execution,
    ) {
        let Self { edges, rest_lengths, beta, vertex_edges, edge_changes, .. } = self;
        let regions = |v: u32| vertex_edges.row(v as usize).len() as f32;
        let seen: &[P] = points;
        execution.for_each_chunk(edge_changes, |first, chunk| {
            for (offset, change) in chunk.iter_mut().enumerate() {
                let e = first + offset;
                let [a, b] = edges[e];
                let (xa, xb) = (seen[a as usize], seen[b as usize]);
                let (wa, wb) = (xa.w() * regions(a), xb.w() * regions(b));
                let (ends, strength) = (P::seen([xa.place(), xb.place()]), factor * beta[e]);
                let along = edge_correction(ends, wa + wb, rest_lengths[e], strength, only_stretched);
                *change = [(along * wa).into(), (along * (-wb)).into()];
            }
        });
        average(points, vertex_edges, vertex_edges, |slot| edge_changes[slot / 2][slot % 2], execution);
    }

    /// One averaged pass of 2D shape matching.
    pub fn match_triangles<P: Point>(
        &mut self,
        points: &mut [P],
        only_stretched: bool,
        execution: Execution,
    ) {
        let Self { triangles, rest, alpha, poses, vertex_edges, vertex_corners, triangle_changes, .. } = self;
        let seen: &[P] = points;
        execution.for_each_chunk(triangle_changes, |first, chunk| {
            for (offset, change) in chunk.iter_mut().enumerate() {
                let t = first + offset;
                let x = P::seen(triangles[t].map(|v| seen[v as usize].place()));
                let w =
                    triangles[t].map(|v| seen[v as usize].w() * vertex_edges.row(v as usize).len() as f32);
                let goal = match only_stretched {
                    true => Goal::OnlyStretched { alpha: alpha[t] },
                    false => Goal::Rigid { alpha: alpha[t] },
                };
                let mut flat = flatten(x[1] - x[0], x[2] - x[0]);
                if is_collapsed(&flat, rest[t]) {
                    repair_frame(&mut flat, rest[t], poses[t]);
                }
                *change = triangle_correction(&flat, w, rest[t], goal).map(Vec3::from);
            }
        });
        average(points, vertex_corners, vertex_edges, |slot| triangle_changes[slot / 3][slot % 3], execution);
    }
}

/// Adds to every point the mean of what its regions ask for.
fn average<P: Point>(
    points: &mut [P],
    regions: &Csr,
    vertex_edges: &Csr,
    change: impl Fn(usize) -> Vec3 + Sync,
    execution: Execution,
) {
    execution.for_each_chunk(points, |first, chunk| {
        for (offset, point) in chunk.iter_mut().enumerate() {
            let row = regions.row(first + offset);
            let sum: Vec3 = row.iter().map(|&slot| change(slot as usize)).sum();
            let mean = sum / vertex_edges.row(first + offset).len().max(1) as f32;
            *point = point.plus(mean.extend(0.0));
        }
    });
}
