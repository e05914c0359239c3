//! Primitives that stay apart along one direction: they need no closer look.
//!
//! Boxes along the axes overlap for most neighbours but one in a cloth, and for everything that moves
//! fast in the same direction; this test is invariant to common motion. Along a fixed direction the
//! distance of points that move straight changes linearly, so both ends of the step tell all.

use glam::Vec4;

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

    /// Whether two primitives stay apart along the line between their centres.
    pub fn holds(&self, a: [u32; 3], b: [u32; 3]) -> bool {
        let [a, b] = [a, b].map(|corners| corners.map(|p| p as usize));
        let (start, end) = (&self.points.start, &self.points.end);
        let middle = |[i, j, k]: [usize; 3]| start[i] + start[j] + start[k];
        let Some(direction) = (middle(a) - middle(b)).truncate().try_normalize() else {
            return false;
        };
        let direction = direction.extend(0.0);
        let apart = |x: &[Vec4]| {
            // Relative to one of the points, so that little is lost far from the origin.
            let along = |p: usize| (x[p] - x[b[0]]).dot(direction);
            let least = along(a[0]).min(along(a[1])).min(along(a[2]));
            let most = along(b[1]).max(along(b[2])).max(0.0);
            least - most - ROUNDING * (least.abs() + most)
        };
        apart(start).min(apart(end)) > self.needed
    }
}
