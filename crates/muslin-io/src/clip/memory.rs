//! A clip that is kept in memory.

use std::io;

use glam::Vec3;
use muslin::mesh::TriMesh;

use crate::clip::{Clip, ClipMesh, UpAxis};

/// A clip in memory, for short animations and tests.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryClip {
    meshes: Vec<ClipMesh>,
    fps: f64,
    up_axis: UpAxis,
    /// Positions by frame and mesh.
    frames: Vec<Vec<Vec<Vec3>>>,
}

/// Why a frame was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipError {
    /// There is not one array of positions per mesh.
    #[error("positions of {given} meshes for a clip of {expected}")]
    MeshCount {
        /// Arrays given.
        given: usize,
        /// Meshes of the clip.
        expected: usize,
    },
    /// A mesh has another number of vertices than in the first frame.
    #[error("mesh '{mesh}' has {given} vertices in frame {frame}, but {expected} in the first")]
    VertexCount {
        /// The name of the mesh.
        mesh: String,
        /// The frame, counted from 0.
        frame: usize,
        /// Vertices given.
        given: usize,
        /// Vertices of the first frame.
        expected: usize,
    },
}

impl MemoryClip {
    /// A clip of these meshes at this many frames per second, without frames so far.
    pub fn new(meshes: Vec<ClipMesh>, fps: f64) -> Self {
        Self { meshes, fps, up_axis: UpAxis::Y, frames: Vec::new() }
    }

    /// A clip of one frame: a mesh that does not move.
    pub fn still(name: impl Into<String>, mesh: &TriMesh) -> Self {
        let shape = ClipMesh { name: name.into(), triangles: mesh.triangles.clone(), uvs: mesh.uvs.clone() };
        Self { frames: vec![vec![mesh.positions.clone()]], ..Self::new(vec![shape], 24.0) }
    }

    /// The same clip with another axis pointing up.
    pub fn with_up_axis(self, up_axis: UpAxis) -> Self {
        Self { up_axis, ..self }
    }

    /// Appends a frame: for each mesh its positions in metres.
    pub fn push_frame(&mut self, positions: Vec<Vec<Vec3>>) -> Result<(), ClipError> {
        if positions.len() != self.meshes.len() {
            return Err(ClipError::MeshCount { given: positions.len(), expected: self.meshes.len() });
        }
        for (m, mesh) in self.meshes.iter().enumerate() {
            let expected = self.frames.first().map_or(positions[m].len(), |first| first[m].len());
            if positions[m].len() != expected {
                let (mesh, given) = (mesh.name.clone(), positions[m].len());
                return Err(ClipError::VertexCount { mesh, frame: self.frames.len(), given, expected });
            }
        }
        self.frames.push(positions);
        Ok(())
    }
}

impl Clip for MemoryClip {
    fn meshes(&self) -> &[ClipMesh] {
        &self.meshes
    }

    fn frame_count(&self) -> usize {
        self.frames.len()
    }

    fn fps(&self) -> f64 {
        self.fps
    }

    fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        let positions = self.frames.get(frame).and_then(|meshes| meshes.get(mesh));
        positions.cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such mesh or frame"))
    }

    fn up_axis(&self) -> UpAxis {
        self.up_axis
    }
}
