//! The search again, around points that have left their ways.

use super::{BroadPhase, FEW, LARGEST_MOVE, STRAY, reach};
use crate::collision::bodies::Bodies;
use crate::collision::detect::bvh::Marks;
use crate::collision::detect::flat_stars::{Motion, Which};
use crate::collision::detect::pairs::{Listed, Pair};
use crate::collision::points::Points;
use crate::execution::Execution;

/// Pairs per piece of work.
const CHUNK: usize = 4096;

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
    /// Of each body: where dirty points are.
    marks: Vec<Marks>,
    pub found: Vec<Pair>,
    /// Names of pairs that are known.
    known: Vec<u128>,
    known_of_chunk: Vec<Vec<u128>>,
}

impl BroadPhase {
    /// Finds what is near points that have left their ways by the start of a substep; `false` if there are so many that it is
    /// less work to look for all pairs.
    pub(super) fn go_on(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        times: [f64; 2],
        execution: Execution,
        pairs: &mut Vec<Listed>,
    ) -> bool {
        self.shares = times.map(|time| self.horizon.share(time));
        let strayed = self.lead_strayed(bodies, points, Astray::All);
        if FEW * strayed > points.end.len() {
            return false;
        }
        if self.search_again(bodies, points, Astray::All, execution) {
            // Those that are known are among those that were found, or of no interest any more.
            pairs.retain(|listed| !listed.pair.points.iter().any(|&p| self.dirty[p as usize]));
            self.is_in_order &= self.again.found.is_empty();
            pairs.extend(self.again.found.drain(..).map(Listed::new));
        }
        true
    }

    /// Appends pairs that became possible because ends were moved, unless it is `crowded`.
    pub fn find_more(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        execution: Execution,
        pairs: &mut Vec<Listed>,
    ) {
        self.lead_strayed(bodies, points, Astray::Moved);
        if !self.search_again(bodies, points, Astray::Moved, execution) {
            return;
        }
        let Again { found, known, known_of_chunk, .. } = &mut self.again;
        found.sort_unstable_by_key(Pair::name);
        let is_dirty = |listed: &&Listed| listed.pair.points.iter().any(|&p| self.dirty[p as usize]);
        let note = |_, pairs: &[Listed], known: &mut Vec<u128>| {
            known.extend(pairs.iter().filter(is_dirty).map(Listed::name));
        };
        let chunks = execution.for_chunks(pairs, CHUNK, known_of_chunk, note);
        known.clear();
        chunks.iter_mut().for_each(|chunk| known.append(chunk));
        // In order but for those that were added since the substep began.
        if !self.is_in_order {
            known.sort_unstable();
        }
        let mut known = known.iter().copied().peekable();
        let new = found.drain(..).filter(|pair| {
            let name = pair.name();
            while known.next_if(|&known| known < name).is_some() {}
            known.peek() != Some(&name)
        });
        let before = pairs.len();
        pairs.extend(new.map(Listed::new));
        self.is_in_order &= pairs.len() == before;
    }

    /// Gives points that have left their ways other ones, and marks them as dirty; how many have strayed where they start.
    pub(super) fn lead_strayed(&mut self, bodies: &Bodies, points: &Points, astray: Astray) -> usize {
        let Self { horizon, point_boxes, dirty, shares, .. } = self;
        dirty.clear();
        dirty.resize(points.end.len(), false);
        let mut strayed = 0;
        for body in &bodies.all {
            let (reach, [stray, far]) = (reach(body), [STRAY, LARGEST_MOVE].map(|part| part * body.reach));
            for p in body.range() {
                if astray == Astray::Moved && !points.changed[p] {
                    continue;
                }
                let has_left = astray == Astray::All && horizon.astray(p, points.start[p], shares[0]) > stray;
                if has_left {
                    horizon.lead(p, shares[0], points);
                    strayed += 1;
                }
                let ends_far = horizon.widen(p, points, *shares, far);
                if (has_left || ends_far) && astray != Astray::Ends {
                    point_boxes[p] = horizon.moving_box(p, reach);
                    dirty[p] = true;
                }
            }
        }
        horizon.count(strayed);
        strayed
    }

    /// Looks for all pairs with a dirty point, or with a star that is no longer flat, whose points become dirty, too; whether there was
    /// any of these.
    fn search_again(
        &mut self,
        bodies: &mut Bodies,
        points: &Points,
        astray: Astray,
        execution: Execution,
    ) -> bool {
        let mut again = std::mem::take(&mut self.again);
        again.marks.resize_with(bodies.all.len(), Marks::default);
        let mut is_any = false;
        for (number, marks) in again.marks.iter_mut().enumerate() {
            self.lose_stars(bodies, number, points, astray, execution);
            let body = &mut bodies.all[number];
            let is_dirty =
                |t: u32| body.primitives[t as usize].corners.iter().any(|&p| self.dirty[p as usize]);
            if body.bvh.mark(is_dirty, marks) {
                body.bvh.refit_marked(marks, |t| self.primitive_box(&body.primitives[t as usize]));
                is_any = true;
            }
        }
        if is_any {
            self.search(bodies, Some(&again.marks), execution, &mut again.found);
        }
        self.again = again;
        is_any
    }

    /// Points around stars of a cloth that are no longer flat become dirty.
    fn lose_stars(
        &mut self,
        bodies: &mut Bodies,
        number: usize,
        points: &Points,
        astray: Astray,
        execution: Execution,
    ) {
        let gap = bodies.own_gap(number);
        let body = &mut bodies.all[number];
        if !self.self_collisions || !body.is_cloth {
            return;
        }
        let own = body.range();
        let motion = Motion { start: &points.start[own.clone()], end: &points.end[own.clone()], gap };
        let which = match astray {
            Astray::Moved => Which::FlatAndMoved(&points.changed[own]),
            Astray::All | Astray::Ends => Which::Flat,
        };
        for &v in body.stars.judge(motion, which, execution) {
            for &t in body.point_primitives.row(v) {
                body.primitives[t as usize].corners.iter().for_each(|&p| self.dirty[p as usize] = true);
            }
        }
    }
}
