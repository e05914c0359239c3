//! Contacts of the grid (beyond [Schmitt2013]): folds between the vertices of the coarse mesh must not sink into what
//! that lies on.
//!
//! Every vertex of the coarse mesh knows the plane that bounds the nearest collider there at the end of the step (n·x ≥ d
//! outside). Sampled into the grid like all else, these planes are a half-space for every particle. It is exact on planes; on
//! a ball of radius r under triangles of size e it keeps particles at most e²/2r too far out.
//!
//! Particles of all levels stay out: a cloth that lies on something hangs from there, and coarse levels which do not know
//! it let it fall. (50,000 particles over a ball, 1/60 s: stretched by up to 1,400 % when only the finest level knew of the
//! ball, by 13 % since all do.) Friction is the finest level's: what pushes a particle out holds it back by a share, in the
//! prediction and after each part of its iterations. The twin of `gpu/grid/shaders/bounds/contact.wgsl`.

use glam::Vec4;

use crate::execution::Execution;
use crate::solver::Near;
use crate::solver::multilevel::lattice::{Lattice, Sample};

/// Samples what is near into the grid: per texel; nothing where nothing is near any vertex. `previous` is where particles
/// were when the step began.
pub(crate) fn sampled_near(lattice: &Lattice, near: &[Near], previous: &[Vec4], out: &mut Vec<Near>) {
    out.clear();
    if !near.is_empty() {
        out.resize(lattice.coverage.len(), Near::default());
        for sample in &lattice.samples {
            let texel = sample.texel as usize;
            out[texel] = sampled(sample, near, previous[texel]);
        }
    }
}

fn sampled(sample: &Sample, near: &[Near], previous: Vec4) -> Near {
    let (mut sum, mut weights, mut known_weight) = (Near::default(), 0.0, 0.0);
    for (&vertex, &weight) in sample.vertices.iter().zip(&sample.weights) {
        // Extrapolating weights would turn a plane over.
        let (near, weight) = (near[vertex as usize], weight.max(0.0));
        sum.plane += weight * near.plane;
        sum.before += weight * near.before;
        sum.friction += weight * near.friction;
        sum.moved += weight * near.moved;
        weights += weight;
        known_weight += if near.plane == Vec4::ZERO { 0.0 } else { weight };
    }
    let share = 1.0 / f32::max(weights, 1.0);
    let [plane, before, friction] = [sum.plane, sum.before, sum.friction].map(|sum| share * sum);
    // No plane throws a particle out that was already behind it: over a thin rod the mean of planes on both sides has no
    // meaning. It may go no further in; bringing it back is the coarse mesh's.
    let behind = f32::max(before.w - before.with_w(0.0).dot(previous), 0.0);
    let moved = sum.moved / f32::max(known_weight, 1e-6);
    Near { plane: plane.with_w(plane.w - behind), before, friction, moved }
}

/// The direction and the length of the way out of what a plane bounds; nothing where a particle is outside. Where only
/// some of its triangle's vertices know of a plane, its normal is shorter, and a particle is moved by their share, so that
/// nothing is torn at the end of a contact.
fn way_out(plane: Vec4, point: Vec4) -> (Vec4, f32) {
    let normal = plane.with_w(0.0);
    let depth = plane.w - normal.dot(point);
    (normal.normalize_or_zero(), depth.max(0.0))
}

/// A particle moved out of what its plane bounds.
pub(crate) fn pushed_out(plane: Vec4, point: Vec4) -> Vec4 {
    let (normal, depth) = way_out(plane, point);
    point + normal * depth
}

/// Moves the finest level's particles out of what is near them (per texel), with friction against how they have moved along
/// it since `previous`.
pub(crate) fn push_out(near: &[Near], previous: &[Vec4], points: &mut [Vec4], execution: Execution) {
    if near.is_empty() {
        return;
    }
    execution.for_each_chunk(points, |first, chunk| {
        for (offset, point) in chunk.iter_mut().enumerate() {
            let Near { plane, friction, moved, .. } = near[first + offset];
            let (normal, depth) = way_out(plane, *point);
            if depth <= 0.0 || point.w == 0.0 {
                continue;
            }
            *point += normal * depth;
            let slid = (*point - previous[first + offset] - moved).with_w(0.0);
            let along = slid - normal * normal.dot(slid);
            let length = along.length();
            let share =
                if length <= friction.y * depth { 1.0 } else { (friction.x * depth / length).min(1.0) };
            *point -= along * share;
        }
    });
}
