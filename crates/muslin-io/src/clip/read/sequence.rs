//! Sequences of OBJ files (all meshes in each, as objects) and PLY files (one mesh in each), frame by frame.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use glam::{DVec3, Vec2, Vec3};
use muslin::mesh::TriMesh;

use super::{ReadClip, USUAL_FPS, names, stem, wrong};
use crate::clip::{Clip, ClipMesh};
use crate::read_mesh;

/// A sequence.
struct Sequence {
    meshes: Vec<ClipMesh>,
    /// For each mesh its files by frame, and which of their vertices are its own.
    parts: Vec<(Vec<PathBuf>, Range<usize>)>,
    frames: usize,
    origin: DVec3,
}

/// Reads a sequence, if these files are one: `stem_0000.obj`, `stem_0001.obj`, … Of several the longest.
pub fn read(files: &[PathBuf], extension: &str) -> io::Result<Option<ReadClip>> {
    let mut sequences: BTreeMap<String, Vec<(u64, PathBuf)>> = BTreeMap::new();
    for path in files {
        let stem = stem(path);
        let Some((name, number)) = stem.rsplit_once('_') else { continue };
        if let (true, Ok(number)) = (number.len() >= 4, number.parse()) {
            sequences.entry(name.to_owned()).or_default().push((number, path.clone()));
        }
    }
    sequences.values_mut().for_each(|files| files.sort());
    let Some(longest) = sequences.values().map(Vec::len).max() else { return Ok(None) };
    sequences.retain(|_, files| files.len() == longest);
    if extension == "obj" {
        let Some((_, files)) = sequences.pop_first() else { return Ok(None) };
        let files = files.into_iter().map(|(_, path)| path).collect();
        return objects(files).map(|sequence| Some(Box::new(sequence) as ReadClip));
    }
    let stems: Vec<String> = sequences.keys().cloned().collect();
    let (mut meshes, mut parts, mut origin) = (Vec::new(), Vec::new(), None);
    for (files, name) in sequences.into_values().zip(names(&stems)) {
        let files: Vec<PathBuf> = files.into_iter().map(|(_, path)| path).collect();
        let mesh = mesh_of(&files[0])?;
        origin.get_or_insert(mesh.origin);
        parts.push((files, 0..mesh.positions.len()));
        meshes.push(ClipMesh { name, triangles: mesh.triangles, uvs: mesh.uvs, rigid: None });
    }
    let origin = origin.unwrap_or_default();
    Ok(Some(Box::new(Sequence { meshes, parts, frames: longest, origin })))
}

fn mesh_of(path: &PathBuf) -> io::Result<TriMesh> {
    read_mesh(path).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
}

/// A mesh for each object of the first file.
fn objects(files: Vec<PathBuf>) -> io::Result<Sequence> {
    let first = &files[0];
    let mesh = mesh_of(first)?;
    let text = std::fs::read_to_string(first)?;
    let mut starts: Vec<(String, usize)> = Vec::new();
    let mut vertices = 0;
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("o", name)) => starts.push((name.trim().to_owned(), vertices)),
            Some(("v", _)) => vertices += 1,
            _ => {}
        }
    }
    if starts.first().is_none_or(|(_, start)| *start > 0) {
        starts.insert(0, (stem(first), 0));
    }
    let mut meshes = Vec::new();
    let mut parts = Vec::new();
    for (number, (name, start)) in starts.iter().enumerate() {
        let end = starts.get(number + 1).map_or(mesh.positions.len(), |(_, next)| *next);
        let own = *start..end.max(*start);
        let is_own = |corners: &[u32; 3]| corners.iter().all(|&v| own.contains(&(v as usize)));
        let numbers = (0..mesh.triangles.len()).filter(|&t| is_own(&mesh.triangles[t]));
        let numbers: Vec<usize> = numbers.collect();
        let uvs = mesh.uvs.as_ref().filter(|uvs| uvs.len() == mesh.triangles.len());
        let uvs = uvs.map(|uvs| numbers.iter().map(|&t| uvs[t]).collect::<Vec<[Vec2; 3]>>());
        let triangles = numbers.iter().map(|&t| mesh.triangles[t].map(|v| v - *start as u32)).collect();
        meshes.push(ClipMesh { name: name.clone(), triangles, uvs, rigid: None });
        parts.push((files.clone(), own));
    }
    Ok(Sequence { meshes, parts, frames: files.len(), origin: mesh.origin })
}

/// The vertices of an OBJ file, and nothing else of it.
fn vertices(text: &str, own: &Range<usize>, origin: DVec3) -> Vec<Vec3> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    let place = |line: &str| {
        let mut numbers = line.split_ascii_whitespace().map(|number| number.parse().unwrap_or(f64::NAN));
        let mut next = || numbers.next().unwrap_or(f64::NAN);
        DVec3::new(next(), next(), next())
    };
    lines.skip(own.start).take(own.len()).map(|line| (place(line) - origin).as_vec3()).collect()
}

impl Clip for Sequence {
    fn meshes(&self) -> &[ClipMesh] {
        &self.meshes
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn fps(&self) -> f64 {
        USUAL_FPS
    }

    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        let (files, own) = &self.parts[mesh];
        let Some(path) = files.get(frame) else { return wrong(format!("there is no frame {frame}")) };
        let positions = if path.extension().is_some_and(|extension| extension == "obj") {
            vertices(&std::fs::read_to_string(path)?, own, self.origin)
        } else {
            let mesh = mesh_of(path)?;
            let by = (mesh.origin - self.origin).as_vec3();
            mesh.positions.iter().map(|p| p + by).collect()
        };
        let (wanted, found) = (own.len(), positions.len());
        match wanted == found && positions.iter().all(|p| p.is_finite()) {
            true => Ok(positions),
            false => wrong(format!("{}: {found} vertices in place of {wanted}", path.display())),
        }
    }
}
