//! How far edges of cloth with a physical stiffness may be stretched or compressed at the most.
//!
//! Input: two points with inverse masses, the rest length. Output: moved points. Woven and knitted threads lock: the
//! stiffness of a fabric is that of small strains. And single edges of a garment that hits the floor would come to rest
//! in folds where triangles hold each other at a strain of 40 %, in which no force of theirs leads out.

use glam::Vec4;

use super::edge::TINY;
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, WIDTH, dispatch};
use crate::solver::sweep::{Sweep, gather, scatter};

/// Eight edges with their bounds.
#[derive(Clone, Debug)]
pub(super) struct LimitPack {
    vertices: [[u32; WIDTH]; 2],
    shortest: [f32; WIDTH],
    longest: [f32; WIDTH],
}

/// Arranges edges whose strain is limited to a fraction for sweeping.
pub(super) fn limit_sweep(
    vertices: usize,
    edges: &[[u32; 2]],
    rest_lengths: &[f32],
    limit: f32,
) -> Sweep<LimitPack> {
    Sweep::fine(vertices, edges, |source| LimitPack {
        vertices: source.vertices(edges),
        shortest: source.lanes(|e| rest_lengths[e] * (1.0 - limit)),
        longest: source.lanes(|e| rest_lengths[e] * (1.0 + limit)),
    })
}

struct LimitEdges<'a> {
    packs: &'a [LimitPack],
    points: &'a mut [Vec4],
}

impl Kernel for LimitEdges<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let zero = L::splat(0.0);
        for pack in self.packs {
            let (a, aw) = gather::<L>(self.points, &pack.vertices[0]);
            let (b, bw) = gather::<L>(self.points, &pack.vertices[1]);
            let along = b - a;
            let length = along.dot(along).sqrt();
            let too_long = (length - L::load(&pack.longest)).max(zero);
            let too_short = (length - L::load(&pack.shortest)).min(zero);
            let change = along * ((too_long + too_short) / (length * (aw + bw)).max(L::splat(TINY)));
            scatter(self.points, &pack.vertices[0], a + change * aw, aw);
            scatter(self.points, &pack.vertices[1], b - change * bw, bw);
        }
    }
}

/// One Gauss-Seidel sweep.
pub(super) fn limit_edges(sweep: &Sweep<LimitPack>, points: &mut [Vec4], execution: Execution) {
    sweep.run(points, execution, &|packs, points, _| {
        dispatch(execution.instructions, LimitEdges { packs, points });
    });
}
