//! 1D regions: shape matching on edges ([Bender2013] §4.2).
//!
//! Input: two points with inverse masses, the rest length. Output: what to add to the points.

use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, Real, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::solver::sweep::{ForEach, Sweep};
use crate::state::Point;

/// Below this, a length times an inverse mass counts as zero (inverse masses are near one).
pub(super) const TINY: f32 = 1e-20;

/// The correction of an edge, per unit of inverse mass, along b − a: a gets `+ w_a · result`,
/// b gets `− w_b · result`.
///
/// [Bender2013] eq. 14–15. Both goals lie on the edge, at the rest distance from the centre of
/// mass, so with w = 1/m the change of a is w_a/(w_a + w_b) · (1 − l0/l) · (b − a). A fixed
/// particle has w = 0: infinitely heavy. `only_stretched` leaves compressed edges alone, which
/// conserves the wrinkles of finer levels. An edge of zero length has no direction and is skipped.
#[inline(always)]
pub(crate) fn edge_correction<R: Real>(
    [a, b]: [V3<R>; 2],
    inverse_masses: R,
    rest_length: R,
    stiffness: R,
    only_stretched: bool,
) -> V3<R> {
    let along = b - a;
    let length = along.dot(along).sqrt();
    let mut excess = length - rest_length;
    if only_stretched {
        excess = excess.max(R::splat(0.0));
    }
    along * (stiffness * excess / (length * inverse_masses).max(R::splat(TINY)))
}

/// How far the ends go by a correction per unit of inverse mass.
#[inline(always)]
pub(super) fn to_ends<R: Real>(change: V3<R>, aw: R, bw: R) -> [V3<R>; 2] {
    [change * aw, change * (bw * R::splat(-1.0))]
}

/// Eight edges with their rest data.
#[derive(Clone, Debug)]
pub(crate) struct EdgePack {
    pub(in crate::solver::shape_matching) vertices: [[u32; WIDTH]; 2],
    pub(in crate::solver::shape_matching) rest_length: [f32; WIDTH],
    pub(in crate::solver::shape_matching) stiffness: [f32; WIDTH],
}

/// Arranges edges for sweeping; `stiffness` is β of eq. 15, per edge.
pub(crate) fn edge_sweep(
    vertices: usize,
    edges: &[[u32; 2]],
    rest_lengths: &[f32],
    stiffness: &[f32],
) -> Sweep<EdgePack> {
    Sweep::fine(vertices, edges, |source| EdgePack {
        vertices: source.vertices(edges),
        rest_length: source.lanes(|e| rest_lengths[e]),
        stiffness: source.lanes(|e| stiffness[e]),
    })
}

/// Projects packs of edges one after the other.
pub(crate) struct ProjectEdges<'a, P> {
    packs: &'a [EdgePack],
    points: &'a mut [P],
    only_stretched: bool,
}

impl<P: Point> Kernel for ProjectEdges<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let (a, aw) = P::gather::<L>(self.points, &pack.vertices[0]);
            let (b, bw) = P::gather::<L>(self.points, &pack.vertices[1]);
            let ends = P::seen([a, b]);
            let (rest_length, stiffness) = (L::load(&pack.rest_length), L::load(&pack.stiffness));
            let change = edge_correction(ends, aw + bw, rest_length, stiffness, self.only_stretched);
            let [to_a, to_b] = to_ends(change, aw, bw);
            P::scatter(self.points, &pack.vertices[0], P::moved(a, to_a), aw);
            P::scatter(self.points, &pack.vertices[1], P::moved(b, to_b), bw);
        }
    }
}

/// One Gauss-Seidel sweep of 1D shape matching, after what is to be done first to each point.
pub(in crate::solver::shape_matching) fn match_edges<P: Point>(
    sweep: &Sweep<EdgePack>,
    first: Option<ForEach<P>>,
    points: &mut [P],
    only_stretched: bool,
    execution: Execution,
) {
    sweep.run_after(first, points, execution, &|packs, points, _| {
        dispatch(execution.instructions, ProjectEdges { packs, points, only_stretched });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretched_edge_gets_its_rest_length_and_keeps_its_centre_of_mass() {
        let (a, b) = (V3::new(1.0f32, 2.0, 3.0), V3::new(4.0, -1.0, 5.0));
        let (wa, wb) = (0.5f32, 2.0);
        let change = edge_correction([a, b], wa + wb, 2.5, 1.0, false);
        let (a1, b1) = (a + change * wa, b - change * wb);
        let d = b1 - a1;
        assert!((d.dot(d).sqrt() - 2.5).abs() < 1e-6);
        let centre = |a: V3<f32>, b: V3<f32>| (a.x / wa + b.x / wb) / (1.0 / wa + 1.0 / wb);
        assert!((centre(a, b) - centre(a1, b1)).abs() < 1e-6);
    }

    #[test]
    fn compressed_edges_are_left_alone_on_coarse_levels_only() {
        let (a, b) = (V3::new(0.0f32, 0.0, 0.0), V3::new(1.0, 0.0, 0.0));
        assert_eq!(edge_correction([a, b], 2.0, 3.0, 1.0, true).x, 0.0);
        assert_eq!(edge_correction([a, b], 2.0, 3.0, 1.0, false).x, -1.0);
    }

    #[test]
    fn zero_length_and_two_fixed_ends_change_nothing() {
        let p = V3::new(1.0f32, 1.0, 1.0);
        let change = edge_correction([p, p], 2.0, 3.0, 1.0, false);
        assert_eq!((change.x, change.y, change.z), (0.0, 0.0, 0.0));
        let change = edge_correction([p, V3::new(2.0, 1.0, 1.0)], 0.0, 0.5, 1.0, false);
        assert!((change * 0.0).x == 0.0);
    }
}
