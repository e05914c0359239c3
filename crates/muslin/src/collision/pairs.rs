//! Broad phase: which features come near each other during the step.
//!
//! Input: where all points are at the start and the end of the step. Output: pairs of a point and a
//! face, and of two edges, each once, in an order that depends only on the input. The boxes of points
//! are swept over the step and enlarged by what the body keeps free and a margin; as long as all ends
//! stay in them, the pairs are complete.

use glam::{DVec3, Vec3, Vec4};
use rayon::prelude::*;

use super::bodies::Bodies;
use super::body::{Body, Primitive};
use super::bvh::{Aabb, Bvh, Overlaps};
use super::proximity;
use crate::execution::Execution;

/// How many pairs of primitives are turned into pairs of features at a time.
const CHUNK: usize = 4096;

/// How far ends may still be moved before pairs are looked for again, relative to a body's reach.
const MARGIN: f32 = 1.0;

/// The points of all bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Points {
    /// Metres, at the start of the step; w is the inverse mass in 1/kg (0: cannot be moved).
    pub start: Vec<Vec4>,
    /// At its end.
    pub end: Vec<Vec4>,
    /// Of cloth: the rest shape. Colliders have none.
    pub rest: Vec<Vec3>,
    /// Points whose end was changed since impacts were last looked for.
    pub changed: Vec<bool>,
}

impl Points {
    pub fn inverse_mass(&self, point: u32) -> f64 {
        self.end[point as usize].w.into()
    }

    /// Moves the end of a point by an impulse-like quantity in kg·m.
    pub fn shift(&mut self, point: u32, push: DVec3) {
        let end = &mut self.end[point as usize];
        if end.w > 0.0 {
            let moved = end.truncate().as_dvec3() + push * f64::from(end.w);
            *end = moved.as_vec3().extend(end.w);
            self.changed[point as usize] = true;
        }
    }

    pub fn starts(&self, points: [u32; 4]) -> [DVec3; 4] {
        points.map(|p| self.start[p as usize].truncate().as_dvec3())
    }

    pub fn ends(&self, points: [u32; 4]) -> [DVec3; 4] {
        points.map(|p| self.end[p as usize].truncate().as_dvec3())
    }
}

/// What two features are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PairKind {
    /// A point and the three corners of a face.
    PointFace,
    /// Two ends of an edge and two of another.
    EdgeEdge,
}

/// Two features that may come near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub points: [u32; 4],
    pub kind: PairKind,
    /// The bodies of the first and of the second feature.
    pub bodies: [u16; 2],
}

impl Pair {
    /// Weights w of the closest points of the two features: Σ wᵢ xᵢ is the vector from the second
    /// to the first.
    pub fn closest(&self, x: &[DVec3; 4]) -> [f64; 4] {
        match self.kind {
            PairKind::PointFace => {
                let [a, b, c] = proximity::point_triangle(x[0], [x[1], x[2], x[3]]);
                [1.0, -a, -b, -c]
            }
            PairKind::EdgeEdge => {
                let [s, t] = proximity::edge_edge([x[0], x[1]], [x[2], x[3]]);
                [1.0 - s, s, t - 1.0, -t]
            }
        }
    }

    /// The largest motion of a point of one feature against a point of the other during the step.
    pub fn relative_motion(&self, points: &Points) -> f64 {
        let moved = self.points.map(|p| points.end[p as usize] - points.start[p as usize]);
        let apart = |a: usize, b: usize| (moved[a] - moved[b]).truncate().length_squared();
        let squared = match self.kind {
            PairKind::PointFace => apart(0, 1).max(apart(0, 2)).max(apart(0, 3)),
            PairKind::EdgeEdge => apart(0, 2).max(apart(0, 3)).max(apart(1, 2)).max(apart(1, 3)),
        };
        // Rounding of the differences, generously.
        f64::from(squared).sqrt() * (1.0 + 1e-5)
    }
}

/// Σ wᵢ xᵢ.
pub(super) fn combine(weights: [f64; 4], x: &[DVec3; 4]) -> DVec3 {
    (0..4).map(|i| x[i] * weights[i]).sum()
}

/// Finds pairs; keeps its memory between steps.
#[derive(Debug, Default)]
pub(super) struct PairFinder {
    /// Box of each point over the step, enlarged.
    point_boxes: Vec<Aabb>,
    overlaps: Overlaps,
}

impl PairFinder {
    pub fn debug(&self) -> usize { self.overlaps.pairs.len() }
    /// All pairs of features of bodies that come near each other.
    pub fn find(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        self_collisions: bool,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        self.sweep(&mut bodies.all, points, execution);
        if self_collisions {
            for cloth in 0..bodies.cloths {
                let needed = bodies.own_gap(cloth);
                let body = &mut bodies.all[cloth];
                let own = body.points.start as usize..body.points.end as usize;
                body.stars.update(&points.start[own.clone()], &points.end[own], needed, execution);
            }
        }
        let bodies = &bodies.all;
        pairs.clear();
        for a in 0..bodies.len() {
            for b in a..bodies.len() {
                let (first, second) = (&bodies[a], &bodies[b]);
                if !(first.is_cloth || second.is_cloth) || (a == b && !self_collisions) {
                    continue;
                }
                if a == b {
                    let corners = |t: u32| first.primitives[t as usize].corners.map(|p| p - first.points.start);
                    let keep = |s: u32, t: u32| !first.stars.exempts(corners(s), corners(t));
                    first.bvh.overlaps_within(execution, keep, &mut self.overlaps);
                } else {
                    first.bvh.overlaps_with(&second.bvh, execution, |_, _| true, &mut self.overlaps);
                }
                self.collect(first, second, [a as u16, b as u16], points, execution, pairs);
            }
        }
    }

