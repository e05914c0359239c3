//! Writes binary STL.

use std::io;
use std::path::Path;

use muslin::mesh::TriMesh;

use crate::{WriteError, write_atomically};

/// Writes a mesh as a binary STL file, whole or not at all. The format keeps neither the order of
/// the vertices nor texture coordinates or groups, and far from zero positions are rounded to single precision. A triangle without area gets a zero normal.
pub fn write_stl(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<(), WriteError> {
    write_atomically(path, |file| {
        mesh.check().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let count = u32::try_from(mesh.triangles.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "more than 2^32 triangles"))?;
        let mut header = [b' '; 80];
        header[..14].copy_from_slice(b"Muslin, metres");
        file.write_all(&header)?;
        file.write_all(&count.to_le_bytes())?;
        for corners in &mesh.triangles {
            // Far from zero they are rounded: the format knows nothing else.
            let [a, b, c] = corners.map(|v| mesh.place(v).as_vec3());
            let normal = (b - a).as_dvec3().cross((c - a).as_dvec3()).normalize_or_zero().as_vec3();
            let mut facet = [0; 50];
            let numbers = [normal, a, b, c].into_iter().flat_map(|vector| vector.to_array());
            for (bytes, number) in facet.chunks_exact_mut(4).zip(numbers) {
                bytes.copy_from_slice(&number.to_le_bytes());
            }
            file.write_all(&facet)?;
        }
        Ok(())
    })
}
