//! What bounds where particles may be, on all levels.
//!
//! - `held`: which particles pins hold, and where
//! - `tethers`: how far others may be from those
//! - `contact`: what colliders near the mesh push them out of
//! - `holding`: all of that for one level

pub(crate) mod contact;
pub(crate) mod held;
pub(crate) mod holding;
pub(crate) mod tethers;
