//! Checkpoints: the state of a run in one file, to go on from with the same bits.
//!
//! Layout, little endian: the magic `MUSLINCP`, the version (u32), the length of the header (u32), the
//! header (JSON), per cloth its positions and velocities (three f32 each; if its solver computes in double precision, then
//! also positions, velocities and last corrections of three f64 each; of multilevel cloth then the grid's particles, where
//! they are and where they were, of three f32 each), per rigid body 13 f64 (centre, rotation, velocity,
//! angular momentum), and the CRC-32 of all that.
//! A file that is cut short or has a bit flipped is refused as a whole.

mod cloth;
mod numbers;

use std::fmt;
use std::path::{Component, Path, PathBuf};

use glam::DVec3;
use muslin::rigid::BodyState;
use muslin::state::Snapshot;
use serde::{Deserialize, Serialize};

use crate::scene::Backend;
use crate::{WriteError, regular, write_atomically};
use cloth::{ClothHeader, is_zero};
use numbers::{BODY_SIZE, Data, body_numbers};

const MAGIC: &[u8; 8] = b"MUSLINCP";
/// 2: the run's options, and the fingerprint of what the scene's files hold. 3: origins; pins and colliders, which are part of
/// the fingerprint, in double precision.
const VERSION: u32 = 3;
/// Magic, version and header length.
const PREFIX: usize = 16;

/// A run at the end of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The scene file.
    pub scene: PathBuf,
    /// [`fingerprint`] of the scene's text: a run must not go on with another scene.
    pub scene_fingerprint: u64,
    /// [`Scene::world_fingerprint`](crate::scene::Scene::world_fingerprint): nor with other meshes.
    pub world_fingerprint: u64,
    /// Frames that are finished.
    pub frame: u64,
    /// How the run was started.
    pub options: RunOptions,
    /// Each cloth's name and state.
    pub cloths: Vec<(String, Snapshot)>,
    /// Each rigid body's name and state.
    pub bodies: Vec<(String, BodyState)>,
}

/// How a run was started: what it must go on with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// Frames of the whole run.
    pub frames: u32,
    /// After how many frames a checkpoint is written; `None` for none but when it is stopped.
    pub checkpoint_every: Option<u32>,
    /// Whether plots are written.
    pub plot: bool,
    /// Whether pictures are left out, whatever the scene says.
    pub no_pictures: bool,
    /// Whether intersections are counted after every frame.
    pub check_every_frame: bool,
    /// What computed. Left out for the CPU, as in checkpoints from before there was a choice.
    #[serde(default, skip_serializing_if = "is_cpu")]
    pub backend: Backend,
}

fn is_cpu(backend: &Backend) -> bool {
    *backend == Backend::Cpu
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    scene: PathBuf,
    /// The scene seen from the checkpoint's folder, for when both are moved together.
    #[serde(default)]
    scene_from_here: Option<PathBuf>,
    scene_fingerprint: u64,
    world_fingerprint: u64,
    frame: u64,
    options: RunOptions,
    cloths: Vec<ClothHeader>,
    /// The names of rigid bodies. Left out if there are none, as in checkpoints from before there were any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bodies: Vec<String>,
    /// The bits of the coordinates from which their centres are counted, metres: a world has one origin. Left out if it is zero.
    #[serde(default, skip_serializing_if = "is_zero")]
    body_origin_bits: [u64; 3],
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct CheckpointError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: CheckpointProblem,
}

/// What is wrong with a checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointProblem {
    /// It cannot be read.
    Io(std::io::Error),
    /// It is something else.
    NotACheckpoint,
    /// It was written by another version of Muslin.
    Version(u32),
    /// It is cut short, or bits have changed.
    Damaged,
}

impl fmt::Display for CheckpointProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read: {error}"),
            Self::NotACheckpoint => write!(f, "not a Muslin checkpoint"),
            Self::Version(version) => {
                write!(f, "a checkpoint of version {version}; this program reads version {VERSION}")
            }
            Self::Damaged => {
                write!(f, "the checkpoint is damaged (cut short or changed); use an earlier one")
            }
        }
    }
}

/// A number that tells texts apart (FNV-1a, 64 bit).
pub fn fingerprint(text: &[u8]) -> u64 {
    let mut hash = Fingerprint::default();
    hash.add(text);
    hash.0
}

/// [`fingerprint`] of bytes that come one after the other; text can be written to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(pub u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fingerprint {
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes
            .iter()
            .fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    }
}

impl fmt::Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

