//! PC2 point caches, little-endian: a header of 32 bytes, then the positions of each frame.

use std::io::{self, Write};

use crate::clip::checked::CheckedClip;
use crate::clip::write_positions;

pub(super) fn write(file: &mut dyn Write, clip: &CheckedClip, mesh: usize) -> io::Result<()> {
    file.write_all(b"POINTCACHE2\0")?;
    file.write_all(&1i32.to_le_bytes())?; // version
    file.write_all(&(clip.vertices(mesh) as u32).to_le_bytes())?;
    file.write_all(&0f32.to_le_bytes())?; // the first sample, in frames
    file.write_all(&1f32.to_le_bytes())?; // frames per sample
    file.write_all(&(clip.frame_count() as u32).to_le_bytes())?;
    for frame in 0..clip.frame_count() {
        write_positions(file, &clip.rounded(mesh, frame)?)?;
    }
    Ok(())
}
