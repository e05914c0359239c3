//! Damping of velocities within the plane of the cloth ([Bender2013] §4.4).
//!
//! Input: positions and velocities. Output: damped velocities.

use glam::Vec4;

use crate::cloth::Damping;
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::solver::sweep::{Sweep, gather, scatter};

/// The damping of a cloth, in sweep order.
#[derive(Clone, Debug)]
pub(crate) enum Damper {
    /// No damping.
    Off,
    /// Along edges; the share of the relative velocity that is taken away per step.
    Edges { sweep: Sweep<[[u32; WIDTH]; 2]>, share: f32 },
    /// Per triangle, as printed.
    Printed { sweep: Sweep<[[u32; WIDTH]; 3]>, coefficient: f32 },
}

impl Damper {
    /// Prepares the damping for steps of `dt`.
    pub fn new(damping: Damping, vertices: usize, edges: &[[u32; 2]], triangles: &[[u32; 3]], dt: f64) -> Self {
        match damping {
            Damping::Edges { rate } if rate > 0.0 => Self::Edges {
                sweep: Sweep::new(vertices, edges, |source| source.vertices(edges)),
                share: -(-f64::from(rate) * dt).exp_m1() as f32,
            },
            Damping::Printed { coefficient } if coefficient > 0.0 => Self::Printed {
                sweep: Sweep::new(vertices, triangles, |source| source.vertices(triangles)),
                coefficient,
            },
            _ => Self::Off,
        }
    }

    /// Damps the velocities. `points` holds positions with relative inverse masses in w.
    pub fn apply(&self, points: &[Vec4], velocities: &mut [Vec4], execution: Execution) {
        match self {
            Self::Off => {}
            Self::Edges { sweep, share } => {
                sweep.run(velocities, execution.parallel, &|packs, velocities, start| {
                    let points = &points[start..];
                    dispatch(execution.instructions, DampEdges { packs, points, velocities, share: *share });
                });
            }
            Self::Printed { sweep, coefficient } => {
                sweep.run(velocities, execution.parallel, &|packs, velocities, start| {
                    let points = &points[start..];
                    let coefficient = *coefficient;
                    dispatch(execution.instructions, DampTriangles { packs, points, velocities, coefficient });
                });
            }
        }
    }
}

/// Takes a share of the relative velocity of an edge's ends along the edge, by equal and opposite
/// impulses: linear and angular momentum stay (errata 15).
struct DampEdges<'a> {
    packs: &'a [[[u32; WIDTH]; 2]],
    points: &'a [Vec4],
    velocities: &'a mut [Vec4],
    share: f32,
}

impl Kernel for DampEdges<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let share = L::splat(self.share);
        for [first, second] in self.packs {
            let [ax, ay, az, aw] = L::load_points(gather(self.points, first));
            let [bx, by, bz, bw] = L::load_points(gather(self.points, second));
            let [ux, uy, uz, us] = L::load_points(gather(self.velocities, first));
            let [vx, vy, vz, vs] = L::load_points(gather(self.velocities, second));
            let along = V3::new(bx, by, bz) - V3::new(ax, ay, az);
            let (u, v) = (V3::new(ux, uy, uz), V3::new(vx, vy, vz));
            let weight = (along.dot(along) * (aw + bw)).max(L::splat(1e-20));
            let impulse = along * (share * (v - u).dot(along) / weight);
            let (u, v) = (u + impulse * aw, v - impulse * bw);
            scatter(self.velocities, first, L::to_points([u.x, u.y, u.z, us]));
            scatter(self.velocities, second, L::to_points([v.x, v.y, v.z, vs]));
        }
    }
}

/// [Bender2013] eq. 19–20 to the letter.
struct DampTriangles<'a> {
    packs: &'a [[[u32; WIDTH]; 3]],
    points: &'a [Vec4],
    velocities: &'a mut [Vec4],
    coefficient: f32,
}

impl Kernel for DampTriangles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let load = |from: &[Vec4], c: usize| L::load_points(gather(from, &pack[c]));
            let points = [0, 1, 2].map(|c| load(self.points, c));
            let moving = [0, 1, 2].map(|c| load(self.velocities, c));
            let x = points.map(|[x, y, z, _]| V3::new(x, y, z));
            let v = moving.map(|[x, y, z, _]| V3::new(x, y, z));
            // Mass fractions from inverse masses, fixed particles very heavy.
            let [w1, w2, w3] = points.map(|[_, _, _, w]| w.max(L::splat(1e-6)));
            let per_sum = L::splat(1.0) / (w2 * w3 + w1 * w3 + w1 * w2);
            let mu = [w2 * w3 * per_sum, w1 * w3 * per_sum, w1 * w2 * per_sum];
            let mean = |p: [V3<L>; 3]| p[0] * mu[0] + p[1] * mu[1] + p[2] * mu[2];
            let (centre, centre_velocity) = (mean(x), mean(v));
            for c in 0..3 {
                let r = x[c] - centre;
                let slowed = v[c] - r * (L::splat(self.coefficient) * r.dot(v[c] - centre_velocity));
                scatter(self.velocities, &pack[c], L::to_points([slowed.x, slowed.y, slowed.z, moving[c][3]]));
            }
        }
    }
}
