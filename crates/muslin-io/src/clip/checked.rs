//! Everything that must hold of a clip before and while it is written. Writers see clips only
//! through this, and so never write an index out of range, a NaN, or frames of different sizes.

use std::io;

use glam::{DVec3, Vec3};

use crate::clip::{Clip, ClipMesh, ClipPose, UpAxis};

/// A clip whose meshes fit its first frame, and whose frames are checked as they are read.
pub(super) struct CheckedClip<'a> {
    clip: &'a dyn Clip,
    vertices: Vec<usize>,
}

impl<'a> CheckedClip<'a> {
    pub(super) fn new(clip: &'a dyn Clip) -> io::Result<Self> {
        if clip.frame_count() == 0 {
            return invalid("the clip has no frames");
        }
        if !(clip.fps().is_finite() && clip.fps() > 0.0) {
            return invalid(format!("{} frames per second; it must be a positive number", clip.fps()));
        }
        if !clip.origin().is_finite() {
            return invalid("its origin is not finite");
        }
        let first: Vec<Vec<Vec3>> =
            (0..clip.meshes().len()).map(|mesh| clip.positions(mesh, 0)).collect::<io::Result<_>>()?;
        check_meshes(clip.meshes(), &first.iter().map(Vec::as_slice).collect::<Vec<_>>(), 0)?;
        Ok(Self { clip, vertices: first.iter().map(Vec::len).collect() })
    }

    pub(super) fn meshes(&self) -> &'a [ClipMesh] {
        self.clip.meshes()
    }

    pub(super) fn frame_count(&self) -> usize {
        self.clip.frame_count()
    }

    pub(super) fn fps(&self) -> f64 {
        self.clip.fps()
    }

    pub(super) fn up_axis(&self) -> UpAxis {
        self.clip.up_axis()
    }

    /// From where positions are counted, metres.
    pub(super) fn origin(&self) -> DVec3 {
        self.clip.origin()
    }

    /// How many vertices a mesh has.
    pub(super) fn vertices(&self, mesh: usize) -> usize {
        self.vertices[mesh]
    }

    pub(super) fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        let positions = self.clip.positions(mesh, frame)?;
        let (expected, name) = (self.vertices[mesh], &self.clip.meshes()[mesh].name);
        if positions.len() != expected {
            let given = positions.len();
            return invalid(format!("mesh '{name}' has {given} vertices in frame {frame}, not {expected}"));
        }
        check_finite(&positions, name, frame)?;
        Ok(positions)
    }

    /// Positions in the world, rounded to single precision, for formats that know nothing else.
    pub(super) fn rounded(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        let (mut positions, origin) = (self.positions(mesh, frame)?, self.origin());
        if origin != DVec3::ZERO {
            positions.iter_mut().for_each(|p| *p = (origin + p.as_dvec3()).as_vec3());
        }
        Ok(positions)
    }

    /// Where a rigid mesh is.
    pub(super) fn pose(&self, mesh: usize, frame: usize) -> io::Result<ClipPose> {
        let pose = self.clip.pose(mesh, frame)?;
        let name = &self.clip.meshes()[mesh].name;
        match pose.is_sound() {
            true => Ok(pose),
            false => {
                invalid(format!("the pose of mesh '{name}' in frame {frame} is not finite, or no rotation"))
            }
        }
    }
}

/// Checks meshes and their positions in one frame.
pub(super) fn check_meshes(meshes: &[ClipMesh], positions: &[&[Vec3]], frame: usize) -> io::Result<()> {
    if meshes.is_empty() || meshes.len() != positions.len() {
        return invalid(format!("{} meshes with positions of {}", meshes.len(), positions.len()));
    }
    for (ClipMesh { name, triangles, uvs, rigid }, &positions) in meshes.iter().zip(positions) {
        let vertices = positions.len();
        // Point caches and array files count in signed 32-bit numbers.
        if vertices > 1 << 31 || triangles.is_empty() || triangles.len() > (1 << 31) / 3 {
            return invalid(format!(
                "mesh '{name}' has {vertices} vertices and {} triangles",
                triangles.len()
            ));
        }
        if let Some(vertex) = triangles.as_flattened().iter().find(|&&v| v as usize >= vertices) {
            return invalid(format!("a triangle of mesh '{name}' names vertex {vertex} of {vertices}"));
        }
        if let Some(uvs) = uvs {
            if uvs.len() != triangles.len() {
                let (uvs, triangles) = (uvs.len(), triangles.len());
                return invalid(format!("mesh '{name}': {uvs} texture coordinates, {triangles} triangles"));
            }
            if !uvs.as_flattened().iter().all(|uv| uv.is_finite()) {
                return invalid(format!("mesh '{name}' has texture coordinates that are not finite"));
            }
        }
        if let Some(shape) = rigid {
            if shape.len() != vertices {
                let given = shape.len();
                return invalid(format!(
                    "mesh '{name}' has {vertices} vertices, {given} in its own coordinates"
                ));
            }
            check_finite(shape, name, frame)?;
        }
        check_finite(positions, name, frame)?;
    }
    Ok(())
}

fn check_finite(positions: &[Vec3], name: &str, frame: usize) -> io::Result<()> {
    match positions.iter().position(|position| !position.is_finite()) {
        Some(vertex) => invalid(format!("vertex {vertex} of mesh '{name}' is not finite in frame {frame}")),
        None => Ok(()),
    }
}

/// An error about what was given.
pub(super) fn invalid<T>(message: impl Into<String>) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, message.into()))
}
