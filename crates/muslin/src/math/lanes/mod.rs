//! Eight floats at a time, on every machine, with the same bits.
//!
//! Hot kernels are written once, generic over [`Real`] (arithmetic) and [`Lanes`] (eight of them
//! and how they reach memory). [`dispatch`] picks AVX2 at run time where the CPU has it, and else
//! the `wide` crate (SSE2, NEON, simd128 or plain code).
//!
//! Only operations that IEEE 754 rounds exactly are offered: no fused multiply-add, no estimated
//! reciprocals. So a kernel gives the same bits in scalar code, in every instruction set, and on
//! every vendor's CPU; `rsqrtps` would differ between AMD and Intel. The price, measured on Zen 4,
//! is below 10 % of a step.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use std::ops::{Add, Div, Mul, Sub};

use glam::Vec4;
pub(crate) use portable::Portable;

/// How many lanes a pack has.
pub(crate) const WIDTH: usize = 8;

/// A number or eight of them: what a kernel computes with.
pub(crate) trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The same value in every lane.
    fn splat(value: f32) -> Self;
    fn sqrt(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// Per lane: `if self < other { then } else { otherwise }`.
    fn select_lt(self, other: Self, then: Self, otherwise: Self) -> Self;
    /// Whether `self < other` in any lane.
    fn any_lt(self, other: Self) -> bool;
}

/// Eight lanes and their way to and from memory.
pub(crate) trait Lanes: Real {
    fn load(values: &[f32; WIDTH]) -> Self;
    /// Loads eight points and transposes them: all x, all y, all z, all w.
    fn load_points(points: [Vec4; WIDTH]) -> [Self; 4];
    /// The inverse of [`Lanes::load_points`].
    fn to_points(components: [Self; 4]) -> [Vec4; WIDTH];
}

/// A computation that can run on any kind of lanes. `run` must be `#[inline(always)]`, as must
/// everything it calls, so that it is compiled with the instruction set of its dispatcher.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Which instructions the kernels use. The results are the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// The widest that this CPU has.
    #[default]
    Best,
    /// Only what every CPU of the target has; for tests and comparisons.
    Portable,
}

/// Runs a kernel with the chosen instructions.
#[inline]
pub(crate) fn dispatch<K: Kernel>(instructions: Instructions, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    let kernel = match instructions {
        Instructions::Best => match avx2::try_run(kernel) {
            Ok(output) => return output,
            Err(kernel) => kernel,
        },
        Instructions::Portable => kernel,
    };
    let _ = instructions;
    kernel.run::<Portable>()
}

impl Real for f32 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn select_lt(self, other: Self, then: Self, otherwise: Self) -> Self {
        if self < other { then } else { otherwise }
    }
    #[inline(always)]
    fn any_lt(self, other: Self) -> bool {
        self < other
    }
}

/// In double precision, to check derivations by finite differences.
#[cfg(test)]
impl Real for f64 {
    fn splat(value: f32) -> Self {
        value.into()
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn min(self, other: Self) -> Self {
        f64::min(self, other)
    }
    fn max(self, other: Self) -> Self {
        f64::max(self, other)
    }
    fn select_lt(self, other: Self, then: Self, otherwise: Self) -> Self {
        if self < other { then } else { otherwise }
    }
    fn any_lt(self, other: Self) -> bool {
        self < other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bit of everything, on points that go in and come out transposed.
    struct Mix([Vec4; WIDTH]);

    fn mix<R: Real>([x, y, z, w]: [R; 4]) -> [R; 4] {
        let root = (x * x + y * y).sqrt();
        let ratio = (z - w) / root.max(R::splat(1e-6));
        [root, ratio, x.min(y), z.select_lt(w, x * y, z + w)]
    }

    impl Kernel for Mix {
        type Output = [Vec4; WIDTH];
        #[inline(always)]
        fn run<L: Lanes>(self) -> Self::Output {
            L::to_points(mix(L::load_points(self.0)))
        }
    }

    #[test]
    fn every_instruction_set_gives_the_bits_of_scalar_code() {
        for round in 0..50 {
            let value =
                |i: usize| ((i * 37 + round * 11) as f32 * 0.731).sin() * 10f32.powi(i as i32 % 5 - 2);
            let points: [Vec4; WIDTH] = std::array::from_fn(|p| {
                Vec4::new(value(4 * p), value(4 * p + 1), value(4 * p + 2), value(4 * p + 3))
            });
            let scalar = points.map(|p| Vec4::from_array(mix(p.to_array())));
            assert_eq!(dispatch(Instructions::Best, Mix(points)), scalar);
            assert_eq!(dispatch(Instructions::Portable, Mix(points)), scalar);
        }
    }
}
