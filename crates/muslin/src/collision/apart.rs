//! Primitives that stay apart along some direction: they need no closer look.
//!
//! Boxes along the axes overlap for most neighbours but one in a cloth, and for everything that moves
//! fast in the same direction; this test is invariant to common motion. Along a fixed direction the
//! distance of points that move straight changes linearly, so both ends of the step tell all.

use glam::{Vec3, Vec4};

use super::body::Body;
use super::broad_phase::reach;
use super::pairs::Points;

/// What is lost to rounding, relative to the distances that are compared.
const ROUNDING: f32 = 1e-4;

/// The test for primitives of two bodies.
pub(super) struct Apart<'a> {
    points: &'a Points,
    needed: f32,
}

impl<'a> Apart<'a> {
    pub fn new(first: &Body, second: &Body, points: &'a Points) -> Self {
        Self { points, needed: (1.0 + ROUNDING) * (reach(first) + reach(second)) }
    }

    /// Whether two primitives stay apart along the line between their centres, or along the normal of
    /// either (layers of cloth).
    pub fn holds(&self, a: [u32; 3], b: [u32; 3]) -> bool {
        let [a, b] = [a, b].map(|corners| corners.map(|p| p as usize));
        let start = |p: usize| self.points.start[p].truncate();
        let middle = |[i, j, k]: [usize; 3]| start(i) + start(j) + start(k);
        let normal = |[i, j, k]: [usize; 3]| (start(j) - start(i)).cross(start(k) - start(i));
        self.along(middle(a) - middle(b), a, b) || self.along(normal(a), a, b) || self.along(normal(b), a, b)
    }

    /// Whether they stay apart along a direction, either way round.
    fn along(&self, direction: Vec3, a: [usize; 3], b: [usize; 3]) -> bool {
        let Some(direction) = direction.try_normalize() else { return false };
        let direction = direction.extend(0.0);
        let apart = |x: &[Vec4]| {
            // Relative to one of the points, so that little is lost far from the origin.
            let along = |p: usize| (x[p] - x[b[0]]).dot(direction);
            let of_a = a.map(along);
            let (p, q) = (along(b[1]), along(b[2]));
            let (least_a, most_a) = (of_a[0].min(of_a[1]).min(of_a[2]), of_a[0].max(of_a[1]).max(of_a[2]));
            let (least_b, most_b) = (p.min(q).min(0.0), p.max(q).max(0.0));
            let lost = ROUNDING * (most_a.abs().max(least_a.abs()) + most_b - least_b);
            [least_a - most_b - lost, least_b - most_a - lost]
        };
        let [above, below] = apart(&self.points.start).map(|distance| distance > self.needed);
        if !(above || below) {
            return false;
        }
        let [still_above, still_below] = apart(&self.points.end).map(|distance| distance > self.needed);
        (above && still_above) || (below && still_below)
    }
}
