//! Regions: what they ask of their points, in one order or the other.
//!
//! - `edge`, `triangle`: the shape of one region, which both orders share
//! - `triangle_sweep`, `membrane`: triangles in the order of Gauss-Seidel, without and with a physical stiffness (edges are swept in `edge`)
//! - `gather`: all regions at once, averaged
//! - `touching_edge`: edges of coarse levels where cloth lies on something
//! - `edge_limit`: how far edges may be stretched at the most

pub(super) mod edge;
pub(super) mod edge_limit;
pub(super) mod gather;
pub(crate) mod membrane;
pub(super) mod touching_edge;
pub(crate) mod triangle;
pub(super) mod triangle_sweep;
#[cfg(test)]
mod triangle_tests;
