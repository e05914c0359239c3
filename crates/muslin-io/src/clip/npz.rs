//! NumPy archives: `positions` float32 (far from zero float64) [frames, vertices, 3] in metres, `triangles` int32
//! [triangles, 3], `fps` float64, and `uvs` float32 [triangles, 3, 2] if there are any. Of a rigid mesh, in place of
//! `positions`: `vertices` float32 [vertices, 3] in its own coordinates, `rotations` float64 [frames, 4] (x, y, z, w) and
//! `translations` float64 [frames, 3].

use std::io::{self, Write};

use glam::DVec3;

use crate::clip::checked::CheckedClip;
use crate::clip::zip::ZipWriter;
use crate::clip::{write_numbers, write_places, write_positions};

pub(super) fn write(file: &mut dyn Write, clip: &CheckedClip, mesh: usize) -> io::Result<()> {
    let (frames, vertices) = (clip.frame_count(), clip.vertices(mesh));
    let shape = &clip.meshes()[mesh];
    let mut archive = ZipWriter::new(file);

    if let Some(points) = &shape.rigid {
        array(&mut archive, "vertices.npy", "<f4", &[vertices, 3], |file| write_positions(file, points))?;
        array(&mut archive, "rotations.npy", "<f8", &[frames, 4], |file| {
            (0..frames).try_for_each(|frame| write_doubles(file, &clip.pose(mesh, frame)?.to_array()[..4]))
        })?;
        array(&mut archive, "translations.npy", "<f8", &[frames, 3], |file| {
            (0..frames).try_for_each(|frame| write_doubles(file, &clip.pose(mesh, frame)?.to_array()[4..]))
        })?;
    } else {
        let far = clip.origin() != DVec3::ZERO;
        let header = header(if far { "<f8" } else { "<f4" }, &[frames, vertices, 3]);
        let size = frames as u64 * vertices as u64 * if far { 24 } else { 12 };
        archive.file("positions.npy", header.len() as u64 + size, |file| {
            file.write_all(&header)?;
            (0..frames).try_for_each(|frame| write_places(file, clip.origin(), &clip.positions(mesh, frame)?))
        })?;
    }
    array(&mut archive, "triangles.npy", "<i4", &[shape.triangles.len(), 3], |file| {
        shape.triangles.iter().try_for_each(|t| file.write_all(t.map(u32::to_le_bytes).as_flattened()))
    })?;
    array(&mut archive, "fps.npy", "<f8", &[], |file| file.write_all(&clip.fps().to_le_bytes()))?;
    if let Some(uvs) = &shape.uvs {
        array(&mut archive, "uvs.npy", "<f4", &[uvs.len(), 3, 2], |file| {
            uvs.as_flattened().iter().try_for_each(|uv| write_numbers(file, uv.to_array()))
        })?;
    }
    archive.finish()
}

fn write_doubles(file: &mut dyn Write, numbers: &[f64]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| file.write_all(&number.to_le_bytes()))
}

/// Adds an array that fits in memory.
fn array(
    archive: &mut ZipWriter,
    name: &str,
    kind: &str,
    shape: &[usize],
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut bytes = header(kind, shape);
    write(&mut bytes)?;
    archive.file(name, bytes.len() as u64, |file| file.write_all(&bytes))
}

/// The header of an `.npy` file, version 1.0: padded to 64 bytes, ended by a line break.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let mut text =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.into_bytes());
    header
}
