//! A session: a world, its clock, and what was asked for; no window, no egui.
//!
//! ```text
//! Source ─► Session ── send(Command) ─►  a thread of its own (natively), or advance (in a page)
//!              │                              steps, holds, rebuilds, rewinds, watches files
//!              └────── frame() ◄────────  Arc<Frame>: Scenery, clock, figures, settings, what is wrong
//! ```
//!
//! [`Session::send`] and [`Session::frame`] never wait for a step. Natively a thread steps; where there are no threads
//! [`Session::advance`] does, and there it has to be called once per picture. Nothing that a user asks for is a panic: what cannot be
//! done is a sentence in [`Frame::problem`], and what there was goes on.
//!
//! Places are those of the scenery: metres from [`Frame::origin`], which stays while a scene is open.

mod command;
mod edit;
mod engine;
mod frame;
mod gallery;
mod live;
mod open;
mod playback;
mod recording;
mod save;
mod setting;
mod source;
mod stage;
mod watch;

pub use command::{Command, Fan, HandId, SaveKind, Values};
pub use frame::{
    Bounds, Clock, Doing, EnergyFigures, Figures, Frame, HeldThing, Picked, Sample, StageTime, Thing,
    ThingKind,
};
pub use gallery::{GalleryEntry, gallery};
pub use live::Session;
pub use setting::{Setting, SettingGroup, SettingKind, SettingValue};
pub use source::{Dropped, GpuShare, SavedFile, SessionOptions, Source};
