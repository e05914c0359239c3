//! Broad phase: which features come near each other during the step.
//!
//! Input: where all points are at the start and the end of the step. Output: pairs of a point and a
//! face, and of two edges, each once, in an order that depends only on the input. The boxes of points
//! are swept over the step and enlarged by what the body keeps free and a margin. Pairs stay complete
//! as long as no end moves farther than the margin; around those that do, [`BroadPhase::find_more`]
//! looks again.

use glam::Vec4;
use rayon::prelude::*;

use super::CLEARANCE;
use super::apart::Apart;
use super::bodies::Bodies;
use super::body::{Body, Primitive};
use super::bvh::{Aabb, Bvh, Overlaps};
use super::pairs::{Pair, PairKind, Points};
use crate::execution::Execution;

/// How many pairs of primitives are turned into pairs of features at a time.
const CHUNK: usize = 4096;

/// How far boxes reach farther than they would have to for what starts too close, relative to a body's
/// reach.
const MARGIN: f32 = 0.25;

/// How far ends may be moved before pairs are looked for again, relative to a body's reach: features
/// have to be found only when less than [`CLEARANCE`] of their gap is left.
pub(super) const LARGEST_MOVE: f32 = 1.0 + MARGIN - CLEARANCE as f32;

/// How far the box of a point reaches beyond its path, metres.
pub(super) fn reach(body: &Body) -> f32 {
    (1.0 + MARGIN) * body.reach + body.side.radius
}

/// Finds pairs; keeps its memory between steps.
#[derive(Debug, Default)]
pub(super) struct BroadPhase {
    /// Whether cloth collides with itself.
    self_collisions: bool,
    /// Box of each point over the step, enlarged.
    point_boxes: Vec<Aabb>,
    /// Ends of all points when pairs were looked for around them.
    found_end: Vec<Vec4>,
    overlaps: Overlaps,
    /// Points around which pairs are looked for again.
    dirty: Vec<bool>,
}

impl BroadPhase {
    pub fn new(self_collisions: bool) -> Self {
        Self { self_collisions, ..Self::default() }
    }

    /// All pairs of features of bodies that come near each other.
    pub fn find(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        self.found_end.clone_from(&points.end);
        self.sweep(&mut bodies.all, points, execution);
        if self.self_collisions {
            for cloth in 0..bodies.cloths {
                let needed = bodies.own_gap(cloth);
                let body = &mut bodies.all[cloth];
                let own = body.points.start as usize..body.points.end as usize;
                body.stars.update(&points.start[own.clone()], &points.end[own], needed, execution);
            }
        }
        pairs.clear();
        for (a, first) in bodies.all.iter().enumerate() {
            for (b, second) in bodies.all.iter().enumerate().skip(a) {
                if self.may_collide(a == b, first, second) {
                    let keep = Keep::new(first, second, points);
                    let (overlaps, needed) = (&mut self.overlaps, |s, t| keep.needed(s, t));
                    match a == b {
                        true => first.bvh.overlaps_within(execution, needed, overlaps),
                        false => first.bvh.overlaps_with(&second.bvh, execution, needed, overlaps),
                    }
                    self.collect(first, second, [a as u16, b as u16], points, execution, pairs);
                }
            }
        }
    }

    /// Appends pairs that became possible because ends were moved.
    pub fn find_more(&mut self, bodies: &mut Bodies, points: &Points, pairs: &mut Vec<Pair>) {
        self.dirty.clear();
        self.dirty.resize(points.end.len(), false);
        let mut primitives: Vec<(usize, u32)> = Vec::new();
        for cloth in 0..bodies.cloths {
            let dirty = self.dirty_primitives(bodies, cloth, points);
            if !dirty.is_empty() {
                self.refit(&mut bodies.all[cloth], Execution::default());
            }
            primitives.extend(dirty.into_iter().map(|t| (cloth, t)));
        }
        if primitives.is_empty() {
            return;
        }
        let mut found = self.pairs_around(&primitives, &bodies.all, points);
        found.sort_unstable();
        found.dedup();
        let is_dirty = |pair: &&Pair| pair.points.iter().any(|&p| self.dirty[p as usize]);
        let mut known: Vec<Pair> = pairs.iter().filter(is_dirty).copied().collect();
        known.sort_unstable();
        pairs.extend(found.into_iter().filter(|pair| known.binary_search(pair).is_err()));
    }

    /// Pairs of features of some primitives (cloth, number) with all others.
    fn pairs_around(&self, primitives: &[(usize, u32)], bodies: &[Body], points: &Points) -> Vec<Pair> {
        let mut found = Vec::new();
        let mut around: Vec<u32> = Vec::new();
        for &(a, s) in primitives {
            let first = &bodies[a];
            let own_box = self.primitive_box(&first.primitives[s as usize]);
            for (b, second) in bodies.iter().enumerate() {
                if !self.may_collide(a == b, first, second) {
                    continue;
                }
                around.clear();
                second.bvh.visit(&own_box, |t| around.push(t));
                let keep = Keep::new(first, second, points);
                for &t in around.iter().filter(|&&t| (a, s) != (b, t) && keep.needed(s, t)) {
                    let (x, y) = (&first.primitives[s as usize], &second.primitives[t as usize]);
                    // The lower body, and the lower primitive, comes first, as in the other search.
                    let [(a, x), (b, y)] = if (a, s) < (b, t) { [(a, x), (b, y)] } else { [(b, y), (a, x)] };
                    self.features(x, y, [a as u16, b as u16], points, &mut found);
                }
            }
        }
        found.retain(|pair| pair.points.iter().any(|&p| self.dirty[p as usize]));
        found
    }

