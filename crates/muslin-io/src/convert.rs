//! Writes meshes by extension, and turns one format into another.

use std::io;
use std::path::{Path, PathBuf};

use muslin::mesh::{MeshError, TriMesh};

use crate::{ReadError, WriteError, read_mesh, write_glb, write_obj, write_ply, write_stl};

/// Why a mesh could not be converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What was read is no mesh that can be written.
    #[error("{}: cannot be converted: {source}", path.display())]
    Mesh {
        /// The input.
        path: PathBuf,
        /// What is wrong with it.
        source: MeshError,
    },
    /// The output could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Writes a mesh as OBJ, PLY, STL or GLB, told by the extension. A mesh that fails
/// [`TriMesh::check`] is refused, and so never is a NaN written.
pub fn write_mesh(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<(), WriteError> {
    let path = path.as_ref();
    let refuse = |message: String| WriteError {
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidInput, message),
    };
    mesh.check().map_err(|error| refuse(error.to_string()))?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "obj" => write_obj(path, mesh),
        "ply" => write_ply(path, mesh),
        "stl" => write_stl(path, mesh),
        "glb" => write_glb(path, mesh),
        _ => Err(refuse("unknown mesh format; .obj, .ply, .stl and .glb can be written".to_owned())),
    }
}

/// Reads a mesh in any format that [`read_mesh`] knows and writes it in any that [`write_mesh`]
/// knows. Returns the mesh.
pub fn convert(input: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<TriMesh, ConvertError> {
    let mesh = read_mesh(&input)?;
    mesh.check().map_err(|source| ConvertError::Mesh { path: input.as_ref().to_owned(), source })?;
    write_mesh(output, &mesh)?;
    Ok(mesh)
}
