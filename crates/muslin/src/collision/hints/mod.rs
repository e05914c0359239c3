//! What solvers want to know of colliders before a substep, when there are no contacts yet.
//!
//! 1. `placed`: where a collider is, and what of it is nearest to a point;
//! 2. `touching`: which particles lie on colliders;
//! 3. `near`: what planes bound colliders near particles.

mod near;
pub(super) mod placed;
mod touching;
