//! Relative positions and their extent along an axis in about twice the digits of a double.
//!
//! Sums and products of two doubles are exact as a pair of doubles (Knuth's two-sum; the product by
//! a fused multiply-add), so that nothing is lost but roundings of what an earlier rounding lost. With
//! u the one and M the size of the values that enter: a component of a difference loses u²·M in the
//! product with its low part, 2u²·M in adding that to the low part of the other product, and 9u²·M in
//! the sum of the low parts, each of which is below 4u·M: 12u²·M. Along an axis n the terms of the
//! order u·|n|·M sum up to less than 5u·|n|·M; their products and sums, at most five roundings each,
//! lose 28u²·|n|·M.

use glam::DVec3;

/// A vector as the unevaluated sum of a rounded one and what the rounding took away.
#[derive(Clone, Copy)]
pub(super) struct Precise {
    pub(super) high: DVec3,
    low: DVec3,
}

impl Precise {
    /// a − b at a time in 0 to 1 whose difference from 1 is a double, for points that move from
    /// `a[0]` to `a[1]` and from `b[0]` to `b[1]`.
    pub(super) fn difference(a: [DVec3; 2], b: [DVec3; 2], time: f64) -> Self {
        let (mut high, mut low) = (DVec3::ZERO, DVec3::ZERO);
        for c in 0..3 {
            let [(start, start_low), (end, end_low)] = [(0, 1.0 - time), (1, time)].map(|(k, factor)| {
                let (difference, rest) = sum(a[k][c], -b[k][c]);
                let (product, product_rest) = product(factor, difference);
                (product, product_rest + factor * rest)
            });
            let (total, rest) = sum(start, end);
            (high[c], low[c]) = sum(total, rest + (start_low + end_low));
        }
        Self { high, low }
    }

    /// The extent along the axis.
    pub(super) fn along(&self, axis: DVec3) -> f64 {
        let [(x, x_rest), (y, y_rest), (z, z_rest)] = [0, 1, 2].map(|c| product(axis[c], self.high[c]));
        let (xy, xy_rest) = sum(x, y);
        let (xyz, xyz_rest) = sum(xy, z);
        xyz + (xyz_rest + xy_rest + (x_rest + y_rest + z_rest + axis.dot(self.low)))
    }
}

/// The sum, rounded, and its rounding error.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let total = a + b;
    let from_b = total - a;
    (total, (a - (total - from_b)) + (b - from_b))
}

/// The product, rounded, and its rounding error.
fn product(a: f64, b: f64) -> (f64, f64) {
    let total = a * b;
    (total, a.mul_add(b, -total))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::collision::detect::ccd::relative::ROUNDING;

    /// Times are multiples of this part of the whole.
    const PARTS: i64 = 1 << 18;

    fn integers() -> impl Strategy<Value = [i64; 3]> {
        let any = -(1i64 << 49)..(1i64 << 49);
        [any.clone(), any.clone(), any]
    }

    fn doubles(v: [i64; 3]) -> DVec3 {
        DVec3::from_array(v.map(|x| x as f64))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Against integers of 128 bits, for differences that nearly vanish at the time.
        #[test]
        fn loses_no_more_than_said(
            start in [integers(), integers()], axis in integers(), rest in [-9i64..9, -9i64..9, -9i64..9],
            part in PARTS / 4..3 * PARTS / 4,
        ) {
            let difference = |c: usize| start[0][c] - start[1][c];
            let opposite = |c: usize| {
                let exact = -i128::from(difference(c)) * i128::from(PARTS - part) / i128::from(part);
                exact as i64 / 4 + rest[c]
            };
            let end = [0, 1, 2].map(opposite);
            // The difference of the ends is 4 times that: from minus to plus 2 times.
            let ends = [end.map(|x| 2 * x), end.map(|x| -2 * x)];
            let exact: i128 = (0..3)
                .map(|c| {
                    let sum = i128::from(PARTS - part) * i128::from(difference(c))
                        + i128::from(part) * i128::from(ends[0][c] - ends[1][c]);
                    sum * i128::from(axis[c])
                })
                .sum();
            let time = part as f64 / PARTS as f64;
            let [a, b] = [0, 1].map(|k| [doubles(start[k]), doubles(ends[k])]);
            let found = Precise::difference(a, b, time).along(doubles(axis)) * PARTS as f64;
            let magnitude = (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            let allowed = 64.0 * ROUNDING * ROUNDING * doubles(axis).abs().dot(magnitude) * PARTS as f64;
            // Both numbers are rounded once at the end.
            let error = (found - exact as f64).abs() - 2.0 * ROUNDING * found.abs();
            prop_assert!(error <= allowed, "{error} instead of {allowed}");
        }
    }
}
