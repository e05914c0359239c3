//! The text of a scene: where things stand in it, and what is said when something is wrong there.

pub(super) mod diagnostic;
pub(super) mod hint;
pub(super) mod source;
mod width;
