//! What intersects from the start, and how it comes free.
//!
//! 1. `tangles`: which triangles intersect at the start of a step, what is ignored meanwhile, and the pull apart;
//! 2. `escape`: the way out of closed meshes.

mod escape;
pub(super) mod tangles;
