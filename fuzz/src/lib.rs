//! What the fuzz targets share: the promises that hold for every mesh that a reader accepts.

use muslin::mesh::TriMesh;

/// Panics unless every index of the mesh is in range and the texture coordinates, if any, match the triangles.
/// Positions may be anything: readers do not check them.
pub fn assert_consistent(mesh: &TriMesh) {
    let vertices = mesh.positions.len();
    let in_range = |v: &u32| (*v as usize) < vertices;
    assert!(mesh.triangles.iter().flatten().all(in_range), "a triangle names a vertex that is not there");
    assert!(mesh.groups.values().flatten().all(in_range), "a group names a vertex that is not there");
    if let Some(uvs) = &mesh.uvs {
        assert_eq!(uvs.len(), mesh.triangles.len(), "texture coordinates for each triangle");
    }
}
