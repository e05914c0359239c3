//! Broad phase: which features come near each other during the step.
//!
//! Input: where all points are at the start and the end of the step. Output: pairs of a point and a
//! face, and of two edges, each once, in an order that depends only on the input.
//!
//! Pairs live for some substeps (`horizon`). Every point has a moving box: around the way that it is expected to go in
//! all of these, enlarged by what the body keeps free and a margin. Pairs are complete as long as no point starts farther from
//! there than the margin ([`STRAY`]), and none ends farther from there than leaves the clearance that continuous detection
//! asks for ([`LARGEST_MOVE`]): what the moving boxes tell apart then starts farther apart than what becomes a contact, and
//! does not meet; neither does what [`Apart`] tells apart for the same ways. Around points that stray farther pairs are
//! looked for again, for another way or a wider box (`again`): at the start of a substep and whenever ends are moved. Only
//! flat stars are judged by the positions themselves, and judged again whenever these change.
//!
//! Pairs stand in the order of their names when contacts are made of them, and what becomes a contact or an impact is asked
//! of the positions alone. So nothing depends on how old the pairs are, and a run that is resumed has the same bits.

mod again;
mod features;
mod horizon;
mod order;
#[cfg(test)]
mod tests;

use again::{Again, Astray};
use horizon::Horizon;
use order::Order;

use super::apart::Apart;
use super::bvh::{Marks, MovingBox, Overlaps};
use super::flat_stars::{Motion, Which};
use super::narrow::LOOKAHEAD;
use super::pairs::{Listed, Pair};
use crate::collision::CLEARANCE;
use crate::collision::bodies::Bodies;
use crate::collision::bodies::body::{Body, Primitive};
use crate::collision::points::Points;
use crate::execution::Execution;

/// How many pairs of primitives are turned into pairs of features at a time.
const CHUNK: usize = 512;

/// How far points may start from where they are expected, relative to a body's reach. With 1 a strip that is thick against its
/// edges (`scenes/floor_fold.toml`) took 6.3 ms instead of 3.7, because every pair costs something; with 0.25 a drape at rest
/// took 6.0 instead of 5.6, because points stray more often.
const STRAY: f32 = 0.5;

/// How far boxes reach beyond the ways of points, relative to a body's reach: what starts nearer than [`LOOKAHEAD`] gaps may
/// become a contact.
const REACH: f32 = LOOKAHEAD as f32 + STRAY;

/// How far ends may be from where they are expected before pairs are looked for again, relative to a body's reach: features
/// have to be found only when less than [`CLEARANCE`] of their gap is left.
const LARGEST_MOVE: f32 = REACH - CLEARANCE as f32;

/// With more than one of so many points astray all pairs are looked for anew.
const FEW: usize = 6;

/// Two bodies may have this many overlaps of boxes of primitives, or this many per primitive if that is more: more would
/// take gigabytes, about 200 bytes each. Flat cloth with edges as long as it is thick has some 20 per triangle; with edges
/// of five times the thickness it has 180 where it is packed as tightly as can be. A ball of
/// 20,480 triangles, which passes the limit if it is about 4.6 times as thick as its edges are long, took 0.8 GB below it.
const MOST_OVERLAPS: usize = 1 << 22;
const MOST_PER_PRIMITIVE: usize = 256;

/// How far the box of a point reaches beyond its path, metres.
pub(crate) fn reach(body: &Body) -> f32 {
    REACH * body.reach + body.side.radius
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
    horizon: Horizon,
    /// Box of each point along its way, enlarged.
    point_boxes: Vec<MovingBox>,
    /// Which parts of the horizon have passed when the substep starts and ends.
    shares: [f32; 2],
    overlaps: Overlaps,
    /// Two bodies that are so close to each other in so many places that the last search was given up: its pairs are not
    /// complete.
    pub crowded: Option<[u16; 2]>,
    /// Points around which pairs are looked for again.
    dirty: Vec<bool>,
    /// Memory for what threads find.
    found: Vec<Vec<Pair>>,
    again: Again,
    order: Order,
    /// Whether no pairs were added behind those in order.
    is_in_order: bool,
}

impl BroadPhase {
    pub fn new(self_collisions: bool) -> Self {
        Self { self_collisions, ..Self::default() }
    }

    /// All pairs of features of bodies that come near each other in a substep from one time to another, unless it is `crowded`.
    /// `pairs` are those of the substep before.
    pub fn find(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        times: [f64; 2],
        execution: Execution,
        pairs: &mut Vec<Listed>,
    ) {
        let may_go_on =
            !Self::is_for_now(points) && self.crowded.is_none() && self.horizon.reaches(times, points);
        if !(may_go_on && self.go_on(bodies, points, times, execution, pairs)) {
            self.begin(bodies, points, times, execution, pairs);
        }
        if !std::mem::replace(&mut self.is_in_order, true) {
            self.order.restore(pairs);
        }
        self.horizon.note(times, points);
    }

