//! The frames of a run on disk: what single-file formats are put together from at the end.
//!
//! Each frame is one small file, written whole or not at all: the number of the run (a u64), the positions of all cloths
//! (three f32 each, little endian, from where the run starts), the poses of all rigid bodies (seven f64), and the frame's figures as JSON. So a
//! run that is killed loses no finished frame, and one that is resumed finds the earlier ones here.
//!
//! The number is drawn when a run starts, and kept when it is resumed. Whatever is read must have it, and before a frame
//! is written the last one is looked at: so frames of different runs never come together in one file, though two runs
//! should get at the same folder in spite of its lock, and a folder that was removed is missed at once.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use glam::{DVec3, Vec3};
use muslin_io::{Clip, ClipMesh, ClipPose, UpAxis, WriteError, remove_temporaries, write_atomically};

use super::metrics::Frame;
use super::stop::Stop;

/// The folder's name in that of the output.
const FOLDER: &str = ".frames";
const EXTENSION: &str = "frame";

/// Bytes of a pose, and of the number of a run.
const POSE: u64 = 7 * 8;
const NUMBER: u64 = 8;

/// Positions of all cloths and poses of all bodies, frame by frame.
pub struct FrameStore {
    folder: PathBuf,
    meshes: Vec<ClipMesh>,
    /// Vertices of each mesh.
    sizes: Vec<usize>,
    fps: f64,
    up: UpAxis,
    /// From where positions are counted: the world's at the start, so that a run that is resumed has the same.
    origin: DVec3,
    frames: usize,
    /// The run that the frames belong to.
    run: u64,
    /// Makes reading fail, and so ends what is being put together.
    stop: Stop,
}

impl FrameStore {
    /// A store in the folder of the output. Nothing is written yet. `sizes` are the meshes' vertex counts.
    /// An error if its place is taken: a link there could lead anywhere.
    pub fn new(
        output: &Path,
        meshes: Vec<ClipMesh>,
        sizes: Vec<usize>,
        (fps, up, origin): (f64, UpAxis, DVec3),
        stop: Stop,
    ) -> io::Result<Self> {
        let folder = output.join(FOLDER);
        // Not followed if it is a link.
        if std::fs::symlink_metadata(&folder).is_ok_and(|found| !found.is_dir()) {
            let problem = format!("{} is not a folder, but the frames go there", folder.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, problem));
        }
        Ok(Self { folder, meshes, sizes, fps, up, origin, frames: 0, run: new_number(), stop })
    }

    /// Where the frames are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes an empty folder.
    pub fn start(&mut self) -> io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        self.remove_from(0);
        Ok(())
    }

    /// Takes over the frames before `frames` that an earlier run has left, and forgets later ones; their
    /// figures. An error if one is missing, or of another run.
    pub fn resume(&mut self, frames: usize) -> io::Result<Vec<Frame>> {
        if frames > 0 {
            self.run = read_number(&mut File::open(self.file(0))?)?;
        }
        let figures = (0..frames).map(|frame| self.figures(frame)).collect::<io::Result<_>>()?;
        std::fs::create_dir_all(&self.folder)?;
        self.remove_from(frames);
        self.frames = frames;
        Ok(figures)
    }

    fn figures(&self, frame: usize) -> io::Result<Frame> {
        let mut file = self.open(frame)?;
        file.seek(SeekFrom::Start(self.start_of(self.meshes.len())))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        serde_json::from_slice(&text).map_err(|_| of_another_run(frame))
    }

    /// A frame of this run, after its number.
    fn open(&self, frame: usize) -> io::Result<File> {
        let mut file = File::open(self.file(frame))?;
        match read_number(&mut file) {
            Ok(run) if run == self.run => Ok(file),
            _ => Err(of_another_run(frame)),
        }
    }

    /// Adds a frame: the positions of each cloth, the pose of each body (which come after the cloths), and figures.
    pub fn push(
        &mut self,
        positions: &[Vec<Vec3>],
        poses: &[ClipPose],
        figures: &Frame,
    ) -> Result<(), WriteError> {
        if let Some(last) = self.frames.checked_sub(1) {
            self.open(last).map_err(|source| WriteError { path: self.file(self.frames), source })?;
        }
        write_atomically(self.file(self.frames), |file| {
            file.write_all(&self.run.to_le_bytes())?;
            for value in positions.iter().flatten().flat_map(|p| p.to_array()) {
                file.write_all(&value.to_le_bytes())?;
            }
            for value in poses.iter().flat_map(|pose| pose.to_array()) {
                file.write_all(&value.to_le_bytes())?;
            }
            file.write_all(&serde_json::to_vec(figures)?)
        })?;
        self.frames += 1;
        Ok(())
    }

    /// Deletes the store.
    pub fn remove(self) {
        self.remove_from(0);
        // Not if someone else has put something there.
        let _ = std::fs::remove_dir(&self.folder);
    }

    /// Removes the frames from one on, and what a killed run has left. Left-over frames do no harm; a warning
    /// would only puzzle.
    fn remove_from(&self, first: usize) {
        let number = |name: &str| -> Option<usize> {
            let (number, extension) = name.split_once('.')?;
            (extension == EXTENSION).then(|| number.parse().ok()).flatten()
        };
        remove_temporaries(&self.folder, |name| number(name).is_some());
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            if entry.file_name().to_str().and_then(number).is_some_and(|frame| frame >= first) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Where in a file a mesh begins.
    fn start_of(&self, mesh: usize) -> u64 {
        let sizes = self.meshes[..mesh].iter().zip(&self.sizes);
        NUMBER
            + sizes
                .map(|(mesh, &size)| if mesh.rigid.is_some() { POSE } else { 12 * size as u64 })
                .sum::<u64>()
    }

    /// What a file has of a mesh.
    fn bytes(&self, mesh: usize, frame: usize) -> io::Result<Vec<u8>> {
        if self.stop.is_raised() {
            return Err(io::Error::other("stopped"));
        }
        let (start, end) = (self.start_of(mesh), self.start_of(mesh + 1));
        let mut file = self.open(frame)?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; (end - start) as usize];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn file(&self, frame: usize) -> PathBuf {
        self.folder.join(format!("{frame:06}.{EXTENSION}"))
    }
}

