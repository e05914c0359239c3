//! Boxes that move: where a box is at the start and at the end of a step.
//!
//! Points move straight from start to end. The smallest coordinate of a set of them is then a concave
//! function of time, the largest a convex one: at time t the set lies inside of the boxes' linear
//! interpolation. If on some side of some axis one box is beyond the other at the start *and* at the
//! end, it is so at all times, (1 − t) s₀ + t s₁ > 0, and the sets never meet. Unlike boxes around the
//! whole motion, which grow with the speed, these tell no more pairs of cloth that flies than of cloth
//! at rest: neighbours that move together stay apart.

use glam::Vec4;

use super::aabb::Aabb;

/// Around straight motions: one box at the start, one at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MovingBox {
    pub start: Aabb,
    pub end: Aabb,
}

impl MovingBox {
    /// Around nothing, as [`Aabb::EMPTY`].
    pub const EMPTY: Self = Self::still(Aabb::EMPTY);

    /// Overlaps nothing, not even an infinite box: NaN compares false.
    pub const NOWHERE: Self = Self::still(Aabb { min: Vec4::NAN, max: Vec4::NAN });

    /// A box that does not move.
    #[inline]
    pub const fn still(around: Aabb) -> Self {
        Self { start: around, end: around }
    }

    /// Around one point.
    #[inline]
    pub fn of_point(start: Vec4, end: Vec4) -> Self {
        Self { start: Aabb { min: start, max: start }, end: Aabb { min: end, max: end } }
    }

    /// Around both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.union(other.start), end: self.end.union(other.end) }
    }

    /// Larger by a distance on every side, rounded outwards.
    #[inline]
    pub fn inflate(self, distance: f32) -> Self {
        Self { start: self.start.inflate(distance), end: self.end.inflate(distance) }
    }

    /// Whether the closed boxes may have a point in common at some time; false where NaN keeps it from
    /// being true.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let reaches = |a: &Self, b: &Self| a.start.min.cmple(b.start.max) | a.end.min.cmple(b.end.max);
        (reaches(self, other) & reaches(other, self)).bitmask() & 7 == 7
    }

    /// Whether both boxes are the right way round; false if a coordinate is NaN.
    #[inline]
    pub fn is_sound(&self) -> bool {
        let right = |around: &Aabb| around.min.cmple(around.max);
        (right(&self.start) & right(&self.end)).bitmask() & 7 == 7
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    fn still(min: [f32; 3], max: [f32; 3]) -> MovingBox {
        MovingBox::still(Aabb::of_points([min.into(), max.into()]))
    }

    #[test]
    fn boxes_that_move_together_stay_apart_and_those_that_change_sides_do_not() {
        let a = still([0.0; 3], [1.0; 3]);
        let b = still([1.5, 0.0, 0.0], [2.0, 1.0, 1.0]);
        let moved = |x: MovingBox, by: f32| {
            let by = Vec4::new(by, by, 0.0, 0.0);
            MovingBox { end: Aabb { min: x.end.min + by, max: x.end.max + by }, ..x }
        };
        assert!(!moved(a, 100.0).overlaps(&moved(b, 100.0)));
        assert!(moved(a, 100.0).overlaps(&b) && b.overlaps(&moved(a, 100.0)));
        assert!(!moved(a, 0.4).overlaps(&b));
        assert!(moved(a, 0.6).overlaps(&b));
    }

    #[test]
    fn touching_boxes_overlap_and_empty_ones_do_not() {
        let unit = still([0.0; 3], [1.0; 3]);
        assert!(unit.overlaps(&still([1.0, 0.5, 0.5], [2.0; 3])));
        assert!(!unit.overlaps(&still([1.0001, 0.5, 0.5], [2.0; 3])));
        assert!(!unit.overlaps(&MovingBox::EMPTY));
    }

    #[test]
    fn what_is_nowhere_overlaps_nothing() {
        let everything = MovingBox::still(Aabb { min: Vec4::NEG_INFINITY, max: Vec4::INFINITY });
        assert!(!everything.overlaps(&MovingBox::NOWHERE) && !MovingBox::NOWHERE.overlaps(&everything));
        assert!(everything.is_sound() && !MovingBox::NOWHERE.is_sound() && !MovingBox::EMPTY.is_sound());
        let lost = MovingBox { end: MovingBox::NOWHERE.end, ..everything };
        assert!(!lost.is_sound());
    }

    fn motions() -> impl Strategy<Value = Vec<[Vec3; 2]>> {
        let place = || prop::array::uniform3(-1.0f32..1.0).prop_map(Vec3::from);
        // A common motion far larger than the set, and own ones.
        let one = (place(), place()).prop_map(|(start, own)| [start, start + 0.5 * own]);
        (prop::collection::vec(one, 1..5), place(), place()).prop_map(|(mut points, shift, motion)| {
            for [start, end] in &mut points {
                *start += 3.0 * shift;
                *end += 3.0 * shift + 4.0 * motion;
            }
            points
        })
    }

    fn around(points: &[[Vec3; 2]], reach: f32) -> MovingBox {
        let boxes = points.iter().map(|[a, b]| MovingBox::of_point(a.extend(0.0), b.extend(0.0)));
        boxes.fold(MovingBox::EMPTY, MovingBox::union).inflate(reach)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn sets_that_come_near_at_any_time_overlap(a in motions(), b in motions(), reach in 0.0f32..0.3) {
            let overlap = around(&a, reach).overlaps(&around(&b, reach));
            prop_assert_eq!(overlap, around(&b, reach).overlaps(&around(&a, reach)));
            for step in 0..=100 {
                let t = f64::from(step) / 100.0;
                let at = |points: &[[Vec3; 2]]| -> Vec<_> {
                    points.iter().map(|[from, to]| from.as_dvec3().lerp(to.as_dvec3(), t)).collect()
                };
                let (a, b) = (at(&a), at(&b));
                // The hulls of both sets are farther apart than the boxes around them.
                let range = |x: &[glam::DVec3]| {
                    x.iter().fold((x[0], x[0]), |(low, high), &p| (low.min(p), high.max(p)))
                };
                let ((low_a, high_a), (low_b, high_b)) = (range(&a), range(&b));
                let between = (low_a - high_b).max(low_b - high_a).max_element();
                prop_assert!(overlap || between > 2.0 * f64::from(reach), "t = {}", t);
            }
        }
    }
}
