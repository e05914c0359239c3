//! Pictures, animations and plots of cloth, without a GPU or a display.
//!
//! ```text
//! RenderScene + Camera ─► render ─► Picture ─► PNG, or frames of a GIF
//! ```
//!
//! [`render()`] is a small software renderer with what cloth needs: two-sided shading, soft shadows,
//! and light from the whole sky, so that folds read. The picture does not depend on the number of
//! threads. [`plot`] draws line plots as SVG and PNG.
//!
//! Lengths are metres, colours sRGB.
//!
//! ```
//! use glam::Vec3;
//! use muslin_render::{Camera, Color, Ground, RenderMesh, RenderOptions, RenderScene, render};
//!
//! let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
//! let (red, cream) = (Color::rgb(196, 48, 43), Color::rgb(236, 222, 196));
//! let cloth = RenderMesh::cloth(positions, vec![[0, 1, 2]], red, cream);
//! let scene = RenderScene { meshes: vec![cloth], ground: Some(Ground::at(-0.2)), ..Default::default() };
//!
//! let options = RenderOptions { width: 64, height: 48, samples: 2 };
//! let camera = Camera::framing(&scene.bounds(), scene.up, options.aspect());
//! let png: Vec<u8> = render(&scene, &camera, &options)?.to_png()?;
//! # assert!(png.len() > 100);
//! # Ok::<(), muslin_render::RenderError>(())
//! ```

mod animation;
mod camera;
mod color;
mod error;
mod picture;
pub mod plot;
mod render;
mod scene;

pub use animation::{FRAME_SECONDS, GifWriter, animation_gif};
pub use camera::{Bounds, Camera};
pub use color::Color;
pub use error::RenderError;
pub use picture::Picture;
pub use render::{RenderOptions, render};
pub use scene::{Background, Ground, Light, Pattern, PatternKind, RenderMesh, RenderScene};
