//! Writes clips and frames: names of files, and which writer makes them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use glam::{DVec3, Vec3};

use crate::clip::checked::{CheckedClip, check_meshes, invalid};
use crate::clip::{Clip, ClipFormat, ClipMesh, glb, mdd, npz, obj, pc2, ply, usd, vtk};
use crate::{WriteError, write_atomically};

/// Writes a clip into a folder that exists, and returns the files written.
///
/// A file is called `stem.extension`; `stem_mesh.extension` where a format holds one mesh and the
/// clip has several; a frame of a sequence has `_0000` and so on before the extension. Each file
/// is written whole or not at all, and is refused if a position is not finite.
pub fn write_clip(
    format: ClipFormat,
    folder: &Path,
    stem: &str,
    clip: &dyn Clip,
) -> Result<Vec<PathBuf>, WriteError> {
    let checked = at(&folder.join(stem), CheckedClip::new(clip))?;
    let names = Names::new(format, folder, stem, clip.meshes())?;
    if format.is_sequence() {
        let mut files = Vec::new();
        for frame in 0..clip.frame_count() {
            let positions: io::Result<Vec<Vec<Vec3>>> =
                (0..clip.meshes().len()).map(|mesh| checked.positions(mesh, frame)).collect();
            let positions = at(&names.frame(0, frame), positions)?;
            let positions: Vec<&[Vec3]> = positions.iter().map(Vec::as_slice).collect();
            files.extend(write_checked_frame(
                format,
                &names,
                clip.meshes(),
                frame,
                clip.origin(),
                &positions,
            )?);
        }
        let numbers: Vec<usize> = (0..clip.frame_count()).collect();
        files.extend(write_sequence_index(format, folder, stem, clip.meshes(), &numbers, clip.fps())?);
        return Ok(files);
    }
    let count = if format.holds_several_meshes() { 1 } else { clip.meshes().len() };
    let files: Vec<PathBuf> = (0..count).map(|mesh| names.whole(mesh)).collect();
    for (mesh, path) in files.iter().enumerate() {
        write_atomically(path, |file| match format {
            ClipFormat::Glb => glb::write(file, &checked),
            ClipFormat::Usd => usd::write(file, &checked),
            ClipFormat::Pc2 => pc2::write(file, &checked, mesh),
            ClipFormat::Mdd => mdd::write(file, &checked, mesh),
            ClipFormat::Npz => npz::write(file, &checked, mesh),
            ClipFormat::Obj | ClipFormat::Ply | ClipFormat::Vtk => invalid("a sequence has no single file"),
        })?;
    }
    Ok(files)
}

/// Writes one frame of a sequence (OBJ, PLY, VTK), `positions` having an array per mesh, counted from an origin, and
/// returns the files written. They are called as [`write_clip`] calls them. Other formats are
/// refused: they need all frames at once.
pub fn write_frame<P: AsRef<[Vec3]>>(
    format: ClipFormat,
    folder: &Path,
    stem: &str,
    meshes: &[ClipMesh],
    frame: usize,
    origin: DVec3,
    positions: &[P],
) -> Result<Vec<PathBuf>, WriteError> {
    let names = Names::new(format, folder, stem, meshes)?;
    let positions: Vec<&[Vec3]> = positions.iter().map(AsRef::as_ref).collect();
    at(&names.frame(0, frame), check_meshes(meshes, &positions, frame))?;
    write_checked_frame(format, &names, meshes, frame, origin, &positions)
}

/// The files that [`write_frame`] writes.
pub fn frame_files(
    format: ClipFormat,
    folder: &Path,
    stem: &str,
    meshes: &[ClipMesh],
    frame: usize,
) -> Result<Vec<PathBuf>, WriteError> {
    let names = Names::new(format, folder, stem, meshes)?;
    Ok((0..names.files_of(format)).map(|mesh| names.frame(mesh, frame)).collect())
}

/// Why a format cannot hold a clip of this many frames, of meshes with these numbers of vertices;
/// `None` if it can.
pub fn clip_problem(
    format: ClipFormat,
    meshes: &[ClipMesh],
    vertices: &[usize],
    frames: usize,
) -> Option<String> {
    match format {
        ClipFormat::Glb => glb::problem(meshes, vertices, frames),
        _ => None,
    }
}

