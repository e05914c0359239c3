//! Scene files: what to simulate, described in TOML.
//!
//! Input: a text. Output: a [`Scene`] in which everything is checked that can be checked without
//! its meshes, and from [`Scene::build_world`] the cloths, rigid bodies and what they collide with. Whatever is wrong becomes a [`Diagnostic`] that
//! names file, line and column, shows the line, and says what would be right.
//!
//! ```
//! use muslin_io::scene::{ReadOptions, Scene};
//!
//! let text = r#"
//!     [[cloth]]
//!     mesh.grid = { columns = 20, rows = 20 }
//!     fabric = "silk"
//!     [[cloth.pins]]
//!     group = "top"
//! "#;
//! let scene = Scene::parse(text, "silk.toml", ".".as_ref(), &ReadOptions::default())?;
//! let mut world = scene.build_world()?;
//! world.step()?;
//!
//! let wrong = text.replace("silk", "slik");
//! let error = Scene::parse(&wrong, "silk.toml", ".".as_ref(), &ReadOptions::default()).unwrap_err();
//! assert!(error.to_string().contains("did you mean \"silk\"?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/scenes.md` explains every key. Each section of a scene is a file here: its keys, its data,
//! and how it is read.

mod diagnostic;
mod hint;
mod paths;
mod schema;
mod source;
mod table;
mod width;

mod backend;
mod bending;
mod body;
mod camera;
mod check;
mod cloth;
mod collider;
mod collision;
mod curve;
mod forces;
mod impulses;
mod material;
mod mesh;
mod motion;
mod multilevel;
mod names;
mod output;
mod pins;
mod position_based;
mod radial_matching;
mod solver;
mod start;
mod surface;
mod time;
mod transform;

mod build;
mod build_collider;
mod fingerprint;
mod locate;
mod read;
mod templates;
#[cfg(test)]
mod tests;

use muslin::collision::CollisionSettings;

pub use crate::clip::UpAxis;
pub use backend::Backend;
pub use body::{BodyDescription, BodyShape};
pub use build::BuiltCloth;
pub use camera::CameraDescription;
pub use check::Check;
pub use cloth::ClothDescription;
pub use collider::{Collider, ColliderShape};
pub use diagnostic::{Diagnostic, SceneError};
pub use forces::Forces;
pub use mesh::{Mesh, MeshSource};
pub use motion::{Motion, MotionKey, Offset};
pub use output::{Animation, Output, PictureFrames, Pictures};
pub use pins::{PinSelector, Pins};
pub use read::ReadOptions;
use read::{Context, SCENE};
pub use solver::{Solver, SolverChoice};
use source::Source;
pub use templates::{TEMPLATES, template};
pub use time::Time;
pub use transform::{Rotation, Transform};

/// A scene: cloths, and all that they are subject to. Units are metres, kilograms and seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Fit to be part of a file's name.
    pub name: String,
    /// Which way is up. Nothing is converted: coordinates stay as they are in the scene.
    pub up: UpAxis,
    /// How long to simulate, and how finely.
    pub time: Time,
    /// What acts on every cloth.
    pub forces: Forces,
    /// How cloth is kept together; a cloth may have its own options.
    pub solver: Solver,
    /// The pieces of cloth; at least one.
    pub cloths: Vec<ClothDescription>,
    /// What cloth collides with.
    pub colliders: Vec<Collider>,
    /// Rigid bodies, which push cloth and are pushed by it.
    pub bodies: Vec<BodyDescription>,
    /// How collisions are handled, with values for pairs of bodies.
    pub collision: CollisionSettings,
    /// What is written, and where.
    pub output: Output,
    /// From where pictures are taken; `None` frames cloths, colliders and bodies.
    pub camera: Option<CameraDescription>,
    /// What must hold at the end.
    pub check: Check,
    source: Source,
}

/// The JSON Schema (draft 2020-12) of scene files, for editors that complete and check TOML.
pub fn json_schema() -> serde_json::Value {
    let mut schema = schema::json::schema(&SCENE);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "Muslin scene".into();
    schema
}

/// All keys of scene files as Markdown tables: the reference in `docs/scenes.md`.
pub fn reference() -> String {
    schema::reference::markdown(&SCENE)
}
