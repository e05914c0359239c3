//! Lanes through AVX2: the one fenced module with unsafe code.
//!
//! Why it is sound: [`Avx2`] is private to this file, so code outside can only meet it as the type
//! parameter of a [`Kernel`] that [`try_run`] started, and that function first asks
//! the CPU for AVX2. Nothing here touches memory through a pointer.
//!
//! Kernels hold no closures over lanes: a closure is not compiled with the instruction set of the
//! function around it, and each intrinsic in it would become a call (measured: six times slower).
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

use glam::Vec4;

use super::{Kernel, Lanes, Real, WIDTH};

/// Runs the kernel if this CPU has AVX2; else hands it back.
#[inline(always)]
pub(super) fn try_run<K: Kernel>(kernel: K) -> Result<K::Output, K> {
    // The standard library caches the answer in an atomic.
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        Ok(unsafe { run(kernel) })
    } else {
        Err(kernel)
    }
}

#[target_feature(enable = "avx2")]
fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// Eight lanes in one AVX register.
#[derive(Clone, Copy)]
struct Avx2(__m256);

/// Calls an AVX intrinsic on values.
macro_rules! avx {
    // SAFETY: see the head of the file: an `Avx2` exists only where the CPU has AVX2.
    ($call:expr) => {
        unsafe { $call }
    };
}

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Avx2 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(avx!($intrinsic(self.0, other.0)))
            }
        }
    };
}
operator!(Add, add, _mm256_add_ps);
operator!(Sub, sub, _mm256_sub_ps);
operator!(Mul, mul, _mm256_mul_ps);
operator!(Div, div, _mm256_div_ps);

impl Real for Avx2 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(avx!(_mm256_set1_ps(value)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(avx!(_mm256_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(avx!(_mm256_min_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(avx!(_mm256_max_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn select_lt(self, other: Self, then: Self, otherwise: Self) -> Self {
        Self(avx!(_mm256_blendv_ps(otherwise.0, then.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0))))
    }
    #[inline(always)]
    fn any_lt(self, other: Self) -> bool {
        avx!(_mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0))) != 0
    }
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn load(values: &[f32; WIDTH]) -> Self {
        // A transmute of eight floats is one unaligned load.
        // SAFETY: both are 32 bytes in which every bit pattern is valid.
        Self(unsafe { std::mem::transmute::<[f32; WIDTH], __m256>(*values) })
    }
    #[inline(always)]
    fn load_points(points: [Vec4; WIDTH]) -> [Self; 4] {
        // Points 0–3 lie in the lower halves, 4–7 in the upper ones; then two 4×4 transposes at once.
        let [p0, p1, p2, p3, p4, p5, p6, p7] = points;
        let [x, y, z, w] = transpose([pair(p0, p4), pair(p1, p5), pair(p2, p6), pair(p3, p7)]);
        [Self(x), Self(y), Self(z), Self(w)]
    }
    #[inline(always)]
    fn to_points([x, y, z, w]: [Self; 4]) -> [Vec4; WIDTH] {
        let [r0, r1, r2, r3] = transpose([x.0, y.0, z.0, w.0]);
        let ((p0, p4), (p1, p5), (p2, p6), (p3, p7)) = (halves(r0), halves(r1), halves(r2), halves(r3));
        [p0, p1, p2, p3, p4, p5, p6, p7]
    }
}

#[inline(always)]
fn pair(lower: Vec4, upper: Vec4) -> __m256 {
    avx!(_mm256_set_m128(upper.into(), lower.into()))
}

#[inline(always)]
fn halves(both: __m256) -> (Vec4, Vec4) {
    avx!((_mm256_castps256_ps128(both).into(), _mm256_extractf128_ps::<1>(both).into()))
}

/// Transposes the 4×4 blocks in the lower and in the upper halves.
#[inline(always)]
fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    avx!({
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    })
}
