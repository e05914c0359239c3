//! Files in and out of Muslin: mesh readers and writers.
//!
//! [`read_mesh`] picks the reader by the file's extension; errors name the file and, where there
//! is one, the line. Files are written beside their final place and then renamed, so that nobody
//! ever sees half a file ([`write_atomically`]).

pub mod checkpoint;
mod obj;
mod obj_write;
mod ply;
mod polygon;
mod write;

use std::io;
use std::path::{Path, PathBuf};

use muslin::mesh::TriMesh;

pub use obj::parse_obj;
pub use obj_write::{write_obj, write_obj_geometry};
pub use ply::parse_ply;
pub use write::{WriteError, write_atomically};

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
    #[error("{}: unknown mesh format; known are .obj and .ply", path.display())]
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

/// Reads a mesh from an OBJ or PLY file, told apart by the extension. Vertices keep the order and
/// the number of the file; nothing is welded, checked or repaired
/// (see [`validate`](muslin::mesh::validate) and [`repair`](muslin::mesh::repair)), but every
/// index is in range.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<TriMesh, ReadError> {
    let path = path.as_ref();
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let parse = match extension.to_ascii_lowercase().as_str() {
        "obj" => parse_obj,
        "ply" => parse_ply,
        _ => return Err(ReadError::UnknownFormat { path: path.to_owned() }),
    };
    let content = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    parse(&content).map_err(|source| ReadError::Parse { path: path.to_owned(), source })
}
