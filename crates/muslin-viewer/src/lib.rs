//! Looks at cloth and touches it while it is simulated: in a window, and in a browser tab.
//!
//! ```text
//! scene file ─► session (a world, its clock, what was asked for) ─► what is seen ─► draw ─► picture
//!                  ▲                                                                          │
//!                  └──────────── hand (grab, pin, throw, blow), panels ◄── mouse, keys ◄───────┘
//! ```
//!
//! - `draw` makes pictures with wgpu. It knows surfaces, light and a camera, no simulation and no window.
//! - `session` simulates, plays back, and does what is asked for. It knows no window either.
//! - `app` is the window around both: panels, camera, mouse and keys, in egui.

pub mod app;
pub mod draw;
pub mod session;
#[cfg(target_arch = "wasm32")]
mod web;