/// Writes what a sequence needs beside its frames: for VTK the `.pvd` file that tells ParaView the
/// time of each of these frames, for the others nothing. It may be called after every frame.
pub fn write_sequence_index(
    format: ClipFormat,
    folder: &Path,
    stem: &str,
    meshes: &[ClipMesh],
    frames: &[usize],
    fps: f64,
) -> Result<Option<PathBuf>, WriteError> {
    if format != ClipFormat::Vtk {
        return Ok(None);
    }
    let names = Names::new(format, folder, stem, meshes)?;
    let path = folder.join(format!("{stem}.pvd"));
    let parts = |frame| (0..meshes.len()).map(|mesh| names.frame_name(mesh, frame)).collect();
    let frames: Vec<(f64, Vec<String>)> =
        frames.iter().map(|&frame| (frame as f64 / fps, parts(frame))).collect();
    write_atomically(&path, |file| vtk::write_index(file, &frames))?;
    Ok(Some(path))
}

fn write_checked_frame(
    format: ClipFormat,
    names: &Names,
    meshes: &[ClipMesh],
    frame: usize,
    origin: DVec3,
    positions: &[&[Vec3]],
) -> Result<Vec<PathBuf>, WriteError> {
    let files: Vec<PathBuf> = (0..names.files_of(format)).map(|mesh| names.frame(mesh, frame)).collect();
    for (mesh, path) in files.iter().enumerate() {
        write_atomically(path, |file| match format {
            ClipFormat::Obj => obj::write_frame(file, meshes, origin, positions),
            ClipFormat::Ply => ply::write_frame(file, &meshes[mesh], origin, positions[mesh]),
            ClipFormat::Vtk => vtk::write_frame(file, &meshes[mesh], origin, positions[mesh]),
            _ => invalid(format!("{format} is not written frame by frame")),
        })?;
    }
    Ok(files)
}

/// The names of the files of a clip.
struct Names<'a> {
    folder: &'a Path,
    extension: &'static str,
    /// The beginning of the name, for each mesh.
    stems: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(
        format: ClipFormat,
        folder: &'a Path,
        stem: &str,
        meshes: &[ClipMesh],
    ) -> Result<Self, WriteError> {
        let plain =
            Path::new(stem).file_name().is_some_and(|name| name == stem) && !stem.contains(['/', '\\']);
        if !plain {
            return at(&folder.join(stem), invalid(format!("'{stem}' cannot be the name of a file")));
        }
        let several = meshes.len() > 1 && !format.holds_several_meshes();
        let stems = match several {
            true => unique_names(meshes).into_iter().map(|name| format!("{stem}_{name}")).collect(),
            false => vec![stem.to_owned(); meshes.len().max(1)],
        };
        Ok(Self { folder, extension: format.extension(), stems })
    }

    /// How many files a frame, or a clip that is no sequence, has.
    fn files_of(&self, format: ClipFormat) -> usize {
        if format.holds_several_meshes() { 1 } else { self.stems.len() }
    }

    fn whole(&self, mesh: usize) -> PathBuf {
        self.folder.join(format!("{}.{}", self.stems[mesh], self.extension))
    }

    fn frame(&self, mesh: usize, frame: usize) -> PathBuf {
        self.folder.join(self.frame_name(mesh, frame))
    }

    fn frame_name(&self, mesh: usize, frame: usize) -> String {
        format!("{}_{frame:04}.{}", self.stems[mesh], self.extension)
    }
}

/// The names of the meshes with nothing in them but ASCII letters, digits, `-` and `_`, and
/// different from each other even where case does not count.
pub(super) fn unique_names(meshes: &[ClipMesh]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    meshes
        .iter()
        .map(|mesh| {
            let name: String = mesh.name.chars().map(plain).take(100).collect();
            let name = if name.is_empty() { "mesh".to_owned() } else { name };
            let candidates = (1..).map(|k| if k == 1 { name.clone() } else { format!("{name}_{k}") });
            let mut free = candidates.filter(|candidate| taken.insert(candidate.to_ascii_lowercase()));
            free.next().unwrap_or_default()
        })
        .collect()
}

/// An error of the system as one about a file.
fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, WriteError> {
    result.map_err(|source| WriteError { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_differ() {
        let named = |name: &str| ClipMesh { name: name.into(), ..ClipMesh::default() };
        let meshes = ["Skirt", "skirt", "a/../b", "", "mesh", "skirt_2"].map(named);
        let names = unique_names(&meshes);
        assert_eq!(names, ["Skirt", "skirt_2", "a____b", "mesh", "mesh_2", "skirt_2_2"]);
    }
}
