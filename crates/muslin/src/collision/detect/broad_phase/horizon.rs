//! How long pairs live: the way that each point is expected to go, straight and evenly, and whether it still does.
//!
//! Input: where points start and would end in a substep, and where they started in the one before. Output: a path for each point
//! over some substeps to come, the horizon; later the points that have left theirs.
//!
//! Pairs are looked for once for a whole horizon: what stays apart as long as every point is within a margin of its path needs
//! no second look. Paths move along with the points, so nothing is lost by motion, common or not, as long as it is steady: cloth at
//! rest and cloth in free fall keep their pairs equally long. A point that leaves its path gets another, and pairs
//! are looked for around that point alone ([`super::again`]).

use glam::Vec4;

use crate::collision::detect::bvh::MovingBox;
use crate::collision::points::Points;

/// The most substeps that pairs live for.
const LONGEST: f64 = 64.0;

/// The horizon is halved when more than this part of the points have left their paths in it, on average over its substeps.
const MANY: f64 = 1.0 / 32.0;

/// What is lost to rounding, relative to the largest coordinate: one for each of three operations, in each of three coordinates, and
/// something to spare.
const ROUNDING: f32 = 8.0 * 0.5 * f32::EPSILON;

/// Beyond so many times what a point may stray it does not get a wider box, but another way.
const WIDEST: f32 = 4.0;

/// Where points go, until when.
#[derive(Debug, Default)]
pub(super) struct Horizon {
    /// When it begins and ends, seconds.
    times: [f64; 2],
    /// Where each point is expected to be then; w is how far it may stray beyond what all may, metres.
    pub paths: Vec<[Vec4; 2]>,
    /// How many substeps the next one is to have.
    substeps: f64,
    /// Where points started in the last substep, and when that began and ended.
    last_start: Vec<Vec4>,
    last: [f64; 2],
    /// How often points have left their paths, and in how many substeps.
    strayed: usize,
    elapsed: usize,
}

impl Horizon {
    /// Whether a substep lies in it.
    pub fn reaches(&self, times: [f64; 2], points: &Points) -> bool {
        let [from, to] = self.times;
        let slack = 1e-6 * (to - from);
        self.paths.len() == points.start.len() && times[0] >= from - slack && times[1] <= to + slack
    }

    /// Which part of it has passed.
    pub fn share(&self, time: f64) -> f32 {
        let [from, to] = self.times;
        // A look before the first step takes no time.
        if from < to { ((time - from) / (to - from)).clamp(0.0, 1.0) as f32 } else { 0.0 }
    }

    /// Begins anew with a substep. `is_short`: it has only this one.
    pub fn begin(&mut self, times: [f64; 2], points: &Points, is_short: bool) {
        if self.elapsed > 0 {
            let part = self.strayed as f64 / (self.elapsed * points.start.len().max(1)) as f64;
            self.substeps = (self.substeps * if part > MANY { 0.5 } else { 2.0 }).clamp(1.0, LONGEST);
        }
        (self.strayed, self.elapsed) = (0, 0);
        self.paths.clear();
        let is_known = self.last_length() > 0.0 && self.last[1] == times[0];
        if is_short || !is_known || self.substeps < 2.0 {
            self.times = times;
            self.paths
                .extend(points.start.iter().zip(&points.end).map(|(start, end)| [start, end].map(place)));
            return;
        }
        self.times = [times[0], times[0] + self.substeps * (times[1] - times[0])];
        for point in 0..points.start.len() {
            let start = place(&points.start[point]);
            let path = [start, start + self.speed(point, points)];
            self.paths.push(path);
        }
    }

    /// How far a point would go in the whole horizon if it went on as in the last substep; nowhere if that is not known.
    fn speed(&self, point: usize, points: &Points) -> Vec4 {
        let ahead = ((self.times[1] - self.times[0]) / self.last_length()) as f32;
        let speed = (place(&points.start[point]) - place(&self.last_start[point])) * ahead;
        if speed.is_finite() { speed } else { Vec4::ZERO }
    }

    fn last_length(&self) -> f64 {
        self.last[1] - self.last[0]
    }

    /// A substep has been looked at.
    pub fn note(&mut self, times: [f64; 2], points: &Points) {
        self.last = times;
        self.last_start.clone_from(&points.start);
        self.elapsed += 1;
        self.substeps = self.substeps.max(1.0);
    }

    /// How far a point is from where it is expected, metres, a little more rather than less.
    #[inline]
    pub fn astray(&self, point: usize, place: Vec4, share: f32) -> f32 {
        let [from, to] = self.paths[point];
        let expected = from + (to - from) * share;
        (place - expected).truncate().length() + ROUNDING * from.abs().max(to.abs()).truncate().max_element()
    }

    /// From a share of the horizon on, where it starts now, a point goes on as it went in the last substep.
    pub fn lead(&mut self, point: usize, share: f32, points: &Points) {
        let (start, speed) = (place(&points.start[point]), self.speed(point, points));
        self.paths[point] = [start - speed * share, start + speed * (1.0 - share)];
    }

    /// If a point is to end too far from where it is expected, it may stray farther; or it goes another way, if that is too far as well. Whether
    /// it was so.
    pub fn widen(&mut self, point: usize, points: &Points, [from, to]: [f32; 2], far: f32) -> bool {
        let astray = self.astray(point, points.end[point], to);
        let wide = self.paths[point][0].w;
        if astray <= far + wide {
            return false;
        }
        if astray > WIDEST * far {
            let (start, end) = (place(&points.start[point]), place(&points.end[point]));
            let speed = (end - start) / (to - from);
            self.paths[point] = [start - speed * from, end + speed * (1.0 - to)];
        } else {
            // A little more: it would only have to be widened again.
            let wide = 1.25 * (astray - far);
            self.paths[point].iter_mut().for_each(|place| place.w = wide);
        }
        true
    }

    /// Around the way of a point, larger by a distance and by what it may stray.
    #[inline]
    pub fn moving_box(&self, point: usize, reach: f32) -> MovingBox {
        let [from, to] = self.paths[point];
        MovingBox::of_point(from, to).inflate(reach + from.w)
    }

    /// So many points have left their paths.
    pub fn count(&mut self, strayed: usize) {
        self.strayed += strayed;
    }
}

/// A place without the mass.
fn place(point: &Vec4) -> Vec4 {
    point.truncate().extend(0.0)
}