    /// Whether the pairs are still complete after ends have changed.
    pub fn covers(&self, bodies: &Bodies, points: &Points, self_collisions: bool) -> bool {
        bodies.all[..bodies.cloths].iter().enumerate().all(|(cloth, body)| {
            let own = body.points.start as usize..body.points.end as usize;
            let inside = own.clone().all(|p| {
                // A gap between two bodies is at most the sum of their reaches, and only a part of it
                // has to be kept.
                !points.changed[p] || self.point_boxes[p].holds(points.end[p], 0.5 * body.reach)
            });
            let (start, end) = (&points.start[own.clone()], &points.end[own.clone()]);
            let needed = bodies.own_gap(cloth);
            inside && (!self_collisions || body.stars.still_flat(start, end, &points.changed[own], needed))
        })
    }

    /// Boxes of points and primitives over the step.
    fn sweep(&mut self, bodies: &mut [Body], points: &Points, execution: Execution) {
        self.point_boxes.resize(points.start.len(), Aabb::EMPTY);
        for body in bodies {
            let reach = (1.0 + MARGIN) * body.reach + body.side.radius;
            let (from, to) = (body.points.start as usize, body.points.end as usize);
            execution.for_each_chunk(&mut self.point_boxes[from..to], |first, boxes| {
                for (i, own) in boxes.iter_mut().enumerate() {
                    let p = from + first + i;
                    let (start, end) = (points.start[p], points.end[p]);
                    *own = Aabb { min: start.min(end), max: start.max(end) }.inflate(reach);
                }
            });
            let (point_boxes, primitives) = (&self.point_boxes, &body.primitives);
            let around = |primitive: u32| {
                let [a, b, c] = primitives[primitive as usize].corners.map(|p| point_boxes[p as usize]);
                a.union(b).union(c)
            };
            if body.bvh.len() != primitives.len() {
                let boxes: Vec<Aabb> = (0..primitives.len() as u32).map(around).collect();
                body.bvh = Bvh::new(&boxes);
            } else {
                body.bvh.refit_with(execution, around);
            }
        }
    }

    /// Turns overlapping primitives into pairs of features.
    fn collect(
        &self,
        first: &Body,
        second: &Body,
        bodies: [u16; 2],
        points: &Points,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        let features = |overlaps: &[[u32; 2]], found: &mut Vec<Pair>| {
            for &[a, b] in overlaps {
                let (a, b) = (&first.primitives[a as usize], &second.primitives[b as usize]);
                self.point_face(a, b, bodies, points, found);
                self.point_face(b, a, [bodies[1], bodies[0]], points, found);
                self.edge_edge(a, b, bodies, points, found);
            }
        };
        if execution.parallel && self.overlaps.pairs.len() > 2 * CHUNK {
            let chunks: Vec<Vec<Pair>> = self
                .overlaps
                .pairs
                .par_chunks(CHUNK)
                .map(|chunk| {
                    let mut found = Vec::with_capacity(2 * CHUNK);
                    features(chunk, &mut found);
                    found
                })
                .collect();
            chunks.iter().for_each(|chunk| pairs.extend_from_slice(chunk));
        } else {
            features(&self.overlaps.pairs, pairs);
        }
    }

    fn point_face(
        &self,
        a: &Primitive,
        b: &Primitive,
        bodies: [u16; 2],
        points: &Points,
        found: &mut Vec<Pair>,
    ) {
        if !b.face || a.own_corners == 0 {
            return;
        }
        let [x, y, z] = b.corners;
        let face = self.point_boxes[x as usize]
            .union(self.point_boxes[y as usize])
            .union(self.point_boxes[z as usize]);
        for p in a.points() {
            let near = !b.corners.contains(&p) && self.point_boxes[p as usize].overlaps(&face);
            let pair = Pair { points: [p, x, y, z], kind: PairKind::PointFace, bodies };
            if near && can_move(&pair, points) {
                found.push(pair);
            }
        }
    }

    fn edge_edge(
        &self,
        a: &Primitive,
        b: &Primitive,
        bodies: [u16; 2],
        points: &Points,
        found: &mut Vec<Pair>,
    ) {
        let edge_box = |[p, q]: [u32; 2]| self.point_boxes[p as usize].union(self.point_boxes[q as usize]);
        for e in a.edges() {
            let own = edge_box(e);
            for f in b.edges() {
                let shared = f.contains(&e[0]) || f.contains(&e[1]);
                if shared || !own.overlaps(&edge_box(f)) {
                    continue;
                }
                let pair = Pair { points: [e[0], e[1], f[0], f[1]], kind: PairKind::EdgeEdge, bodies };
                if can_move(&pair, points) {
                    found.push(pair);
                }
            }
        }
    }
}

fn can_move(pair: &Pair, points: &Points) -> bool {
    pair.points.iter().any(|&p| points.end[p as usize].w > 0.0)
}
