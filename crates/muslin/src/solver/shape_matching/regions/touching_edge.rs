//! 1D regions of coarse levels where cloth lies on something.
//!
//! Input: as for [`edge`](super::edge), and of each point the direction away from what it lies on. Output: the
//! same corrections, without those of edges that go through what cloth lies on.
//!
//! Cloth that lies on a body and hangs down from it follows the body; a coarse edge from a particle on it
//! to one that hangs is a straight line. Its pull has the wrong direction, into the body, and the wrong
//! place: it makes friction. Left out, such an edge does no harm, because shorter ones on finer levels do its
//! work. Edges between two particles on the body stay: a chord is shorter than its arc, so they are slack
//! unless the chord is nearly an arc.
//!
//! Tried on a strip around a cylinder, which has to slide from e^μφ on, with eight levels: taking only the
//! inward part out of the pulls of such edges (holds up to 1.1 times that), taking it out of all coarse edges or
//! out of all that coarse levels hand down (slides from less than 0.8 times that: chords do carry the pressure).

use glam::Vec4;

use super::edge::{EdgePack, TINY, edge_correction, to_ends};
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, dispatch};
use crate::math::vec3::V3;
use crate::solver::sweep::Sweep;
use crate::state::Point;

/// The sine of the angle by which an edge may lean against what one of its ends lies on; from half of it on
/// it grows weaker, so that nothing switches from step to step. Anything from 0.05 to 0.1 keeps the capstan
/// law.
const LARGEST_LEAN: f32 = 0.05;

/// Projects packs of edges one after the other.
struct ProjectTouchingEdges<'a, P> {
    packs: &'a [EdgePack],
    points: &'a mut [P],
    normals: &'a [Vec4],
    only_stretched: bool,
}

impl<P: Point> Kernel for ProjectTouchingEdges<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let [zero, one, two] = [0.0, 1.0, 2.0].map(L::splat);
        let free = |normal: V3<L>| (one - normal.dot(normal)).max(zero);
        for pack in self.packs {
            let (a, aw) = P::gather::<L>(self.points, &pack.vertices[0]);
            let (b, bw) = P::gather::<L>(self.points, &pack.vertices[1]);
            let (normal_a, _) = Vec4::gather::<L>(self.normals, &pack.vertices[0]);
            let (normal_b, _) = Vec4::gather::<L>(self.normals, &pack.vertices[1]);
            let (rest_length, stiffness) = (L::load(&pack.rest_length), L::load(&pack.stiffness));
            let ends = P::seen([a, b]);
            let along = ends[1] - ends[0];
            let length = along.dot(along).sqrt().max(L::splat(TINY));
            let into_a = (zero - along.dot(normal_a)) * free(normal_b);
            let into_b = along.dot(normal_b) * free(normal_a);
            let lean = into_a.max(into_b).max(zero) / length;
            let share = (two - lean * L::splat(2.0 / LARGEST_LEAN)).max(zero).min(one);
            let change = edge_correction(ends, aw + bw, rest_length, stiffness * share, self.only_stretched);
            let [to_a, to_b] = to_ends(change, aw, bw);
            P::scatter(self.points, &pack.vertices[0], P::moved(a, to_a), aw);
            P::scatter(self.points, &pack.vertices[1], P::moved(b, to_b), bw);
        }
    }
}

/// One Gauss-Seidel sweep of 1D shape matching, of points that lie on something where `normals` are not zero.
pub(in crate::solver::shape_matching) fn match_touching_edges<P: Point>(
    sweep: &Sweep<EdgePack>,
    points: &mut [P],
    normals: &[Vec4],
    only_stretched: bool,
    execution: Execution,
) {
    sweep.run(points, execution, &|packs, points, start| {
        let normals = &normals[start..];
        dispatch(execution.instructions, ProjectTouchingEdges { packs, points, normals, only_stretched });
    });
}
