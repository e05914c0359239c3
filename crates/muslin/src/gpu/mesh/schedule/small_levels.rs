//! The levels that fit into one workgroup, and are worked on in one dispatch.

use crate::gpu::mesh::model::{LevelRange, Model};
use crate::gpu::mesh::uniforms::SmallLevel;
use crate::solver::Cycle;

/// What one workgroup can hold of the small levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu::mesh) struct SmallSizes {
    pub threads: u32,
    /// Points of all small levels together.
    pub total: u32,
    /// Points of the largest of them.
    pub largest: u32,
}

impl SmallSizes {
    /// As much as a device allows.
    pub fn of(limits: &wgpu::Limits) -> Self {
        let threads = limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x);
        // Two parts for all levels, of which each has half the points of the next, one for the next pass.
        let largest = limits.max_compute_workgroup_storage_size / 16 / 3;
        Self { threads: threads.min(1024), total: 2 * largest, largest }
    }

    /// What stands before every kernel.
    pub fn constants(self) -> String {
        let Self { threads, total, largest } = self;
        format!("const THREADS = {threads}u;\nconst TOTAL = {total}u;\nconst LARGEST = {largest}u;\n")
    }
}

/// The coarsest levels that fit into one workgroup; none if they are not at least two, or if there is more to
/// do on them than edges.
pub(in crate::gpu::mesh) fn small_levels(model: &Model, cycle: Cycle, small: SmallSizes) -> Vec<SmallLevel> {
    let mut levels: Vec<SmallLevel> = Vec::new();
    let mut offset = 0;
    for range in &model.levels[..model.levels.len() - 1] {
        let edges_only = range.match_edges && !range.match_triangles && !range.bends;
        if !edges_only || range.count > small.largest || offset + range.count > small.total {
            break;
        }
        levels.push(small_level(range, cycle, offset));
        offset += range.count;
    }
    if levels.len() < 2 { Vec::new() } else { levels }
}

fn small_level(range: &LevelRange, cycle: Cycle, offset: u32) -> SmallLevel {
    SmallLevel {
        first: range.first,
        count: range.count,
        offset,
        only_stretched: u32::from(range.only_stretched),
        beta: range.beta * range.edge_factors.first().copied().unwrap_or(1.0),
        down: if cycle == Cycle::V { range.passes } else { 0 },
        up: range.passes,
        padding: 0,
    }
}
