//! A frame as a Wavefront OBJ file: an object per mesh.

use std::collections::HashMap;
use std::io::{self, Write};

use glam::{DVec3, Vec2, Vec3};

use crate::clip::ClipMesh;
use crate::clip::write::unique_names;
use crate::obj_write::write_vertices;

/// Writes one frame, with positions from an origin. Numbers read back as exactly the same ones.
pub(super) fn write_frame(
    file: &mut dyn Write,
    meshes: &[ClipMesh],
    origin: DVec3,
    positions: &[&[Vec3]],
) -> io::Result<()> {
    // OBJ counts from 1, through all objects of a file.
    let (mut first_vertex, mut first_uv) = (1, 1);
    for ((mesh, &positions), name) in meshes.iter().zip(positions).zip(unique_names(meshes)) {
        writeln!(file, "o {name}")?;
        write_vertices(file, origin, positions)?;
        // Each texture coordinate once, in the order of first use.
        let mut numbers: HashMap<[u32; 2], usize> = HashMap::new();
        let key = |uv: &Vec2| uv.to_array().map(f32::to_bits);
        for uv in mesh.uvs.iter().flatten().flatten() {
            let next = first_uv + numbers.len();
            if *numbers.entry(key(uv)).or_insert(next) == next {
                writeln!(file, "vt {} {}", uv.x, uv.y)?;
            }
        }
        for (t, corners) in mesh.triangles.iter().enumerate() {
            write!(file, "f")?;
            for (k, &vertex) in corners.iter().enumerate() {
                write!(file, " {}", first_vertex + vertex as usize)?;
                if let Some(uvs) = &mesh.uvs {
                    write!(file, "/{}", numbers[&key(&uvs[t][k])])?;
                }
            }
            writeln!(file)?;
        }
        first_vertex += positions.len();
        first_uv += numbers.len();
    }
    Ok(())
}
