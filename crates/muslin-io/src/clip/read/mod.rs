//! Reads clips back that this crate wrote: a folder of them, or a single file.
//!
//! NumPy archives and sequences of OBJ and PLY files are read frame by frame when they are asked for; GLB files, which are short, at
//! once. The other formats are for other programs: PC2 and MDD have no triangles, USD and VTK are read by nobody here.

mod archive;
mod glb;
mod npz;
mod sequence;

use std::io;
use std::path::{Path, PathBuf};

use super::Clip;

/// A clip that was read.
pub type ReadClip = Box<dyn Clip + Send>;

/// Frames per second where nothing says how many there are.
pub(super) const USUAL_FPS: f64 = 60.0;

/// Reads a clip: a NumPy archive, an animated binary glTF file, or a folder in which [`write_clip`](super::write_clip) or
/// [`write_frame`](super::write_frame) has put NumPy archives, a sequence of OBJ or PLY files, or a GLB file. Sequences do not say how
/// many frames per second there are: 60 are assumed.
pub fn read_clip(path: impl AsRef<Path>) -> io::Result<ReadClip> {
    let path = path.as_ref();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    if path.is_dir() {
        return read_folder(path).map_err(named);
    }
    match extension(path).as_str() {
        "npz" => npz::read(&[path.to_owned()]),
        "glb" => glb::read(path),
        _ => wrong("not a clip that can be read; .npz, animated .glb and folders of these, .obj or .ply are"),
    }
    .map_err(named)
}

/// Whether a file is a clip that [`read_clip`] reads, and not a mesh: a NumPy archive, or a binary glTF file with an animation.
pub fn is_clip(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    match extension(path).as_str() {
        "npz" => true,
        "glb" => glb::is_animated(path),
        _ => false,
    }
}

fn read_folder(folder: &Path) -> io::Result<ReadClip> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let of = |wanted: &str| -> Vec<PathBuf> {
        files.iter().filter(|path| extension(path) == wanted).cloned().collect()
    };
    let archives = of("npz");
    if !archives.is_empty() {
        return npz::read(&archives);
    }
    for wanted in ["obj", "ply"] {
        if let Some(clip) = sequence::read(&of(wanted), wanted)? {
            return Ok(clip);
        }
    }
    if let Some(clip) = of("glb").iter().find(|path| glb::is_animated(path)) {
        return glb::read(clip);
    }
    let others: Vec<&str> =
        ["pc2", "mdd", "usda", "vtp"].into_iter().filter(|wanted| !of(wanted).is_empty()).collect();
    match others.is_empty() {
        true => {
            wrong("there is no clip in this folder (.npz, .obj, .ply or .glb, as `muslin run` writes them)")
        }
        false => wrong(format!(
            "this folder has .{} files, which cannot be read back; run the scene with formats = [\"npz\"]",
            others.join(" and .")
        )),
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Names of meshes from the names of files: without what all have in common before an underscore.
fn names(stems: &[String]) -> Vec<String> {
    let [first, others @ ..] = stems else { return Vec::new() };
    if others.is_empty() {
        return vec![first.clone()];
    }
    let common = |end: &usize| others.iter().all(|other| other.starts_with(&first[..*end]));
    let ends = first.match_indices('_').map(|(at, _)| at + 1);
    let cut = ends.filter(common).max().unwrap_or(0);
    stems.iter().map(|stem| stem[cut..].to_owned()).collect()
}

fn wrong<T>(problem: impl Into<String>) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidData, problem.into()))
}
