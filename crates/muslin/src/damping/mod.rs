//! Damping of velocities within the plane of the cloth ([Bender2013] §4.4).
//!
//! Input: positions and velocities. Output: damped velocities.

use glam::Vec4;

use crate::cloth::Damping;
use crate::execution::Execution;
use crate::math::csr::Csr;
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
    /// The same by gathering: all edges see the same velocities.
    GatheredEdges { neighbours: Csr, share: f32, changes: Vec<Vec4> },
    /// Per triangle, as printed.
    Printed { sweep: Sweep<[[u32; WIDTH]; 3]>, coefficient: f32 },
}

impl Damper {
    /// Prepares the damping for steps of `dt`; `averaged` asks for the form without an order.
    pub fn new(
        damping: Damping,
        vertices: usize,
        edges: &[[u32; 2]],
        triangles: &[[u32; 3]],
        dt: f64,
        averaged: bool,
    ) -> Self {
        match damping {
            Damping::Edges { rate } if rate > 0.0 && averaged => Self::GatheredEdges {
                neighbours: Csr::from_pairs(vertices, edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)])),
                share: edge_share(rate, dt),
                changes: vec![Vec4::ZERO; vertices],
            },
            Damping::Edges { rate } if rate > 0.0 => Self::Edges {
                sweep: Sweep::new(vertices, edges, |source| source.vertices(edges)),
                share: edge_share(rate, dt),
            },
            Damping::Printed { coefficient } if coefficient > 0.0 => Self::Printed {
                sweep: Sweep::new(vertices, triangles, |source| source.vertices(triangles)),
                coefficient,
            },
            _ => Self::Off,
        }
    }

    /// Damps the velocities. `points` holds positions with relative inverse masses in w.
    pub fn apply(&mut self, points: &[Vec4], velocities: &mut [Vec4], execution: Execution) {
        match self {
            Self::Off => {}
            Self::Edges { sweep, share } => {
                sweep.run(velocities, execution, &|packs, velocities, start| {
                    let points = &points[start..];
                    dispatch(execution.instructions, DampEdges { packs, points, velocities, share: *share });
                });
            }
            Self::GatheredEdges { neighbours, share, changes } => {
                gather_edges(neighbours, *share, points, velocities, changes, execution);
            }
            Self::Printed { sweep, coefficient } => {
                sweep.run(velocities, execution, &|packs, velocities, start| {
                    let points = &points[start..];
                    let coefficient = *coefficient;
                    dispatch(
                        execution.instructions,
                        DampTriangles { packs, points, velocities, coefficient },
                    );
                });
            }
        }
    }
}

/// The share of an edge's relative velocity that is taken away in a step of `dt` seconds.
pub(crate) fn edge_share(rate: f32, dt: f64) -> f32 {
    -(-f64::from(rate) * dt).exp_m1() as f32
}

/// As [`DampEdges`], for all edges at once: a vertex of R edges goes into each with the Rth part of
/// its mass, which keeps the momentum. The twin of the GPU's damping.
fn gather_edges(
    neighbours: &Csr,
    share: f32,
    points: &[Vec4],
    velocities: &mut [Vec4],
    changes: &mut [Vec4],
    execution: Execution,
) {
    let mobility = |v: usize| points[v].w * neighbours.row(v).len() as f32;
    let seen: &[Vec4] = velocities;
    execution.for_each_chunk(changes, |first, chunk| {
        for (offset, change) in chunk.iter_mut().enumerate() {
            let a = first + offset;
            let impulse = |&b: &u32| {
                let b = b as usize;
                let along = (points[b] - points[a]).with_w(0.0);
                let weight = (along.length_squared() * (mobility(a) + mobility(b))).max(1e-20);
                along * (share * (seen[b] - seen[a]).dot(along) / weight)
            };
            *change = neighbours.row(a).iter().map(impulse).sum::<Vec4>() * points[a].w;
        }
    });
    execution.for_each_chunk(velocities, |first, chunk| {
        for (velocity, change) in chunk.iter_mut().zip(&changes[first..]) {
            *velocity += *change;
        }
    });
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
            let (a, aw) = gather::<L>(self.points, first);
            let (b, bw) = gather::<L>(self.points, second);
            let (u, uw) = gather::<L>(self.velocities, first);
            let (v, vw) = gather::<L>(self.velocities, second);
            let along = b - a;
            let weight = (along.dot(along) * (aw + bw)).max(L::splat(1e-20));
            let impulse = along * (share * (v - u).dot(along) / weight);
            scatter(self.velocities, first, u + impulse * aw, uw);
            scatter(self.velocities, second, v - impulse * bw, vw);
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
            let (x1, w1) = gather::<L>(self.points, &pack[0]);
            let (x2, w2) = gather::<L>(self.points, &pack[1]);
            let (x3, w3) = gather::<L>(self.points, &pack[2]);
            let (v1, s1) = gather::<L>(self.velocities, &pack[0]);
            let (v2, s2) = gather::<L>(self.velocities, &pack[1]);
            let (v3, s3) = gather::<L>(self.velocities, &pack[2]);
            // Mass fractions from inverse masses, fixed particles very heavy.
            let heavy = L::splat(1e-6);
            let (w1, w2, w3) = (w1.max(heavy), w2.max(heavy), w3.max(heavy));
            let per_sum = L::splat(1.0) / (w2 * w3 + w1 * w3 + w1 * w2);
            let (mu1, mu2, mu3) = (w2 * w3 * per_sum, w1 * w3 * per_sum, w1 * w2 * per_sum);
            let centre = x1 * mu1 + x2 * mu2 + x3 * mu3;
            let drift = v1 * mu1 + v2 * mu2 + v3 * mu3;
            let coefficient = L::splat(self.coefficient);
            scatter(self.velocities, &pack[0], slowed(x1 - centre, v1, drift, coefficient), s1);
            scatter(self.velocities, &pack[1], slowed(x2 - centre, v2, drift, coefficient), s2);
            scatter(self.velocities, &pack[2], slowed(x3 - centre, v3, drift, coefficient), s3);
        }
    }
}

/// v − k_d (r · (v − v_cm)) r.
#[inline(always)]
fn slowed<L: Lanes>(r: V3<L>, v: V3<L>, drift: V3<L>, coefficient: L) -> V3<L> {
    v - r * (coefficient * r.dot(v - drift))
}
