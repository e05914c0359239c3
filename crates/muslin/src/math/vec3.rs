//! A vector of three [`Real`]s: one point, or eight points at once.

use std::ops::{Add, Mul, Sub};

use glam::{Vec3, Vec4};

use super::lanes::Real;

/// Three components of any [`Real`].
#[derive(Clone, Copy)]
pub(crate) struct V3<R> {
    pub x: R,
    pub y: R,
    pub z: R,
}

impl<R: Real> V3<R> {
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    pub fn without_w([x, y, z, _]: [R; 4]) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    pub fn with_w(self, w: R) -> [R; 4] {
        [self.x, self.y, self.z, w]
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// Per lane: `if a < b { self } else { otherwise }`.
    #[inline(always)]
    pub fn if_lt(self, a: R, b: R, otherwise: Self) -> Self {
        Self {
            x: a.select_lt(b, self.x, otherwise.x),
            y: a.select_lt(b, self.y, otherwise.y),
            z: a.select_lt(b, self.z, otherwise.z),
        }
    }
}

impl<R: Real> Add for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<R: Real> Sub for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<R: Real> Mul<R> for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: R) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl From<Vec4> for V3<f32> {
    #[inline(always)]
    fn from(v: Vec4) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<V3<f32>> for Vec3 {
    #[inline(always)]
    fn from(v: V3<f32>) -> Self {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl From<Vec3> for V3<f32> {
    #[inline(always)]
    fn from(v: Vec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}