impl Checkpoint {
    /// Writes the checkpoint, whole or not at all.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let bytes = self.to_bytes(seen_from(folder_of(path.as_ref()), &self.scene));
        write_atomically(path, |file| file.write_all(&bytes))
    }

    /// Reads a checkpoint and checks that every bit of it is as it was written. If its scene is gone, but
    /// there is one where it would be if it had been moved together with the checkpoint, that one is
    /// named.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, CheckpointError> {
        let path = path.as_ref();
        let bytes = regular::size(path).and_then(|_| std::fs::read(path)).map_err(CheckpointProblem::Io);
        bytes
            .and_then(|bytes| Self::parse(&bytes))
            .map(|(checkpoint, from_here)| checkpoint.found(path, from_here))
            .map_err(|problem| CheckpointError { path: path.to_owned(), problem })
    }

    /// Looks for the scene beside the checkpoint if it is not where it was.
    fn found(self, path: &Path, scene_from_here: Option<PathBuf>) -> Self {
        let moved = scene_from_here.map(|scene| folder_of(path).join(scene));
        match moved {
            Some(moved) if !self.scene.exists() && moved.is_file() => Self { scene: moved, ..self },
            _ => self,
        }
    }

    fn to_bytes(&self, scene_from_here: Option<PathBuf>) -> Vec<u8> {
        let cloths = self.cloths.iter().map(|(name, state)| ClothHeader::new(name, state));
        let body_origin = self.bodies.first().map_or(DVec3::ZERO, |(_, state)| state.origin);
        let header = Header {
            scene: self.scene.clone(),
            scene_from_here: scene_from_here.filter(|path| path.to_str().is_some()),
            scene_fingerprint: self.scene_fingerprint,
            world_fingerprint: self.world_fingerprint,
            frame: self.frame,
            options: self.options,
            cloths: cloths.collect(),
            bodies: self.bodies.iter().map(|(name, _)| name.clone()).collect(),
            body_origin_bits: body_origin.to_array().map(f64::to_bits),
        };
        // Strings and numbers always have a JSON form, except paths that are not Unicode: those are
        // written with replacement characters, and resuming then asks for the scene.
        let header = serde_json::to_vec(&header).unwrap_or_else(|_| {
            let scene = PathBuf::from(self.scene.to_string_lossy().into_owned());
            serde_json::to_vec(&Header { scene, ..header }).unwrap_or_default()
        });
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&header);
        self.cloths.iter().for_each(|(_, state)| cloth::write(state, &mut bytes));
        for number in self.bodies.iter().flat_map(|(_, state)| body_numbers(state)) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a checkpoint from the content of its file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointProblem> {
        Self::parse(bytes).map(|(checkpoint, _)| checkpoint)
    }

    /// The checkpoint, and its scene seen from its folder.
    fn parse(bytes: &[u8]) -> Result<(Self, Option<PathBuf>), CheckpointProblem> {
        use CheckpointProblem::{Damaged, NotACheckpoint, Version};
        if bytes.len() < PREFIX + 4 || &bytes[..8] != MAGIC {
            return Err(if bytes.starts_with(MAGIC) { Damaged } else { NotACheckpoint });
        }
        let word = |at: usize| {
            bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes).ok_or(Damaged)
        };
        let version = word(8)?;
        if version != VERSION {
            return Err(Version(version));
        }
        let (content, _) = bytes.split_at(bytes.len() - 4);
        if crc32fast::hash(content) != word(content.len())? {
            return Err(Damaged);
        }
        let header_end = PREFIX + word(12)? as usize;
        let header: Header =
            serde_json::from_slice(content.get(PREFIX..header_end).ok_or(Damaged)?).map_err(|_| Damaged)?;
        let mut data = Data { left: &content[header_end..] };
        let mut cloths = Vec::new();
        for cloth in header.cloths {
            let state = cloth.read(&mut data)?;
            cloths.push((cloth.name, state));
        }
        if header.bodies.len() * BODY_SIZE > data.left.len() {
            return Err(Damaged);
        }
        let origin = DVec3::from_array(header.body_origin_bits.map(f64::from_bits));
        let bodies = header.bodies.into_iter().map(|name| (name, data.body(origin))).collect();
        let Header { scene, scene_from_here, scene_fingerprint, world_fingerprint, frame, options, .. } =
            header;
        let checkpoint = Self { scene, scene_fingerprint, world_fingerprint, frame, options, cloths, bodies };
        Ok((checkpoint, scene_from_here))
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A path relative to a folder; `None` where there is no way, such as between drives.
fn seen_from(folder: &Path, path: &Path) -> Option<PathBuf> {
    let (folder, path) = (folder.canonicalize().ok()?, path.canonicalize().ok()?);
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), path.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    (shared > 0).then(|| up.chain(to[shared..].iter().copied()).collect())
}
