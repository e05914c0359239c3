//! Writes Wavefront OBJ.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use glam::{DVec3, Vec2, Vec3};
use muslin::mesh::TriMesh;

use crate::{WriteError, write_atomically};

/// Writes a mesh as an OBJ file, whole or not at all. Numbers are written so that reading gives
/// exactly the same ones. Vertex groups are left out: groups in this format are made of faces.
pub fn write_obj(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<(), WriteError> {
    let uvs = mesh.uvs.as_ref().filter(|uvs| uvs.len() == mesh.triangles.len());
    let uvs = uvs.map(Vec::as_slice);
    write_atomically(path, |file| write_to(file, mesh.origin, &mesh.positions, &mesh.triangles, uvs))
}

/// The same into something that is no file.
pub fn write_obj_to(to: &mut dyn Write, mesh: &TriMesh) -> io::Result<()> {
    let uvs = mesh.uvs.as_ref().filter(|uvs| uvs.len() == mesh.triangles.len());
    write_to(to, mesh.origin, &mesh.positions, &mesh.triangles, uvs.map(Vec::as_slice))
}

/// Like [`write_obj`], from positions in metres and triangles alone.
pub fn write_obj_geometry(
    path: impl AsRef<Path>,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
) -> Result<(), WriteError> {
    write_atomically(path, |file| write_to(file, DVec3::ZERO, positions, triangles, None))
}

/// Writes positions from an origin, which reading gives back.
pub(crate) fn write_vertices(file: &mut dyn Write, origin: DVec3, positions: &[Vec3]) -> io::Result<()> {
    // With no more digits than single precision has, where it says all.
    if origin == DVec3::ZERO {
        return positions.iter().try_for_each(|p| writeln!(file, "v {} {} {}", p.x, p.y, p.z));
    }
    let mut places = positions.iter().map(|p| origin + p.as_dvec3());
    places.try_for_each(|p| writeln!(file, "v {} {} {}", p.x, p.y, p.z))
}

fn write_to(
    file: &mut dyn Write,
    origin: DVec3,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    uvs: Option<&[[Vec2; 3]]>,
) -> io::Result<()> {
    write_vertices(file, origin, positions)?;
    // Each texture coordinate once, in the order of first use.
    let mut numbers: HashMap<[u32; 2], usize> = HashMap::new();
    let key = |uv: &Vec2| uv.to_array().map(f32::to_bits);
    for uv in uvs.into_iter().flatten().flatten() {
        let next = numbers.len() + 1;
        if *numbers.entry(key(uv)).or_insert(next) == next {
            writeln!(file, "vt {} {}", uv.x, uv.y)?;
        }
    }
    for (t, corners) in triangles.iter().enumerate() {
        write!(file, "f")?;
        for (k, &vertex) in corners.iter().enumerate() {
            write!(file, " {}", u64::from(vertex) + 1)?;
            if let Some(uvs) = uvs {
                write!(file, "/{}", numbers[&key(&uvs[t][k])])?;
            }
        }
        writeln!(file)?;
    }
    Ok(())
}
