//! MDD point caches, big-endian: counts, the time of each frame in seconds, then the positions.

use std::io::{self, Write};

use crate::clip::checked::CheckedClip;

pub(super) fn write(file: &mut dyn Write, clip: &CheckedClip, mesh: usize) -> io::Result<()> {
    file.write_all(&(clip.frame_count() as u32).to_be_bytes())?;
    file.write_all(&(clip.vertices(mesh) as u32).to_be_bytes())?;
    for frame in 0..clip.frame_count() {
        file.write_all(&((frame as f64 / clip.fps()) as f32).to_be_bytes())?;
    }
    for frame in 0..clip.frame_count() {
        for position in clip.rounded(mesh, frame)? {
            file.write_all(position.to_array().map(f32::to_be_bytes).as_flattened())?;
        }
    }
    Ok(())
}
