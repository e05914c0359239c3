//! From a [`Source`] to what can be simulated or played back. Reads files, builds nothing that is slow.

use std::path::PathBuf;
use std::sync::Arc;

use muslin_io::scene::Scene;

use super::Source;
use super::recording::Recording;

/// What a source turned out to be.
#[derive(Debug)]
pub enum Opened {
    /// Something to be simulated.
    Scene(Box<OpenedScene>),
    /// Something to be played back.
    Recording(Box<Recording>),
}

/// A scene that was read.
#[derive(Clone, Debug)]
pub struct OpenedScene {
    /// What to call it.
    pub title: String,
    /// As it stands in its file.
    pub original: Arc<str>,
    /// With all changes.
    pub text: Arc<str>,
    /// Read from `text`.
    pub scene: Scene,
    /// The file to be watched, and all others that it names.
    pub watched: Vec<PathBuf>,
    source: Source,
}

impl OpenedScene {
    /// The same with another text: meshes are found where they were. The error is what to tell a user.
    pub fn with_text(&self, text: &str) -> Result<Self, String> {
        let _ = text;
        Err(format!("{:?} cannot be read yet", self.source))
    }
}

/// Opens a source. The error is what to tell a user: of a scene with file, line and field.
pub fn open(source: &Source, allow_outside: bool) -> Result<Opened, String> {
    let _ = allow_outside;
    Err(format!("{source:?} cannot be opened yet"))
}
