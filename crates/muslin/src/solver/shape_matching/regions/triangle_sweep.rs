//! 2D regions in sweep order: the maths of [`super::triangle`] on eight triangles at a time.

use glam::{DVec3, Vec3, Vec4};

use super::triangle::{
    Flat, Goal, RestTriangle, flatten, is_collapsed, pose_frames, repair_frame, triangle_correction,
};
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::solver::sweep::{ForEach, Sweep};
use crate::state::Point;

/// Eight triangles with their rest data.
#[derive(Clone, Debug)]
pub(crate) struct TrianglePack {
    vertices: [[u32; WIDTH]; 3],
    l: [f32; WIDTH],
    d: [f32; WIDTH],
    h: [f32; WIDTH],
    alpha: [f32; WIDTH],
    elements: [u32; WIDTH],
}

/// The triangles of a level in sweep order, with what a collapsed one needs.
#[derive(Clone, Debug)]
pub(crate) struct TriangleSweep {
    sweep: Sweep<TrianglePack>,
    /// Rest frames, for collapsed triangles only.
    poses: Vec<[Vec4; 2]>,
}

/// Arranges triangles for sweeping; `alpha` is the stiffness of eq. 12, per triangle.
pub(crate) fn triangle_sweep(
    positions: &[DVec3],
    triangles: &[[u32; 3]],
    rest: &[RestTriangle<f32>],
    alpha: &[f32],
) -> TriangleSweep {
    let sweep = Sweep::fine(positions.len(), triangles, |source| TrianglePack {
        vertices: source.vertices(triangles),
        l: source.lanes(|t| rest[t].l),
        d: source.lanes(|t| rest[t].d),
        h: source.lanes(|t| rest[t].h),
        alpha: source.lanes(|t| alpha[t]),
        elements: *source.elements,
    });
    TriangleSweep { sweep, poses: pose_frames(positions, triangles) }
}

struct ProjectTriangles<'a, P> {
    packs: &'a [TrianglePack],
    points: &'a mut [P],
    poses: &'a [[Vec4; 2]],
    only_stretched: bool,
}

impl<P: Point> Kernel for ProjectTriangles<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let (a, w1) = P::gather::<L>(self.points, &pack.vertices[0]);
            let (b, w2) = P::gather::<L>(self.points, &pack.vertices[1]);
            let (c, w3) = P::gather::<L>(self.points, &pack.vertices[2]);
            let [x1, x2, x3] = P::seen([a, b, c]);
            let rest = RestTriangle { l: L::load(&pack.l), d: L::load(&pack.d), h: L::load(&pack.h) };
            let alpha = L::load(&pack.alpha);
            let goal =
                if self.only_stretched { Goal::OnlyStretched { alpha } } else { Goal::Rigid { alpha } };
            let mut flat = flatten(x2 - x1, x3 - x1);
            if is_collapsed(&flat, rest) {
                repair_lanes(&mut flat, rest, &pack.elements, self.poses);
            }
            let [c1, c2, c3] = triangle_correction(&flat, [w1, w2, w3], rest, goal);
            P::scatter(self.points, &pack.vertices[0], P::moved(a, c1), w1);
            P::scatter(self.points, &pack.vertices[1], P::moved(b, c2), w2);
            P::scatter(self.points, &pack.vertices[2], P::moved(c, c3), w3);
        }
    }
}

/// [`repair_frame`] for each lane. Rare, hence kept out of the kernel.
#[inline(never)]
#[cold]
fn repair_lanes<L: Lanes>(
    flat: &mut Flat<L>,
    rest: RestTriangle<L>,
    elements: &[u32; WIDTH],
    poses: &[[Vec4; 2]],
) {
    let zero = L::splat(0.0);
    let (mut xs, mut ys) = (L::to_points(flat.ax.with_w(zero)), L::to_points(flat.ay.with_w(zero)));
    let sizes = L::to_points([flat.length, flat.along, flat.height, zero]);
    let rests = L::to_points([rest.l, rest.d, rest.h, zero]);
    for lane in 0..WIDTH {
        let [length, along, height, _] = sizes[lane].to_array();
        let [l, d, h, _] = rests[lane].to_array();
        let mut own = Flat { ax: xs[lane].into(), ay: ys[lane].into(), length, along, height };
        repair_frame(&mut own, RestTriangle { l, d, h }, poses[elements[lane] as usize]);
        (xs[lane], ys[lane]) = (Vec3::from(own.ax).extend(0.0), Vec3::from(own.ay).extend(0.0));
    }
    flat.ax = V3::without_w(L::load_points(xs));
    flat.ay = V3::without_w(L::load_points(ys));
}

/// One Gauss-Seidel sweep of 2D shape matching, after what is to be done first to each point.
pub(in crate::solver::shape_matching) fn match_triangles<P: Point>(
    triangles: &TriangleSweep,
    first: Option<ForEach<P>>,
    points: &mut [P],
    only_stretched: bool,
    execution: Execution,
) {
    let poses = &triangles.poses;
    triangles.sweep.run_after(first, points, execution, &|packs, points, _| {
        dispatch(execution.instructions, ProjectTriangles { packs, points, poses, only_stretched });
    });
}
