//! How far edges of cloth with a physical stiffness may be stretched or compressed at the most.
//!
//! Input: points with inverse masses, the rest lengths of edges. Output: moved points. Woven and knitted threads lock:
//! the stiffness of a fabric is that of small strains. And single edges of a garment that hits the floor would come to
//! rest in folds where triangles hold each other at a strain of 40 %, in which no force of theirs leads out.
//!
//! Edges are few that lock at a time, but they may be small ones between large ones (scans, characters), and one sweep
//! moves a light particle half-way between two heavy ones: sweeps go on until all edges hold. In a step without such
//! edges that is a single one, and so it is in cloth that is drawn out as a whole, between pins or over a body: there is no
//! place where its threads could all hold.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec4;

use super::edge::{TINY, to_ends};
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, WIDTH, dispatch};
use crate::solver::sweep::Sweep;
use crate::state::Point;

/// How far beyond its limits an edge may stay, relative to its length.
const SLACK: f32 = 0.01;

/// Most sweeps in a step, and in a turn with contacts, of which there are many. A character of 40,000 edges from 3 mm to
/// 60 cm, falling through air in jersey, is at 132 % with 4, at 40 % with 64 and at 16 % with 256. With 16 in a turn some
/// drops of the laws (`tests/laws/floor.rs`) reach 32 %.
pub(in crate::solver::shape_matching) const MOST_SWEEPS: u32 = 256;
pub(in crate::solver::shape_matching) const MOST_SWEEPS_IN_A_TURN: u32 = 64;

/// Cloth of which a greater part than this is locked when a substep begins is drawn out as a whole. (At its end as much may
/// be locked for a moment, in an impact, and then sweeps do help.)
const DRAWN_OUT: f64 = 0.25;

/// Edges with the strains at which they lock.
#[derive(Clone, Debug)]
pub(in crate::solver::shape_matching) struct EdgeLimits {
    sweep: Sweep<LimitPack>,
    /// So many packs with a locked edge are [`DRAWN_OUT`].
    most_locked: usize,
}

/// Eight edges with their bounds.
#[derive(Clone, Debug)]
struct LimitPack {
    vertices: [[u32; WIDTH]; 2],
    shortest: [f32; WIDTH],
    longest: [f32; WIDTH],
}

impl EdgeLimits {
    /// For edges whose strain is limited to a fraction.
    pub fn new(vertices: usize, edges: &[[u32; 2]], rest_lengths: &[f32], limit: f32) -> Self {
        let sweep = Sweep::fine(vertices, edges, |source| LimitPack {
            vertices: source.vertices(edges),
            shortest: source.lanes(|e| rest_lengths[e] * (1.0 - limit)),
            longest: source.lanes(|e| rest_lengths[e] * (1.0 + limit)),
        });
        Self { sweep, most_locked: (DRAWN_OUT * (edges.len() / WIDTH) as f64).ceil() as usize }
    }

    /// Gauss-Seidel sweeps until all edges hold. Whether they did before.
    pub fn hold<P: Point>(&self, points: &mut [P], most_sweeps: u32, execution: Execution) -> bool {
        let sweeps = (0..most_sweeps).take_while(|_| self.hold_once(points, execution) > 0).count();
        sweeps == 0
    }

    /// Whether so much is locked that the cloth is drawn out. Takes the points as scratch space.
    pub fn are_drawn_out(&self, points: &mut [Vec4], execution: Execution) -> bool {
        self.hold_once(points, execution) > self.most_locked
    }

    /// Draws edges back to their limits in one sweep. How many packs had edges beyond them, by more than [`SLACK`], when
    /// their turn came.
    pub fn hold_once<P: Point>(&self, points: &mut [P], execution: Execution) -> usize {
        let locked = AtomicUsize::new(0);
        self.sweep.run(points, execution, &|packs, points, _| {
            let own = dispatch(execution.instructions, LimitEdges { packs, points });
            if own > 0 {
                locked.fetch_add(own, Ordering::Relaxed);
            }
        });
        locked.into_inner()
    }
}

struct LimitEdges<'a, P> {
    packs: &'a [LimitPack],
    points: &'a mut [P],
}

impl<P: Point> Kernel for LimitEdges<'_, P> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self) -> usize {
        let zero = L::splat(0.0);
        let mut locked = 0;
        for pack in self.packs {
            let (a, aw) = P::gather::<L>(self.points, &pack.vertices[0]);
            let (b, bw) = P::gather::<L>(self.points, &pack.vertices[1]);
            let [seen_a, seen_b] = P::seen([a, b]);
            let along = seen_b - seen_a;
            let length = along.dot(along).sqrt();
            let too_long = (length - L::load(&pack.longest)).max(zero);
            let too_short = (length - L::load(&pack.shortest)).min(zero);
            let allowed = L::load(&pack.longest) * L::splat(SLACK);
            locked += usize::from(allowed.any_lt(too_long - too_short));
            let change = along * ((too_long + too_short) / (length * (aw + bw)).max(L::splat(TINY)));
            let [to_a, to_b] = to_ends(change, aw, bw);
            P::scatter(self.points, &pack.vertices[0], P::moved(a, to_a), aw);
            P::scatter(self.points, &pack.vertices[1], P::moved(b, to_b), bw);
        }
        locked
    }
}
