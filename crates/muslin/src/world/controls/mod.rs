//! What can be set between the steps of a world. Everything takes effect at the next one; a call that fails changes nothing.
//!
//! `colliders` and `bodies` are moved, pushed and put elsewhere, `attachments` let cloth go along with them, `conditions` hold for
//! everything, and `saved` is all of it to come back to. What is set on single cloths stands in `simulation/controls`.

mod attachments;
mod bodies;
mod colliders;
mod conditions;
mod saved;

pub(super) use attachments::Attachment;
pub use attachments::{Anchor, Strength};
pub use saved::WorldState;
