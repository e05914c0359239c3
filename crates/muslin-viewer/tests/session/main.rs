//! Sessions, driven as a window drives them, without one.

mod common;
mod gallery;
