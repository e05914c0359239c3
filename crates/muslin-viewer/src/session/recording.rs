//! What was simulated before, frame by frame: folders that `muslin run` wrote, clips.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};

/// A recording. Its meshes are known from the start; frames are read when they are asked for.
#[derive(Debug)]
pub struct Recording {
    /// What to call it.
    pub title: String,
    /// Frames per second.
    pub fps: f64,
    /// How many there are; at least one.
    pub frames: usize,
    /// What is up.
    pub up: Vec3,
    /// Where the zero of its positions is in the world.
    pub origin: DVec3,
    /// Cloths, then bodies.
    pub meshes: Vec<RecordedMesh>,
}

/// A mesh that moves.
#[derive(Clone, Debug)]
pub struct RecordedMesh {
    /// As in the scene.
    pub name: String,
    /// Whether it is drawn as a solid.
    pub is_body: bool,
    /// Three vertices each.
    pub triangles: Arc<[[u32; 3]]>,
    /// Flat coordinates of its vertices, metres; may be empty.
    pub flat: Arc<[Vec2]>,
}

impl Recording {
    /// Whether a file is a clip.
    pub fn reads(path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Reads a folder or a clip. The error is what to tell a user.
    pub fn read(path: &Path) -> Result<Self, String> {
        Err(format!("{}: recordings cannot be read yet", path.display()))
    }

    /// The positions of each mesh in a frame.
    pub fn frame(&mut self, number: usize) -> Result<Vec<Arc<[Vec3]>>, String> {
        Err(format!("frame {number} cannot be read yet"))
    }
}
