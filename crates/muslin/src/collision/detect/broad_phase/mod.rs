//! Broad phase: which features come near each other during the step.
//!
//! Input: where all points are at the start and the end of the step. Output: pairs of a point and a
//! face, and of two edges, each once, in an order that depends only on the input.
//!
//! Every point has a moving box: around its start and around its *recorded* end, enlarged by what the
//! body keeps free and a margin. At first the recorded end is the end. When ends are moved later on,
//! pairs stay complete as long as none is farther than [`LARGEST_MOVE`] from what is recorded: the box
//! at the recorded end then contains the one around the new end with the clearance that continuous
//! detection asks for, and the box at the start contains the one at the start. So what the moving
//! boxes tell apart does not meet during the new motion either, and neither does what [`Apart`] tells
//! apart for recorded ends. Around points that move farther, [`BroadPhase::find_more`] records
//! the new end and looks again. Nothing may be decided by ends that are not recorded: a point can be
//! moved by twice the margin between two of them. Only flat stars are judged by the ends themselves,
//! and judged again whenever one of these changes.

mod again;
mod features;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicUsize;

use again::Again;
use glam::Vec4;

use super::apart::Apart;
use super::bvh::{MovingBox, Overlaps};
use super::pairs::Pair;
use crate::collision::CLEARANCE;
use crate::collision::bodies::Bodies;
use crate::collision::bodies::body::{Body, Primitive};
use crate::collision::points::Points;
use crate::execution::Execution;

/// How many pairs of primitives are turned into pairs of features at a time.
const CHUNK: usize = 4096;

/// How far boxes reach farther than they would have to for what starts too close, relative to a body's
/// reach.
const MARGIN: f32 = 0.25;

/// How far ends may be moved before pairs are looked for again, relative to a body's reach: features
/// have to be found only when less than [`CLEARANCE`] of their gap is left.
pub(crate) const LARGEST_MOVE: f32 = 1.0 + MARGIN - CLEARANCE as f32;

/// Two bodies may have this many overlaps of boxes of primitives, or this many per primitive if that is more: more would
/// take gigabytes, about 200 bytes each. Flat cloth with edges as long as it is thick has some 20 per triangle; with edges
/// of five times the thickness it has 180 where it is packed as tightly as can be. A ball of
/// 20,480 triangles, which passes the limit if it is about 4.6 times as thick as its edges are long, took 0.8 GB below it.
const MOST_OVERLAPS: usize = 1 << 22;
const MOST_PER_PRIMITIVE: usize = 256;

/// Pairs of features per overlap, about: two points with a face, and 1.5 edges with 1.5.
const FEATURES: usize = 4;

/// How far the box of a point reaches beyond its path, metres.
pub(crate) fn reach(body: &Body) -> f32 {
    (1.0 + MARGIN) * body.reach + body.side.radius
}

/// How many overlaps bodies with so many primitives may have.
fn most_overlaps(primitives: usize) -> usize {
    MOST_OVERLAPS.max(MOST_PER_PRIMITIVE * primitives)
}

/// Finds pairs; keeps its memory between steps.
#[derive(Debug, Default)]
pub(crate) struct BroadPhase {
    /// Whether cloth collides with itself.
    self_collisions: bool,
    /// Box of each point, from the start to the recorded end, enlarged.
    point_boxes: Vec<MovingBox>,
    /// Ends of all points when pairs were looked for around them.
    recorded_end: Vec<Vec4>,
    overlaps: Overlaps,
    /// Two bodies that are so close to each other in so many places that the last search was given up: its pairs are not
    /// complete.
    pub crowded: Option<[u16; 2]>,
    /// Pairs that were found by the search again, of all threads.
    found_again: AtomicUsize,
    /// Points around which pairs are looked for again.
    dirty: Vec<bool>,
    /// Memory for what threads find.
    found: Vec<Vec<Pair>>,
    again: Again,
}

impl BroadPhase {
    pub fn new(self_collisions: bool) -> Self {
        Self { self_collisions, ..Self::default() }
    }

