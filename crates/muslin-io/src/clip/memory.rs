//! A clip that is kept in memory.

use std::io;

use glam::{DVec3, Vec3};
use muslin::mesh::TriMesh;

use crate::clip::{Clip, ClipMesh, ClipPose, UpAxis};

/// A clip in memory, for short animations and tests.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryClip {
    meshes: Vec<ClipMesh>,
    fps: f64,
    up_axis: UpAxis,
    origin: DVec3,
    frames: Vec<MemoryFrame>,
}

/// A frame.
#[derive(Clone, Debug, PartialEq)]
struct MemoryFrame {
    /// Positions of every mesh that is not rigid.
    positions: Vec<Vec<Vec3>>,
    /// Poses of every rigid mesh.
    poses: Vec<ClipPose>,
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
        Self { meshes, fps, up_axis: UpAxis::Y, origin: DVec3::ZERO, frames: Vec::new() }
    }

    /// A clip of one frame: a mesh that does not move.
    pub fn still(name: impl Into<String>, mesh: &TriMesh) -> Self {
        let shape = ClipMesh {
            name: name.into(),
            triangles: mesh.triangles.clone(),
            uvs: mesh.uvs.clone(),
            rigid: None,
        };
        let frame = MemoryFrame { positions: vec![mesh.positions.clone()], poses: Vec::new() };
        Self { frames: vec![frame], origin: mesh.origin, ..Self::new(vec![shape], 24.0) }
    }

    /// The same clip with another axis pointing up.
    pub fn with_up_axis(self, up_axis: UpAxis) -> Self {
        Self { up_axis, ..self }
    }

    /// The same clip with positions counted from an origin.
    pub fn with_origin(self, origin: DVec3) -> Self {
        Self { origin, ..self }
    }

    /// Appends a frame of a clip without rigid meshes: for each mesh its positions in metres.
    pub fn push_frame(&mut self, positions: Vec<Vec<Vec3>>) -> Result<(), ClipError> {
        self.push_frame_with_poses(positions, Vec::new())
    }

    /// Appends a frame: the positions in metres of every mesh that is not rigid, and the poses of those that are.
    pub fn push_frame_with_poses(
        &mut self,
        positions: Vec<Vec<Vec3>>,
        poses: Vec<ClipPose>,
    ) -> Result<(), ClipError> {
        let rigid = self.meshes.iter().filter(|mesh| mesh.rigid.is_some()).count();
        if (positions.len(), poses.len()) != (self.meshes.len() - rigid, rigid) {
            let given = positions.len() + poses.len();
            return Err(ClipError::MeshCount { given, expected: self.meshes.len() });
        }
        for (m, mesh) in self.meshes.iter().filter(|mesh| mesh.rigid.is_none()).enumerate() {
            let expected = self.frames.first().map_or(positions[m].len(), |first| first.positions[m].len());
            if positions[m].len() != expected {
                let (mesh, given) = (mesh.name.clone(), positions[m].len());
                return Err(ClipError::VertexCount { mesh, frame: self.frames.len(), given, expected });
            }
        }
        self.frames.push(MemoryFrame { positions, poses });
        Ok(())
    }

    /// How many meshes before one are rigid, or are not, as it is.
    fn number_of_its_kind(&self, mesh: usize) -> usize {
        let rigid = self.meshes[mesh].rigid.is_some();
        self.meshes[..mesh].iter().filter(|other| other.rigid.is_some() == rigid).count()
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
        if let Some(shape) = self.meshes.get(mesh).and_then(|mesh| mesh.rigid.as_ref()) {
            return Ok(self.pose(mesh, frame)?.apply(self.origin, shape));
        }
        let number = self.meshes.get(mesh).map(|_| self.number_of_its_kind(mesh));
        let positions = self.frames.get(frame).and_then(|frame| frame.positions.get(number?));
        positions.cloned().ok_or_else(missing)
    }

    fn pose(&self, mesh: usize, frame: usize) -> io::Result<ClipPose> {
        let rigid = self.meshes.get(mesh).filter(|mesh| mesh.rigid.is_some());
        let number = rigid.map(|_| self.number_of_its_kind(mesh));
        let pose = self.frames.get(frame).and_then(|frame| frame.poses.get(number?));
        pose.copied().ok_or_else(missing)
    }

    fn up_axis(&self) -> UpAxis {
        self.up_axis
    }

    fn origin(&self) -> DVec3 {
        self.origin
    }
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such mesh or frame")
}
