//! Pictures of cloth through wgpu: what is seen and a camera in, a texture out.
//!
//! It knows surfaces, marks, light and a camera; no simulation, no window, no egui. Positions are single precision and counted from an
//! origin that all of a [`Scenery`] shares; lengths are metres, colours sRGB.

mod renderer;
mod scenery;
mod view;

pub use renderer::{PendingPicture, Renderer};
pub use scenery::{Ground, Look, Mark, MarkKind, Options, Places, Pose, Scenery, Sheet, Solid, Weave};
pub use view::{Ray, View};