/// A number that no other run has. Of the keys that the library draws for hash maps: nothing has to be reproducible here.
fn new_number() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish()
}

fn read_number(file: &mut File) -> io::Result<u64> {
    let mut number = [0; NUMBER as usize];
    file.read_exact(&mut number)?;
    Ok(u64::from_le_bytes(number))
}

fn of_another_run(frame: usize) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("frame {frame} is of another run, or damaged"))
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

    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        if let Some(shape) = &self.meshes[mesh].rigid {
            return Ok(self.pose(mesh, frame)?.apply(self.origin, shape));
        }
        let bytes = self.bytes(mesh, frame)?;
        let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let point = |p: &[u8]| Vec3::new(float(&p[..4]), float(&p[4..8]), float(&p[8..]));
        Ok(bytes.chunks_exact(12).map(point).collect())
    }

    fn pose(&self, mesh: usize, frame: usize) -> io::Result<ClipPose> {
        if self.meshes[mesh].rigid.is_none() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "a cloth has no pose"));
        }
        let bytes = self.bytes(mesh, frame)?;
        let number = |k: usize| bytes[8 * k..8 * k + 8].try_into().map_or(f64::NAN, f64::from_le_bytes);
        Ok(ClipPose::from_array(std::array::from_fn(number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_two_runs_in_one_folder_do_not_mix() {
        let folder = std::env::temp_dir().join(format!("muslin-store-{}", std::process::id()));
        let store = || {
            FrameStore::new(&folder, Vec::new(), Vec::new(), (60.0, UpAxis::Y, DVec3::ZERO), Stop::default())
        };
        let (mut first, mut second) = (store().expect("a store"), store().expect("a store"));
        let push = |store: &mut FrameStore| store.push(&[], &[], &Frame::default());
        first.start().expect("a folder");
        push(&mut first).expect("written");
        // As if there were no locks.
        second.start().expect("a folder");
        push(&mut second).expect("written");
        let problem = push(&mut first).expect_err("its last frame is gone").to_string();
        assert!(problem.contains("frame 0 is of another run"), "{problem}");
        assert!(first.figures(0).is_err() && second.figures(0).is_ok());
        // Resumed, a run keeps its number.
        let mut resumed = store().expect("a store");
        assert_eq!(resumed.resume(1).expect("its frame").len(), 1);
        push(&mut resumed).expect("written");
        push(&mut second).expect("one run, as far as frames can tell");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
