//! The search again, where ends were moved too far for the pairs to be complete.

use std::sync::atomic::Ordering;

use super::{BroadPhase, FEATURES, Keep, LARGEST_MOVE, most_overlaps, reach};
use crate::collision::CLEARANCE;
use crate::collision::bodies::Bodies;
use crate::collision::bodies::body::Body;
use crate::collision::detect::bvh::MovingBox;
use crate::collision::detect::pairs::{Pair, PairKind};
use crate::collision::points::Points;
use crate::execution::Execution;

/// Around how many primitives one thread looks at a time.
const CHUNK: usize = 128;

/// Memory that the search takes; to be used again for the next.
#[derive(Debug, Default)]
pub(super) struct Again {
    /// Body and number of the primitives around which pairs are looked for.
    primitives: Vec<(usize, u32)>,
    /// Those of one body.
    dirty: Vec<u32>,
    /// What threads find.
    chunks: Vec<Around>,
    found: Vec<Pair>,
    /// Names of pairs that are known.
    known: Vec<u128>,
}

/// What one thread finds.
#[derive(Debug, Default)]
struct Around {
    pairs: Vec<Pair>,
    /// Primitives whose boxes overlap one.
    primitives: Vec<u32>,
}

impl BroadPhase {
    /// Appends pairs that became possible because ends were moved, unless it is `crowded`.
    pub fn find_more(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        *self.found_again.get_mut() = 0;
        self.dirty.clear();
        self.dirty.resize(points.end.len(), false);
        let mut again = std::mem::take(&mut self.again);
        self.find_more_with(&mut again, bodies, points, execution, pairs);
        self.again = again;
    }

    fn find_more_with(
        &mut self,
        again: &mut Again,
        bodies: &mut Bodies,
        points: &Points,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        let Again { primitives, dirty, chunks, found, known } = again;
        primitives.clear();
        // What gives way: cloths, and the rigid bodies, which come last.
        let rigid = bodies.all.len() - points.rigid.len()..bodies.all.len();
        for body in (0..bodies.cloths).chain(rigid) {
            self.dirty_primitives(bodies, body, points, dirty);
            if !dirty.is_empty() {
                self.refit(&mut bodies.all[body], execution);
            }
            primitives.extend(dirty.iter().map(|&t| (body, t)));
        }
        if primitives.is_empty() {
            return;
        }
        let around =
            |_, chunk: &[_], around: &mut Around| self.pairs_around(chunk, &bodies.all, points, around);
        let chunks = execution.for_chunks(primitives, CHUNK, chunks, around);
        found.clear();
        chunks.iter_mut().for_each(|chunk| found.append(&mut chunk.pairs));
        if *self.found_again.get_mut() > most_pairs(&bodies.all) {
            self.crowded = primitives.first().map(|&(body, _)| [body as u16; 2]);
            return;
        }
        found.sort_unstable_by_key(name);
        let is_dirty = |pair: &&Pair| pair.points.iter().any(|&p| self.dirty[p as usize]);
        known.clear();
        known.extend(pairs.iter().filter(is_dirty).map(name));
        known.sort_unstable();
        let mut known = known.iter().copied().peekable();
        pairs.extend(found.drain(..).filter(|pair| {
            let name = name(pair);
            while known.next_if(|&known| known < name).is_some() {}
            known.peek() != Some(&name)
        }));
    }

    /// Pairs of features of some primitives (body, number) with all others, as far as they have a
    /// dirty point.
    fn pairs_around(
        &self,
        primitives: &[(usize, u32)],
        bodies: &[Body],
        points: &Points,
        around: &mut Around,
    ) {
        let is_dirty = |&p: &u32| self.dirty[p as usize];
        let wanted = |pair: &Pair| pair.points.iter().any(is_dirty);
        let Around { pairs: found, primitives: around } = around;
        let most = most_pairs(bodies);
        for &(a, s) in primitives {
            let before = found.len();
            let first = &bodies[a];
            let x = &first.primitives[s as usize];
            let own_box = self.primitive_box(x);
            for (b, second) in bodies.iter().enumerate() {
                if !self.may_collide(a == b, first, second) {
                    continue;
                }
                around.clear();
                second.bvh.visit(&own_box, |t| around.push(t));
                let keep = Keep::new(first, second, &points.start, &self.recorded_end);
                for &t in around.iter().filter(|&&t| (a, s) != (b, t)) {
                    let y = &second.primitives[t as usize];
                    // The lower of two dirty ones finds the pair. It comes first, as in the other search.
                    let is_lower = (a, s) < (b, t);
                    if (!is_lower && y.corners.iter().any(is_dirty)) || !keep.needed(s, t) {
                        continue;
                    }
                    let [(a, x), (b, y)] = if is_lower { [(a, x), (b, y)] } else { [(b, y), (a, x)] };
                    self.features(x, y, [a as u16, b as u16], wanted, found);
                }
            }
            let new = found.len() - before;
            if self.found_again.fetch_add(new, Ordering::Relaxed) + new > most {
                break;
            }
        }
    }

    /// Marks points of a body around which pairs have to be looked for again; their primitives.
    fn dirty_primitives(
        &mut self,
        bodies: &mut Bodies,
        number: usize,
        points: &Points,
        dirty: &mut Vec<u32>,
    ) {
        let needed = CLEARANCE as f32 * bodies.own_gap(number);
        let body = &mut bodies.all[number];
        let own = body.range();
        for p in own.clone().filter(|&p| points.changed[p]) {
            let moved = (points.end[p] - self.recorded_end[p]).truncate().length();
            if moved > LARGEST_MOVE * body.reach {
                self.recorded_end[p] = points.end[p];
                self.point_boxes[p] =
                    MovingBox::of_point(points.start[p], points.end[p]).inflate(reach(body));
                self.dirty[p] = true;
            }
        }
        if self.self_collisions && body.is_cloth {
            let (start, end) = (&points.start[own.clone()], &points.end[own.clone()]);
            for &v in body.stars.no_longer_flat(start, end, &points.changed[own.clone()], needed) {
                for &t in body.point_primitives.row(v) {
                    body.primitives[t as usize].corners.iter().for_each(|&p| self.dirty[p as usize] = true);
                }
            }
        }
        let dirty_points = own.clone().filter(|&p| self.dirty[p]);
        dirty.clear();
        dirty.extend(dirty_points.flat_map(|p| body.point_primitives.row(p - own.start)));
        dirty.sort_unstable();
        dirty.dedup();
    }
}

/// How many pairs of features are looked for again at the most.
fn most_pairs(bodies: &[Body]) -> usize {
    FEATURES * most_overlaps(bodies.iter().map(|body| body.primitives.len()).sum())
}

/// One number for each pair, so that sorting compares without branches: the points, which tell the
/// bodies, and the kind. There are fewer than 2³¹ points.
fn name(pair: &Pair) -> u128 {
    let points = pair.points.iter().fold(0, |name: u128, &p| name << 32 | u128::from(p));
    points | u128::from(pair.kind == PairKind::EdgeEdge) << 127
}
