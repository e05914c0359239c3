//! The frames of a run on disk: what single-file formats are put together from at the end.
//!
//! Each frame is one small file, written whole or not at all. So a run that is killed loses no finished
//! frame, and one that is resumed finds the earlier ones here.

use std::io;
use std::path::{Path, PathBuf};

use glam::Vec3;
use muslin_io::{Clip, ClipMesh, UpAxis, WriteError, write_atomically};

/// Positions of all cloths, frame by frame.
pub struct FrameStore {
    folder: PathBuf,
    meshes: Vec<ClipMesh>,
    /// Vertices of each mesh.
    sizes: Vec<usize>,
    fps: f64,
    up: UpAxis,
    frames: usize,
}

impl FrameStore {
    /// A store in a folder, which is created. `sizes` are the meshes' vertex counts.
    pub fn new(
        folder: &Path,
        meshes: Vec<ClipMesh>,
        sizes: Vec<usize>,
        fps: f64,
        up: UpAxis,
    ) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        Ok(Self { folder: folder.to_owned(), meshes, sizes, fps, up, frames: 0 })
    }

    /// Takes over the frames before `frames` that an earlier run has left; an error if one is missing.
    pub fn resume(&mut self, frames: usize) -> io::Result<()> {
        for frame in 0..frames {
            let size = std::fs::metadata(self.file(frame))?.len();
            if size != 12 * self.sizes.iter().sum::<usize>() as u64 {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("frame {frame} has the wrong size"),
                ));
            }
        }
        self.frames = frames;
        Ok(())
    }

    /// Adds a frame: the positions of each mesh.
    pub fn push(&mut self, positions: &[Vec<Vec3>]) -> Result<(), WriteError> {
        write_atomically(self.file(self.frames), |file| {
            for value in positions.iter().flatten().flat_map(|p| p.to_array()) {
                file.write_all(&value.to_le_bytes())?;
            }
            Ok(())
        })?;
        self.frames += 1;
        Ok(())
    }

    /// Deletes the store.
    pub fn remove(self) {
        // Left-over frames do no harm; a warning would only puzzle.
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    fn file(&self, frame: usize) -> PathBuf {
        self.folder.join(format!("{frame:06}.f32"))
    }
}

impl Clip for FrameStore {
    fn meshes(&self) -> &[ClipMesh] {
        &self.meshes
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn fps(&self) -> f64 {
        self.fps
    }

    fn up_axis(&self) -> UpAxis {
        self.up
    }

    fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        let bytes = std::fs::read(self.file(frame))?;
        let first = 12 * self.sizes[..mesh].iter().sum::<usize>();
        let own = bytes.get(first..first + 12 * self.sizes[mesh]).ok_or(io::ErrorKind::UnexpectedEof)?;
        let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        Ok(own
            .chunks_exact(12)
            .map(|p| Vec3::new(float(&p[..4]), float(&p[4..8]), float(&p[8..12])))
            .collect())
    }
}