    /// Marks points of a cloth around which pairs have to be looked for again; their primitives.
    fn dirty_primitives(&mut self, bodies: &mut Bodies, cloth: usize, points: &Points) -> Vec<u32> {
        let needed = CLEARANCE as f32 * bodies.own_gap(cloth);
        let body = &mut bodies.all[cloth];
        let own = body.points.start as usize..body.points.end as usize;
        for p in own.clone().filter(|&p| points.changed[p]) {
            let moved = (points.end[p] - self.found_end[p]).truncate().length();
            if moved > LARGEST_MOVE * body.reach {
                self.found_end[p] = points.end[p];
                let here = Aabb { min: points.end[p], max: points.end[p] }.inflate(reach(body));
                self.point_boxes[p] = self.point_boxes[p].union(here);
                self.dirty[p] = true;
            }
        }
        if self.self_collisions {
            let (start, end) = (&points.start[own.clone()], &points.end[own.clone()]);
            for v in body.stars.no_longer_flat(start, end, &points.changed[own.clone()], needed) {
                for &t in body.point_primitives.row(v) {
                    body.primitives[t as usize].corners.iter().for_each(|&p| self.dirty[p as usize] = true);
                }
            }
        }
        let dirty_points = own.clone().filter(|&p| self.dirty[p]);
        let mut dirty: Vec<u32> =
            dirty_points.flat_map(|p| body.point_primitives.row(p - own.start)).copied().collect();
        dirty.sort_unstable();
        dirty.dedup();
        dirty
    }

    fn may_collide(&self, same: bool, first: &Body, second: &Body) -> bool {
        (first.is_cloth || second.is_cloth) && (!same || self.self_collisions)
    }

    /// Boxes of points and primitives over the step.
    fn sweep(&mut self, bodies: &mut [Body], points: &Points, execution: Execution) {
        self.point_boxes.resize(points.start.len(), Aabb::EMPTY);
        for body in bodies {
            let reach = reach(body);
            let (from, to) = (body.points.start as usize, body.points.end as usize);
            execution.for_each_chunk(&mut self.point_boxes[from..to], |first, boxes| {
                for (i, own) in boxes.iter_mut().enumerate() {
                    let (start, end) = (points.start[from + first + i], points.end[from + first + i]);
                    *own = Aabb { min: start.min(end), max: start.max(end) }.inflate(reach);
                }
            });
            self.refit(body, execution);
        }
    }

    fn refit(&self, body: &mut Body, execution: Execution) {
        let Body { primitives, bvh, .. } = body;
        let around = |primitive: u32| self.primitive_box(&primitives[primitive as usize]);
        if bvh.len() == primitives.len() {
            bvh.refit_with(execution, around);
        } else {
            let boxes: Vec<Aabb> = (0..primitives.len() as u32).map(around).collect();
            *bvh = Bvh::new(&boxes);
        }
    }

    fn primitive_box(&self, primitive: &Primitive) -> Aabb {
        let [a, b, c] = primitive.corners.map(|p| self.point_boxes[p as usize]);
        a.union(b).union(c)
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
                self.features(a, b, bodies, points, found);
            }
        };
        let overlaps = &self.overlaps.pairs;
        if !execution.parallel || overlaps.len() < 2 * CHUNK {
            return features(overlaps, pairs);
        }
        let collect = |chunk| {
            let mut found = Vec::with_capacity(2 * CHUNK);
            features(chunk, &mut found);
            found
        };
        let chunks: Vec<Vec<Pair>> = overlaps.par_chunks(CHUNK).map(collect).collect();
        chunks.iter().for_each(|chunk| pairs.extend_from_slice(chunk));
    }

    /// Pairs of features of two primitives.
    fn features(
        &self,
        a: &Primitive,
        b: &Primitive,
        bodies: [u16; 2],
        points: &Points,
        found: &mut Vec<Pair>,
    ) {
        self.point_face(a, b, bodies, points, found);
        self.point_face(b, a, [bodies[1], bodies[0]], points, found);
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
        let face = self.primitive_box(b);
        let [x, y, z] = b.corners;
        for p in a.points() {
            let near = !b.corners.contains(&p) && self.point_boxes[p as usize].overlaps(&face);
            let pair = Pair { points: [p, x, y, z], kind: PairKind::PointFace, bodies };
            if near && can_move(&pair, points) {
                found.push(pair);
            }
        }
    }
}

/// Which overlapping primitives need a closer look.
struct Keep<'a> {
    first: &'a Body,
    same: bool,
    second: &'a Body,
    apart: Apart<'a>,
}

impl<'a> Keep<'a> {
    fn new(first: &'a Body, second: &'a Body, points: &'a Points) -> Self {
        let same = first.points == second.points;
        Self { first, same, second, apart: Apart::new(first, second, points) }
    }

    fn needed(&self, s: u32, t: u32) -> bool {
        let (s, t) = (&self.first.primitives[s as usize], &self.second.primitives[t as usize]);
        let first = self.first.points.start;
        let local = |primitive: &Primitive| primitive.corners.map(|p| p - first);
        let exempt = self.same && self.first.stars.exempts(local(s), local(t));
        !exempt && !self.apart.holds(s.corners, t.corners)
    }
}

fn can_move(pair: &Pair, points: &Points) -> bool {
    pair.points.iter().any(|&p| points.end[p as usize].w > 0.0)
}
