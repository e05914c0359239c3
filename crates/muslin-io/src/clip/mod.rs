//! Animations: meshes whose vertices move and whose triangles do not, and rigid bodies.
//!
//! A [`Clip`] gives its frames one at a time, so that a long one need not fit in memory.
//! [`write_clip`] writes it in any [`ClipFormat`]; [`write_frame`] writes the frames of a sequence
//! as a running simulation produces them. What each format stores is in `docs/formats.md`.

mod checked;
mod format;
mod glb;
mod mdd;
mod memory;
mod npz;
mod obj;
mod pc2;
mod ply;
mod pose;
mod read;
mod split;
mod usd;
mod vtk;
mod write;
mod zip;

use std::io;

use glam::{DVec3, Vec2, Vec3};

pub use format::{ClipFormat, UnknownClipFormat};
pub use glb::{write_glb, write_glb_to};
pub use memory::{ClipError, MemoryClip};
pub use ply::write_ply;
pub use pose::ClipPose;
pub use read::{ReadClip, is_clip, read_clip};
pub use write::{clip_problem, frame_files, write_clip, write_frame, write_sequence_index};

/// What does not change about a mesh of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipMesh {
    /// What the mesh is called in the files, and in their names where each holds one mesh.
    pub name: String,
    /// Three vertex indices per triangle, counter-clockwise seen from the outside.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates per triangle corner, v counted from the bottom.
    pub uvs: Option<Vec<[Vec2; 3]>>,
    /// If the mesh moves only as a whole, a rigid body: its vertices in its own coordinates, metres. Such a mesh has
    /// a [pose](Clip::pose) in every frame.
    pub rigid: Option<Vec<Vec3>>,
}

/// The axis that points up. Positions are stored as they are; formats that say which axis is up
/// (USD), or prescribe one (GLB), take it from here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// As in Houdini, Maya and glTF.
    #[default]
    Y,
    /// As in Blender.
    Z,
}

impl UpAxis {
    /// The unit vector upwards.
    pub fn direction(self) -> Vec3 {
        match self {
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }
}

/// An animation, given frame by frame. Two calls with the same arguments give the same positions:
/// some formats need two passes.
pub trait Clip {
    /// The meshes; there is at least one.
    fn meshes(&self) -> &[ClipMesh];

    /// How many frames there are; at least one.
    fn frame_count(&self) -> usize;

    /// Frames per second.
    fn fps(&self) -> f64;

    /// From where positions are counted, metres: zero, or for what happens far from zero a place nearby
    /// ([`muslin::origin`]).
    fn origin(&self) -> DVec3 {
        DVec3::ZERO
    }

    /// The positions in metres, from the origin, of all vertices of a mesh, as many in every frame.
    fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>>;

    /// Where a rigid mesh is in the world: what its own coordinates must be turned and moved by. An error for any other.
    fn pose(&self, mesh: usize, frame: usize) -> io::Result<ClipPose> {
        let message = format!("mesh {mesh} has no pose in frame {frame}: it is not rigid");
        Err(io::Error::new(io::ErrorKind::NotFound, message))
    }

    /// The axis that points up; y unless it is overridden.
    fn up_axis(&self) -> UpAxis {
        UpAxis::Y
    }
}

/// Writes numbers as little-endian bytes.
fn write_numbers<const N: usize>(file: &mut dyn io::Write, numbers: [f32; N]) -> io::Result<()> {
    file.write_all(numbers.map(f32::to_le_bytes).as_flattened())
}

/// Writes where vertices are in the world as little-endian bytes: in single precision, or in double if the origin that
/// `positions` are counted from is far from zero.
fn write_places(file: &mut dyn io::Write, origin: DVec3, positions: &[Vec3]) -> io::Result<()> {
    if origin == DVec3::ZERO {
        return write_positions(file, positions);
    }
    let places = positions.iter().map(|position| origin + position.as_dvec3());
    places.flat_map(|place| place.to_array()).try_for_each(|number| file.write_all(&number.to_le_bytes()))
}

/// Writes positions as little-endian bytes.
fn write_positions(file: &mut dyn io::Write, positions: &[Vec3]) -> io::Result<()> {
    positions.iter().try_for_each(|position| write_numbers(file, position.to_array()))
}
