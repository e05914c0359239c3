//! The search again, around points that have left their ways.

use std::sync::atomic::Ordering;

use super::{BroadPhase, FEATURES, FEW, Keep, LARGEST_MOVE, STRAY, most_overlaps, reach};
use crate::collision::CLEARANCE;
use crate::collision::bodies::Bodies;
use crate::collision::bodies::body::Body;
use crate::collision::detect::bvh::MovingBox;
use crate::collision::detect::pairs::Pair;
use crate::collision::points::Points;
use crate::execution::Execution;

/// Around how many primitives one thread looks at a time.
const CHUNK: usize = 128;

/// Which points and stars are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Astray {
    /// All, where they start and where they end.
    All,
    /// All, where they end.
    Ends,
    /// Those whose ends were moved.
    Moved,
}

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
        self.find_astray(bodies, points, Astray::Moved, execution, pairs);
    }

    /// Appends pairs around points that have left their ways, unless it is `crowded`. `false`, and nothing else, if
    /// so many have that it is less work to look for all pairs.
    pub(super) fn find_astray(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        astray: Astray,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) -> bool {
        *self.found_again.get_mut() = 0;
        self.dirty.clear();
        self.dirty.resize(points.end.len(), false);
        let strayed = self.lead_strayed(bodies, points, astray);
        self.horizon.count(strayed);
        if astray == Astray::All && FEW * strayed > points.end.len() {
            return false;
        }
        let mut again = std::mem::take(&mut self.again);
        self.find_around(&mut again, bodies, points, astray, execution, pairs);
        self.again = again;
        true
    }

    /// Gives points that have left their ways other ones, and marks them; how many there are.
    fn lead_strayed(&mut self, bodies: &Bodies, points: &Points, astray: Astray) -> usize {
        let Self { horizon, point_boxes, dirty, shares, .. } = self;
        let mut strayed = 0;
        for body in &bodies.all {
            let (reach, [stray, move_]) = (reach(body), [STRAY, LARGEST_MOVE].map(|part| part * body.reach));
            for p in body.range() {
                if astray == Astray::Moved && !points.changed[p] {
                    continue;
                }
                let far_from_start =
                    astray == Astray::All && horizon.astray(p, points.start[p], shares[0]) > stray;
                if far_from_start || horizon.astray(p, points.end[p], shares[1]) > move_ {
                    horizon.lead(p, *shares, points);
                    let [start, end] = horizon.paths[p];
                    point_boxes[p] = MovingBox::of_point(start, end).inflate(reach);
                    dirty[p] = true;
                    strayed += 1;
                }
            }
        }
        strayed
    }

    fn find_around(
        &mut self,
        again: &mut Again,
        bodies: &mut Bodies,
        points: &Points,
        astray: Astray,
        execution: Execution,
        pairs: &mut Vec<Pair>,
    ) {
        let Again { primitives, dirty, chunks, found, known } = again;
        primitives.clear();
        for body in 0..bodies.all.len() {
            self.dirty_primitives(bodies, body, points, astray, execution, dirty);
            if !dirty.is_empty() {
                self.refit(&mut bodies.all[body], execution);
            }
            primitives.extend(dirty.iter().map(|&t| (body, t)));
        }
        if primitives.is_empty() {
            return;
        }
        let around =
            |_, chunk: &[_], around: &mut Around| self.pairs_around(chunk, &bodies.all, around);
        let chunks = execution.for_chunks(primitives, CHUNK, chunks, around);
        found.clear();
        chunks.iter_mut().for_each(|chunk| found.append(&mut chunk.pairs));
        if *self.found_again.get_mut() > most_pairs(&bodies.all) {
            self.crowded = primitives.first().map(|&(body, _)| [body as u16; 2]);
            return;
        }
        found.sort_unstable_by_key(Pair::name);
        let is_dirty = |pair: &&Pair| pair.points.iter().any(|&p| self.dirty[p as usize]);
        known.clear();
        known.extend(pairs.iter().filter(is_dirty).map(Pair::name));
        known.sort_unstable();
        let mut known = known.iter().copied().peekable();
        pairs.extend(found.drain(..).filter(|pair| {
            let name = pair.name();
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
                let keep = Keep::new(first, second, &self.horizon);
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

    /// The primitives of a body around which pairs have to be looked for again: those with marked points, and those of stars
    /// that are no longer flat, whose points are marked.
    fn dirty_primitives(
        &mut self,
        bodies: &mut Bodies,
        number: usize,
        points: &Points,
        astray: Astray,
        execution: Execution,
        dirty: &mut Vec<u32>,
    ) {
        let needed = match astray {
            // What becomes a contact in this substep starts or ends within the gap.
            Astray::All => bodies.own_gap(number),
            Astray::Ends | Astray::Moved => CLEARANCE as f32 * bodies.own_gap(number),
        };
        let body = &mut bodies.all[number];
        let own = body.range();
        if self.self_collisions && body.is_cloth && astray != Astray::Ends {
            let (start, end) = (&points.start[own.clone()], &points.end[own.clone()]);
            let moved = (astray == Astray::Moved).then_some(&points.changed[own.clone()]);
            for &v in body.stars.no_longer_flat(start, end, moved, needed, execution) {
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