    /// All pairs of features of bodies that come near each other, unless it is `crowded`.
    pub fn find(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        self.recorded_end.clone_from(&points.end);
        self.sweep(&mut bodies.all, points, execution);
        if self.self_collisions {
            for cloth in 0..bodies.cloths {
                let needed = bodies.own_gap(cloth);
                let body = &mut bodies.all[cloth];
                let own = body.range();
                body.stars.update(&points.start[own.clone()], &points.end[own], needed, execution);
            }
        }
        pairs.clear();
        self.crowded = None;
        for (a, first) in bodies.all.iter().enumerate() {
            for (b, second) in bodies.all.iter().enumerate().skip(a) {
                if self.may_collide(a == b, first, second) {
                    let keep = Keep::new(first, second, &points.start, &self.recorded_end);
                    let (overlaps, needed) = (&mut self.overlaps, |s, t| keep.needed(s, t));
                    let others = if a == b { 0 } else { second.primitives.len() };
                    overlaps.most = Some(most_overlaps(first.primitives.len() + others));
                    match a == b {
                        true => first.bvh.overlaps_within(execution, needed, overlaps),
                        false => first.bvh.overlaps_with(&second.bvh, execution, needed, overlaps),
                    }
                    if self.overlaps.gave_up {
                        self.crowded = Some([a as u16, b as u16]);
                        return pairs.clear();
                    }
                    let mut found = std::mem::take(&mut self.found);
                    self.collect([first, second], [a as u16, b as u16], execution, &mut found, pairs);
                    self.found = found;
                }
            }
        }
    }

    fn may_collide(&self, same: bool, first: &Body, second: &Body) -> bool {
        (first.is_cloth || second.is_cloth) && (!same || self.self_collisions)
    }

    /// Boxes of points and primitives over the step.
    fn sweep(&mut self, bodies: &mut [Body], points: &Points, execution: Execution) {
        self.point_boxes.resize(points.start.len(), MovingBox::EMPTY);
        for body in bodies {
            let reach = reach(body);
            let (from, to) = (body.points.start as usize, body.points.end as usize);
            execution.for_each_chunk(&mut self.point_boxes[from..to], |first, boxes| {
                for (i, own) in boxes.iter_mut().enumerate() {
                    let (start, end) = (points.start[from + first + i], points.end[from + first + i]);
                    *own = MovingBox::of_point(start, end).inflate(reach);
                }
            });
            self.refit(body, execution);
        }
    }

    fn refit(&self, body: &mut Body, execution: Execution) {
        let Body { primitives, bvh, .. } = body;
        let around = |primitive: u32| self.primitive_box(&primitives[primitive as usize]);
        bvh.refit_with(execution, around);
    }

    fn primitive_box(&self, primitive: &Primitive) -> MovingBox {
        let [a, b, c] = primitive.corners.map(|p| self.point_boxes[p as usize]);
        a.union(b).union(c)
    }

    /// Turns overlapping primitives into pairs of features, with memory for what threads find.
    fn collect(
        &self,
        [first, second]: [&Body; 2],
        bodies: [u16; 2],
        execution: Execution,
        found: &mut Vec<Vec<Pair>>,
        pairs: &mut Vec<Pair>,
    ) {
        let features = |overlaps: &[[u32; 2]], found: &mut Vec<Pair>| {
            for &[a, b] in overlaps {
                let (a, b) = (&first.primitives[a as usize], &second.primitives[b as usize]);
                self.features(a, b, bodies, |_| true, found);
            }
        };
        let overlaps = &self.overlaps.pairs;
        if execution.threads.count() == 1 {
            return features(overlaps, pairs);
        }
        let collect = |_, chunk: &[_], found: &mut Vec<Pair>| features(chunk, found);
        let chunks = execution.for_chunks(overlaps, CHUNK, found, collect);
        chunks.iter_mut().for_each(|chunk| pairs.append(chunk));
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
    fn new(first: &'a Body, second: &'a Body, start: &'a [Vec4], end: &'a [Vec4]) -> Self {
        let same = first.points == second.points;
        Self { first, same, second, apart: Apart::new(first, second, start, end) }
    }

    #[inline]
    fn needed(&self, s: u32, t: u32) -> bool {
        let (s, t) = (&self.first.primitives[s as usize], &self.second.primitives[t as usize]);
        if self.same {
            let [shares_any, shares_flat] =
                self.first.stars.common(s.corners, t.corners, self.first.points.start);
            // Neighbours are never apart: they need no such test.
            if shares_any {
                return !shares_flat;
            }
        }
        !self.apart.holds(s.corners, t.corners)
    }
}
