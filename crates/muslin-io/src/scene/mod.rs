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
//! `docs/scenes.md` explains every key. In the order of data: the `schema` says what a file may contain, `text` where it
//! stands and what is wrong with it, `read` makes a [`Scene`] of it, and `build` a world of that. Each section of a scene
//! is a file or folder between them: its keys, its data, and how it is read.

mod schema;
mod text;

mod read;

mod camera;
mod check;
mod cloth;
mod collision;
mod forces;
mod mesh;
mod motion;
mod output;
mod solver;
mod time;

mod build;

mod templates;
#[cfg(test)]
mod tests;

use muslin::collision::CollisionSettings;

use crate::MemoryFiles;
pub use crate::clip::UpAxis;
pub use build::BuiltCloth;
pub use camera::CameraDescription;
pub use check::Check;
pub use cloth::ClothDescription;
pub use cloth::pins::{PinSelector, Pins};
pub use collision::body::{BodyDescription, BodyShape};
pub use collision::collider::{Collider, ColliderShape};
pub use forces::Forces;
pub use mesh::{Mesh, MeshSource};
pub use motion::transform::{Rotation, Transform};
pub use motion::{Motion, MotionKey, Offset};
pub use output::{Animation, Output, PictureFrames, Pictures};
pub use read::ReadOptions;
use read::{Context, SCENE};
pub use schema::facts::{KeyFacts, KeyKind};
pub use solver::backend::Backend;
pub use solver::{Solver, SolverChoice};
pub use templates::{TEMPLATES, template};
pub use text::diagnostic::{Diagnostic, SceneError};
use text::source::Source;
pub use time::Time;

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
    /// Where its meshes are, if not on a disk.
    files: Option<MemoryFiles>,
}

/// The JSON Schema (draft 2020-12) of scene files, for editors that complete and check TOML.
pub fn json_schema() -> serde_json::Value {
    let mut schema = schema::json::schema(&SCENE);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "Muslin scene".into();
    schema
}

/// What there is to know of a key, by its path: `["cloth", "0", "material", "bending"]`.
pub fn key_facts(path: &[&str]) -> Option<KeyFacts> {
    schema::facts::facts(&SCENE, path)
}

/// All keys of scene files as Markdown tables: the reference in `docs/scenes.md`.
pub fn reference() -> String {
    schema::reference::markdown(&SCENE)
}
