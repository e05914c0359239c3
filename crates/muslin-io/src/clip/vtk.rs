//! VTK PolyData as XML (`.vtp`), and the index of a series (`.pvd`).
//!
//! Arrays are in base64 within the text. Appending them as raw bytes would save a quarter of the
//! space, but then the file is no XML, and readers other than VTK's own stumble over it.

use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use glam::{DVec3, Vec3};

use crate::clip::split::SplitMesh;
use crate::clip::{ClipMesh, write_numbers, write_places};

/// Writes one frame of a mesh, in double precision if its origin is far from zero. Texture coordinates are stored if the
/// mesh has no seams: VTK has them per vertex only.
pub(super) fn write_frame(
    file: &mut dyn Write,
    mesh: &ClipMesh,
    origin: DVec3,
    positions: &[Vec3],
) -> io::Result<()> {
    let (vertices, triangles) = (positions.len(), mesh.triangles.len());
    writeln!(file, "<?xml version=\"1.0\"?>")?;
    writeln!(
        file,
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">"
    )?;
    writeln!(
        file,
        "<PolyData>\n<Piece NumberOfPoints=\"{vertices}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"{triangles}\">"
    )?;
    if let Some(uvs) = SplitMesh::new(mesh, vertices).uvs_without_seams(vertices) {
        writeln!(file, "<PointData TCoords=\"TextureCoordinates\">")?;
        write_array(file, "Float32", "TextureCoordinates", 2, 8 * vertices, |out| {
            uvs.iter().try_for_each(|uv| write_numbers(out, uv.to_array()))
        })?;
        writeln!(file, "</PointData>")?;
    }
    writeln!(file, "<Points>")?;
    let (kind, size) = if origin == DVec3::ZERO { ("Float32", 12) } else { ("Float64", 24) };
    write_array(file, kind, "Points", 3, size * vertices, |out| write_places(out, origin, positions))?;
    writeln!(file, "</Points>\n<Polys>")?;
    write_array(file, "Int32", "connectivity", 1, 12 * triangles, |out| {
        mesh.triangles.iter().try_for_each(|t| out.write_all(t.map(u32::to_le_bytes).as_flattened()))
    })?;
    write_array(file, "Int32", "offsets", 1, 4 * triangles, |out| {
        (1..=triangles as u32).try_for_each(|t| out.write_all(&(3 * t).to_le_bytes()))
    })?;
    write!(file, "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n")
}

/// Writes an array: its size in bytes, then the bytes, in base64.
fn write_array(
    file: &mut dyn Write,
    kind: &str,
    name: &str,
    components: usize,
    size: usize,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(
        file,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">"
    )?;
    let mut encoder = EncoderWriter::new(&mut *file, &STANDARD);
    encoder.write_all(&(size as u64).to_le_bytes())?;
    write(&mut encoder)?;
    encoder.finish()?;
    drop(encoder);
    writeln!(file, "\n</DataArray>")
}

/// Writes the index: for each frame its time in seconds and the files of its parts.
pub(super) fn write_index(file: &mut dyn Write, frames: &[(f64, Vec<String>)]) -> io::Result<()> {
    writeln!(file, "<?xml version=\"1.0\"?>")?;
    writeln!(
        file,
        "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>"
    )?;
    for (time, parts) in frames {
        for (part, name) in parts.iter().enumerate() {
            let name = name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
            writeln!(file, "<DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" file=\"{name}\"/>")?;
        }
    }
    write!(file, "</Collection>\n</VTKFile>\n")
}
