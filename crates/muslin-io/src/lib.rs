//! Files in and out of Muslin: mesh readers and writers.
//!
//! [`read_mesh`] picks the reader by the file's extension; errors name the file and, where there
//! is one, the line. Files are written beside their final place and then renamed, so that nobody
//! ever sees half a file ([`write_atomically`]).

pub mod checkpoint;
pub mod clip;
mod convert;
mod files;
mod gltf_read;
mod obj;
mod obj_write;
mod ply;
mod polygon;
mod regular;
pub mod scene;
mod stl;
mod stl_write;
mod weld;
mod write;

use std::io;
use std::path::{Path, PathBuf};

use muslin::mesh::TriMesh;

pub use clip::{
    Clip, ClipFormat, ClipMesh, ClipPose, MemoryClip, ReadClip, UpAxis, clip_problem, frame_files, is_clip,
    read_clip, write_clip, write_frame, write_glb, write_glb_to, write_ply, write_sequence_index,
};
pub use convert::{ConvertError, convert, write_mesh};
pub use files::MemoryFiles;
pub use gltf_read::parse_gltf;
pub use obj::parse_obj;
pub use obj_write::{write_obj, write_obj_geometry, write_obj_to};
pub use ply::parse_ply;
pub use stl::parse_stl;
pub use stl_write::write_stl;
pub use write::{WriteError, remove_temporaries, write_atomically};

/// Why a mesh could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The extension is not that of a known format.
    #[error("{}: unknown mesh format; known are .obj, .ply, .stl, .gltf and .glb", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The content is not what the format prescribes.
    #[error("{}:{source}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: ParseError,
    },
}

/// What is wrong with the content of a mesh file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", line.map_or(" ".to_owned(), |line| format!("{line}: ")))]
pub struct ParseError {
    /// The line, counted from 1, in formats that have lines.
    pub line: Option<usize>,
    /// What is wrong there.
    pub message: String,
}

impl ParseError {
    fn new(line: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Self { line: line.into(), message: message.into() }
    }
}

/// Reads a mesh from an OBJ, PLY, STL, glTF or GLB file, told apart by the extension. Vertices keep
/// the order of the file, and in OBJ and PLY their number; STL and glTF repeat vertices, which are
/// welded where they are exactly equal. Nothing is checked or repaired
/// (see [`validate`](muslin::mesh::validate) and [`repair`](muslin::mesh::repair)), but every
/// index is in range.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<TriMesh, ReadError> {
    let mut no_limit = u64::MAX;
    read_mesh_within(path.as_ref(), &mut no_limit)
}

/// Like [`read_mesh`], with a limit for the bytes of the file and of those it refers to; they are taken off it
/// before memory is taken.
pub(crate) fn read_mesh_within(path: &Path, bytes_left: &mut u64) -> Result<TriMesh, ReadError> {
    known_extension(path)?;
    let failed = |source| ReadError::Io { path: path.to_owned(), source };
    let size = regular::size(path).map_err(failed)?;
    *bytes_left = bytes_left.checked_sub(size).ok_or_else(|| {
        failed(io::Error::other(format!("{size} bytes, but only {bytes_left} more may be read")))
    })?;
    let content = std::fs::read(path).map_err(failed)?;
    parse_mesh_within(path, &content, bytes_left)
}

/// Reads a mesh from the content of a file: as [`read_mesh`] does, by the extension of `path`. Of glTF, what is in files of its own
/// is looked for beside `path`.
pub fn parse_mesh(path: impl AsRef<Path>, content: &[u8]) -> Result<TriMesh, ReadError> {
    let mut no_limit = u64::MAX;
    parse_mesh_within(path.as_ref(), content, &mut no_limit)
}

/// Like [`parse_mesh`], with a limit for the bytes of files that it refers to.
pub(crate) fn parse_mesh_within(
    path: &Path,
    content: &[u8],
    bytes_left: &mut u64,
) -> Result<TriMesh, ReadError> {
    let mesh = match known_extension(path)?.as_str() {
        "obj" => parse_obj(content),
        "ply" => parse_ply(content),
        "stl" => parse_stl(content),
        _ => gltf_read::parse_within(content, path.parent(), bytes_left),
    };
    mesh.map_err(|source| ReadError::Parse { path: path.to_owned(), source })
}

/// The extension in small letters, if it is that of a mesh.
fn known_extension(path: &Path) -> Result<String, ReadError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let extension = extension.to_ascii_lowercase();
    match ["obj", "ply", "stl", "gltf", "glb"].contains(&extension.as_str()) {
        true => Ok(extension),
        false => Err(ReadError::UnknownFormat { path: path.to_owned() }),
    }
}
