//! Pictures of cloth through wgpu: what is seen and a camera in, a texture out.
//!
//! It knows surfaces, marks, light and a camera; no simulation, no window, no egui. Positions are single precision and counted from an
//! origin that all of a [`Scenery`] shares; lengths are metres, colours sRGB.

mod device;
mod frame;
mod picture;
mod renderer;
mod scenery;
mod smooth;
mod stage;
mod values;
mod view;

pub use picture::PendingPicture;
pub use renderer::Renderer;
pub use scenery::{Ground, Look, Mark, MarkKind, Options, Places, Pose, Scenery, Sheet, Solid, Weave};
pub use values::value_color;
pub use view::{Ray, View};
