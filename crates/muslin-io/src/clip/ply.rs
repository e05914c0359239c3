//! A frame or a mesh as a binary PLY file.

use std::io::{self, Write};
use std::path::Path;

use glam::{DVec3, Vec3};
use muslin::mesh::TriMesh;

use crate::clip::checked::check_meshes;
use crate::clip::split::SplitMesh;
use crate::clip::{ClipMesh, write_numbers, write_places};
use crate::{WriteError, write_atomically};

/// Writes a mesh as a binary PLY file, whole or not at all. Vertex groups are left out.
pub fn write_ply(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<(), WriteError> {
    let shape = ClipMesh {
        name: "mesh".to_owned(),
        triangles: mesh.triangles.clone(),
        uvs: mesh.uvs.clone(),
        rigid: None,
    };
    write_atomically(path, |file| {
        check_meshes(std::slice::from_ref(&shape), &[&mesh.positions], 0)?;
        write_frame(file, &shape, mesh.origin, &mesh.positions)
    })
}

/// Writes one frame of a mesh, in double precision if its origin is far from zero. Texture coordinates go to the
/// vertices (`s`, `t`: what Blender reads) if the mesh has no seams, else to the corners (`texcoord`: what MeshLab reads).
pub(super) fn write_frame(
    file: &mut dyn Write,
    mesh: &ClipMesh,
    origin: DVec3,
    positions: &[Vec3],
) -> io::Result<()> {
    let real = if origin == DVec3::ZERO { "float" } else { "double" };
    let vertex_uvs = SplitMesh::new(mesh, positions.len()).uvs_without_seams(positions.len());
    let corner_uvs = mesh.uvs.as_ref().filter(|_| vertex_uvs.is_none());
    write!(file, "ply\nformat binary_little_endian 1.0\ncomment Muslin, metres\n")?;
    write!(
        file,
        "element vertex {}\nproperty {real} x\nproperty {real} y\nproperty {real} z\n",
        positions.len()
    )?;
    if vertex_uvs.is_some() {
        write!(file, "property float s\nproperty float t\n")?;
    }
    write!(file, "element face {}\nproperty list uchar int vertex_indices\n", mesh.triangles.len())?;
    if corner_uvs.is_some() {
        writeln!(file, "property list uchar float texcoord")?;
    }
    writeln!(file, "end_header")?;
    for (v, position) in positions.iter().enumerate() {
        write_places(file, origin, &[*position])?;
        if let Some(uvs) = &vertex_uvs {
            write_numbers(file, uvs[v].to_array())?;
        }
    }
    for (t, corners) in mesh.triangles.iter().enumerate() {
        file.write_all(&[3])?;
        file.write_all(corners.map(u32::to_le_bytes).as_flattened())?;
        if let Some(uvs) = corner_uvs {
            file.write_all(&[6])?;
            uvs[t].iter().try_for_each(|uv| write_numbers(file, uv.to_array()))?;
        }
    }
    Ok(())
}
