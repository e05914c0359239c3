//! What a session opens, and what it gives back to be stored.

use std::path::PathBuf;
use std::sync::Arc;

/// What to open.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Nothing yet.
    Empty,
    /// A scene of the [gallery](super::gallery) by its name.
    Gallery(String),
    /// A scene file (watched from then on), a mesh, a clip, or a folder that `muslin run` wrote. Only natively.
    Path(PathBuf),
    /// Files dropped on the window or chosen in a page. The first that is a scene is opened, with the others beside it; without
    /// one, the first mesh becomes a cloth over a ground.
    Files(Vec<Dropped>),
    /// The text of a scene, with a name to call it by.
    Text {
        /// As a file's name, without extension.
        name: String,
        /// TOML.
        text: String,
    },
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Its name with extension.
    pub name: String,
    /// What is in it.
    pub content: Arc<[u8]>,
}

/// A file that was asked for with [`Command::Save`](super::Command::Save).
#[derive(Clone, Debug, PartialEq)]
pub struct SavedFile {
    /// A name to suggest, with extension.
    pub name: String,
    /// What is to be written.
    pub content: Vec<u8>,
}

/// The device that the window draws with, for scenes that are simulated on it: positions stay there.
#[derive(Clone, Debug)]
pub struct GpuShare {
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// As a user knows it.
    pub name: String,
}

/// How a session works.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// Whether it begins to play by itself once a source is open.
    pub plays: bool,
    /// Whether a thread of its own steps (natively; in a page never). Without one [`Session::advance`](super::Session::advance) does.
    pub has_thread: bool,
    /// Threads that steps run on; 0 means as the scene says.
    pub threads: usize,
    /// The most memory for states to rewind to, bytes.
    pub rewind_bytes: usize,
    /// How far back rewinding goes at the most, seconds of the scene.
    pub rewind_seconds: f64,
    /// Whether scene files may name files outside their own folder.
    pub allow_outside: bool,
    /// What scenes are simulated on whose back end is a GPU. Without it such scenes are refused with a sentence.
    pub gpu: Option<GpuShare>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            plays: true,
            has_thread: cfg!(not(target_arch = "wasm32")),
            threads: 0,
            rewind_bytes: 256 << 20,
            rewind_seconds: 10.0,
            allow_outside: false,
            gpu: None,
        }
    }
}
