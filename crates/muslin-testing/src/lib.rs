//! What the tests of several crates share: [`Noise`], small [scenes](level_square), and calls in any order on a [world](driven).
//!
//! For tests in `tests/` only. A library's unit tests would get another build of the library's types; for random numbers they
//! take fastrand, as [`Noise`] does.

pub mod driven;
mod noise;
mod scenes;

pub use noise::Noise;
pub use scenes::{ball, floor, level_square, settings, shaken};
