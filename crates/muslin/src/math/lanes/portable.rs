//! Lanes through the `wide` crate: the instructions that every CPU of the target has.

use std::ops::{Add, Div, Mul, Sub};

use glam::Vec4;
use wide::f32x8;

use super::{Lanes, Real, WIDTH};

/// Eight lanes of `wide`.
#[derive(Clone, Copy)]
pub(crate) struct Portable(f32x8);

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for Portable {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Real for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x8::splat(value))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.select_lt(other, self, other)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.simd_gt(other.0).bitselect(self.0, other.0))
    }
    #[inline(always)]
    fn select_lt(self, other: Self, then: Self, otherwise: Self) -> Self {
        Self(self.0.simd_lt(other.0).bitselect(then.0, otherwise.0))
    }
    #[inline(always)]
    fn any_lt(self, other: Self) -> bool {
        self.0.simd_lt(other.0).any()
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        Self(f32x8::from(*values))
    }
    #[inline(always)]
    fn load_points(points: [Vec4; WIDTH]) -> [Self; 4] {
        // Loops and not `map`: that is called and not inlined once a kernel is large.
        let [mut x, mut y, mut z, mut w] = [[0.0; WIDTH]; 4];
        for lane in 0..WIDTH {
            [x[lane], y[lane], z[lane], w[lane]] = points[lane].to_array();
        }
        [Self(x.into()), Self(y.into()), Self(z.into()), Self(w.into())]
    }
    #[inline(always)]
    fn to_points(components: [Self; 4]) -> [Vec4; WIDTH] {
        let [x, y, z, w] = components;
        let (x, y, z, w) = (x.0.to_array(), y.0.to_array(), z.0.to_array(), w.0.to_array());
        let mut points = [Vec4::ZERO; WIDTH];
        for lane in 0..WIDTH {
            points[lane] = Vec4::new(x[lane], y[lane], z[lane], w[lane]);
        }
        points
    }
}