    /// Whether pairs are looked for anew, and for one substep alone: of tangles it is counted what is ignored, and that is to
    /// depend on where things are alone.
    fn is_for_now(points: &Points) -> bool {
        !points.tangle.is_empty()
    }

    /// Looks for all pairs of a horizon that begins with a substep.
    fn begin(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        times: [f64; 2],
        execution: Execution,
        pairs: &mut Vec<Listed>,
    ) {
        self.horizon.begin(times, points, Self::is_for_now(points));
        self.shares = times.map(|time| self.horizon.share(time));
        self.lead_strayed(bodies, points, Astray::Ends);
        self.sweep(&mut bodies.all, execution);
        if self.self_collisions {
            for cloth in 0..bodies.cloths {
                let gap = bodies.own_gap(cloth);
                let body = &mut bodies.all[cloth];
                let own = body.range();
                let motion = Motion { start: &points.start[own.clone()], end: &points.end[own], gap };
                body.stars.judge(motion, Which::All, execution);
            }
        }
        let mut found = std::mem::take(&mut self.again.found);
        self.search(bodies, None, execution, &mut found);
        self.order.list(&found, points.end.len(), execution, pairs);
        self.is_in_order = true;
        // Room for those that are found until the next horizon begins.
        pairs.reserve(found.len());
        self.order.make_room(2 * found.len());
        self.again.found = found;
    }

    /// Looks for pairs: all, or those of which a point is dirty, below the marks of all bodies.
    fn search(
        &mut self,
        bodies: &Bodies,
        marks: Option<&[Marks]>,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        pairs.clear();
        self.crowded = None;
        for (a, first) in bodies.all.iter().enumerate() {
            for (b, second) in bodies.all.iter().enumerate().skip(a) {
                let marks = marks.map(|marks| [&marks[a], &marks[b]]);
                if !self.may_collide(a == b, first, second)
                    || marks.is_some_and(|[a, b]| a.are_none() && b.are_none())
                {
                    continue;
                }
                let keep = Keep::new(first, second, &self.horizon);
                let needed = |s, t| keep.needed(s, t);
                let others = if a == b { 0 } else { second.primitives.len() };
                let overlaps = &mut self.overlaps;
                overlaps.most = Some(most_overlaps(first.primitives.len() + others));
                match a == b {
                    true => first.bvh.marked_overlaps_within(
                        marks.map(|[own, _]| own),
                        execution,
                        needed,
                        overlaps,
                    ),
                    false => first.bvh.marked_overlaps_with(&second.bvh, marks, execution, needed, overlaps),
                }
                if self.overlaps.gave_up {
                    self.crowded = Some([a as u16, b as u16]);
                    return pairs.clear();
                }
                let numbers = [a as u16, b as u16];
                let mut found = std::mem::take(&mut self.found);
                let wanted =
                    |pair: &Pair| marks.is_none() || pair.points.iter().any(|&p| self.dirty[p as usize]);
                self.collect([first, second], numbers, wanted, execution, &mut found, pairs);
                self.found = found;
            }
        }
    }

    fn may_collide(&self, same: bool, first: &Body, second: &Body) -> bool {
        (first.is_cloth || second.is_cloth) && (!same || self.self_collisions)
    }

    /// Boxes of points and primitives over the horizon.
    fn sweep(&mut self, bodies: &mut [Body], execution: Execution) {
        self.point_boxes.resize(self.horizon.paths.len(), MovingBox::EMPTY);
        let horizon = &self.horizon;
        for body in bodies.iter() {
            let reach = reach(body);
            let (from, to) = (body.points.start as usize, body.points.end as usize);
            execution.for_each_chunk(&mut self.point_boxes[from..to], |first, boxes| {
                let numbered = boxes.iter_mut().enumerate();
                numbered.for_each(|(i, own)| *own = horizon.moving_box(from + first + i, reach));
            });
        }
        bodies.iter_mut().for_each(|body| self.refit(body, execution));
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

    /// Turns overlapping primitives into pairs of features that are wanted, with memory for what threads find.
    fn collect(
        &self,
        [first, second]: [&Body; 2],
        bodies: [u16; 2],
        wanted: impl Fn(&Pair) -> bool + Sync,
        execution: Execution,
        found: &mut Vec<Vec<Pair>>,
        pairs: &mut Vec<Pair>,
    ) {
        let features = |overlaps: &[[u32; 2]], found: &mut Vec<Pair>| {
            for &[a, b] in overlaps {
                let (a, b) = (&first.primitives[a as usize], &second.primitives[b as usize]);
                self.features(a, b, bodies, &wanted, found);
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
    fn new(first: &'a Body, second: &'a Body, horizon: &'a Horizon) -> Self {
        let same = first.points == second.points;
        Self { first, same, second, apart: Apart::new(first, second, &horizon.paths) }
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
