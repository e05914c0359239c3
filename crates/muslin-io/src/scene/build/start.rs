//! `start` of a cloth: the positions it starts from, where these are not those of its rest shape.

use muslin::mesh::TriMesh;

use super::upright;
use crate::files::Reading;
use crate::scene::{ClothDescription, UpAxis};

/// The placed mesh of a cloth with the positions it starts from; `None` where it starts at rest. What is read is taken
/// off what may be.
pub(in crate::scene) fn shape(
    cloth: &ClothDescription,
    mesh: &TriMesh,
    up: UpAxis,
    files: &mut Reading,
) -> Result<Option<TriMesh>, String> {
    let Some(path) = &cloth.start else { return Ok(None) };
    let read = files.mesh(path).map_err(|error| error.to_string())?;
    let (ours, theirs) = (mesh.positions.len(), read.positions.len());
    if ours != theirs {
        return Err(format!("this file has {theirs} vertices, but the mesh {ours}"));
    }
    let start = cloth.transform.place(read, upright(&cloth.mesh.source, up));
    let by = start.origin - mesh.origin;
    let positions = start.positions.iter().map(|p| p + by.as_vec3()).collect();
    Ok(Some(TriMesh { positions, ..mesh.clone() }))
}
