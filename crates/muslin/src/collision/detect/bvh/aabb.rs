//! Boxes along the axes. Points → the smallest box around them.

use glam::{Vec3, Vec4};

/// A closed box along the axes. The fourth component is there for the vector registers; no test reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Vec4,
    /// The corner with the largest coordinates.
    pub max: Vec4,
}

impl Aabb {
    /// Around nothing: overlaps no finite box, and the union with it changes nothing.
    pub const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    /// Around points. A NaN coordinate gives a box of which nobody should rely on anything.
    #[inline]
    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |around, point| {
            let point = point.extend(0.0);
            Self { min: around.min.min(point), max: around.max.max(point) }
        })
    }

    /// Around both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Larger by a distance on every side, rounded outwards: the exact box is inside.
    #[inline]
    pub fn inflate(self, distance: f32) -> Self {
        let distance = Vec4::splat(distance);
        Self { min: -outwards(-self.min + distance), max: outwards(self.max + distance) }
    }
}

/// A sum, rounded to nearest, becomes an upper bound of the exact one: the next larger number or one
/// a little larger. |sum| ε is at least the distance to the next number, `MIN_POSITIVE` where the
/// numbers have no leading one.
#[inline]
fn outwards(sum: Vec4) -> Vec4 {
    sum + (sum.abs() * f32::EPSILON + f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inflation_is_never_too_small(value in any::<f32>(), distance in 0.0f32..1e3) {
            prop_assume!(value.abs() < 1e30);
            let grown = Aabb::of_points([Vec3::splat(value)]).inflate(distance);
            // The sums are exact in f64 or so close that the comparison does not change.
            prop_assert!(f64::from(grown.max.x) >= f64::from(value) + f64::from(distance));
            prop_assert!(f64::from(grown.min.x) <= f64::from(value) - f64::from(distance));
        }
    }
}
