//! Primitives that stay apart along some direction: they need no closer look.
//!
//! Boxes along the axes overlap for most neighbours but one in a cloth, and for slanted layers. Along a
//! fixed direction the distance of points that move straight changes linearly, so both ends of the step
//! tell all, and motion in common does not matter.

use glam::{Mat4, Vec3A, Vec4};

use super::broad_phase::reach;
use crate::collision::bodies::body::Body;

/// What is lost to rounding, relative to the distance to be kept: the length of a direction.
const ROUNDING: f32 = 1e-5;

/// What is lost to rounding along a direction, relative to the largest coordinate: ε/2 for each
/// difference and each of three products and two sums, times √3 for the length of both vectors, for
/// both primitives; that is 12 × 2⁻²⁴ × √3 ≈ 1.3e-6, and something to spare.
const ROUNDING_ALONG: f32 = 2e-6;

/// A direction shorter than this has lost its length to underflow.
const SHORTEST: f32 = 1e-15;

/// The test for primitives of two bodies.
pub(crate) struct Apart<'a> {
    paths: &'a [[Vec4; 2]],
    needed: f32,
}

impl<'a> Apart<'a> {
    /// For points that go from one place to another, with what they may stray beyond what all may in w.
    pub fn new(first: &Body, second: &Body, paths: &'a [[Vec4; 2]]) -> Self {
        Self { paths, needed: (1.0 + ROUNDING) * (reach(first) + reach(second)) }
    }

    /// Whether two primitives stay apart along the line between their centres, or along the normal of
    /// either (layers of cloth).
    #[inline]
    pub fn holds(&self, a: [u32; 3], b: [u32; 3]) -> bool {
        let before = Places::new(self.paths, 0, a, b);
        let needed = self.needed + self.wide(a) + self.wide(b);
        // Most of those that are not apart at the start need not be looked at again.
        let mut after = None;
        let mut along = |direction: Vec3A| {
            let length = direction.length();
            let [above, below] = before.apart(direction, length, needed);
            if !(above || below) || length < SHORTEST {
                return false;
            }
            let after = after.get_or_insert_with(|| Places::new(self.paths, 1, a, b));
            let [still_above, still_below] = after.apart(direction, length, needed);
            (above && still_above) || (below && still_below)
        };
        along(before.between_centers()) || along(before.normal_a()) || along(before.normal_b())
    }
}

impl Apart<'_> {
    /// How far a corner may stray.
    #[inline]
    fn wide(&self, corners: [u32; 3]) -> f32 {
        let [a, b, c] = corners.map(|p| self.paths[p as usize][0].w);
        (1.0 + ROUNDING) * a.max(b).max(c)
    }
}

/// The corners of two primitives at one time, relative to the first of the second one, so that little
/// is lost far from the origin.
struct Places {
    a: [Vec4; 3],
    b: [Vec4; 2],
    /// By coordinate, the last corner twice: one product with a component of a direction is for all.
    by_axis: [[Vec4; 3]; 2],
    /// The largest coordinate.
    size: f32,
}

impl Places {
    #[inline]
    fn new(paths: &[[Vec4; 2]], end: usize, a: [u32; 3], b: [u32; 3]) -> Self {
        let origin = paths[b[0] as usize][end];
        let at = |p: u32| paths[p as usize][end] - origin;
        let (p, q, r, s, t) = (at(a[0]), at(a[1]), at(a[2]), at(b[1]), at(b[2]));
        let transposed = |a, b, c| {
            let rows = Mat4::from_cols(a, b, c, c).transpose();
            [rows.x_axis, rows.y_axis, rows.z_axis]
        };
        let by_axis = [transposed(p, q, r), transposed(Vec4::ZERO, s, t)];
        let largest = |[x, y, z]: [Vec4; 3]| x.abs().max(y.abs()).max(z.abs());
        let size = largest(by_axis[0]).max(largest(by_axis[1])).max_element();
        Self { a: [p, q, r], b: [s, t], by_axis, size }
    }

    fn between_centers(&self) -> Vec3A {
        let ([p, q, r], [s, t]) = (self.a, self.b);
        Vec3A::from_vec4(p + q + r - s - t)
    }

    fn normal_a(&self) -> Vec3A {
        let [p, q, r] = self.a;
        Vec3A::from_vec4(q - p).cross(Vec3A::from_vec4(r - p))
    }

    fn normal_b(&self) -> Vec3A {
        let [s, t] = self.b;
        Vec3A::from_vec4(s).cross(Vec3A::from_vec4(t))
    }

    /// Whether the first is apart from the second in a direction, and against it.
    #[inline]
    fn apart(&self, direction: Vec3A, length: f32, needed: f32) -> [bool; 2] {
        let [d, e, f] = direction.to_array();
        let along = |[x, y, z]: [Vec4; 3]| x * d + y * e + z * f;
        let (a, b) = (along(self.by_axis[0]), along(self.by_axis[1]));
        let limit = (needed + ROUNDING_ALONG * self.size) * length;
        [a.min_element() - b.max_element() > limit, b.min_element() - a.max_element() > limit]
    }
}
