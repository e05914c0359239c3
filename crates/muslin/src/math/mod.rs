//! Small mathematics shared by the stages: sparse rows, vector lanes, small vectors of lanes, closest points, sets that are joined, what hangs together.

pub(crate) mod components;
pub mod csr;
pub(crate) mod disjoint_sets;
pub(crate) mod lanes;
pub mod proximity;
#[cfg(test)]
mod proximity_tests;
pub(crate) mod vec3;

use glam::{DMat3, DVec3};

/// x xᵀ.
pub(crate) fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}

/// A maximum that does not hide a NaN.
pub(crate) fn largest(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
