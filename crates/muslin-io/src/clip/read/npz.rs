//! NumPy archives, one per mesh, frame by frame.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use glam::{DQuat, DVec3, Vec2, Vec3};

use super::archive::{Array, arrays};
use super::{ReadClip, names, stem, wrong};
use crate::clip::{Clip, ClipMesh, ClipPose};

/// More frames, vertices or triangles than this are a damaged file.
const MOST: usize = 1 << 28;

/// The archives of a clip.
struct Archives {
    meshes: Vec<ClipMesh>,
    sources: Vec<Mutex<Source>>,
    frames: usize,
    fps: f64,
    origin: DVec3,
}

/// Where a mesh is in every frame.
struct Source {
    file: File,
    vertices: usize,
    moves: Moves,
}

enum Moves {
    Positions(Array),
    Poses { rotations: Array, translations: Array },
}

/// Reads the archives of a clip.
pub fn read(files: &[PathBuf]) -> io::Result<ReadClip> {
    let stems: Vec<String> = files.iter().map(|path| stem(path)).collect();
    let (mut meshes, mut sources) = (Vec::new(), Vec::new());
    let (mut frames, mut fps) = (usize::MAX, 0.0);
    for (path, name) in files.iter().zip(names(&stems)) {
        let (mut file, arrays) = arrays(path)?;
        let get = |name: &str| {
            arrays.get(name).cloned().map_or_else(|| wrong(format!("it has no array {name:?}")), Ok)
        };
        let triangles = get("triangles")?;
        let all = |array: &Array, file: &mut File| {
            let count = array.count().filter(|&count| count <= 9 * MOST as u64);
            array.numbers(file, 0, count.unwrap_or(u64::MAX))
        };
        let corners = all(&triangles, &mut file)?;
        let triangles: Vec<[u32; 3]> =
            corners.chunks_exact(3).map(|t| [t[0] as u32, t[1] as u32, t[2] as u32]).collect();
        let uvs = match arrays.get("uvs") {
            Some(array) => {
                let numbers = all(array, &mut file)?;
                let uv = |t: &[f64], k: usize| Vec2::new(t[2 * k] as f32, t[2 * k + 1] as f32);
                Some(numbers.chunks_exact(6).map(|t| [uv(t, 0), uv(t, 1), uv(t, 2)]).collect::<Vec<_>>())
            }
            None => None,
        };
        let uvs = uvs.filter(|uvs| uvs.len() == triangles.len());
        let (moves, own_frames, vertices, rigid) = match arrays.get("positions") {
            Some(positions) => {
                let [frames, vertices, 3] = positions.shape[..] else {
                    return wrong("its positions are not frames of vertices of three numbers");
                };
                (Moves::Positions(positions.clone()), frames, vertices, None)
            }
            None => {
                let (rotations, translations) = (get("rotations")?, get("translations")?);
                let numbers = all(&get("vertices")?, &mut file)?;
                let vertices: Vec<Vec3> = numbers
                    .chunks_exact(3)
                    .map(|p| Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32))
                    .collect();
                let frames = rotations.shape.first().copied().unwrap_or(0);
                (Moves::Poses { rotations, translations }, frames, vertices.len(), Some(vertices))
            }
        };
        if triangles.iter().flatten().any(|&v| v as usize >= vertices) {
            return wrong("a triangle names a vertex that there is not");
        }
        frames = frames.min(own_frames);
        fps = get("fps").and_then(|array| array.numbers(&mut file, 0, 1))?.first().copied().unwrap_or(0.0);
        meshes.push(ClipMesh { name, triangles, uvs, rigid });
        sources.push(Mutex::new(Source { file, vertices, moves }));
    }
    if meshes.is_empty() || frames == 0 || frames > MOST || !(fps.is_finite() && fps > 0.0) {
        return wrong("it has no frames");
    }
    let mut clip = Archives { meshes, sources, frames, fps, origin: DVec3::ZERO };
    clip.origin = clip.find_origin()?;
    Ok(Box::new(clip))
}

impl Archives {
    /// Far from zero positions are counted from where the first vertex starts.
    fn find_origin(&self) -> io::Result<DVec3> {
        for source in &self.sources {
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            let Source { file, moves: Moves::Positions(array), .. } = &mut *source else { continue };
            if array.kind == "<f8" && array.count().is_some_and(|count| count >= 3) {
                let first = array.numbers(file, 0, 3)?;
                return Ok(DVec3::new(first[0], first[1], first[2]));
            }
        }
        Ok(DVec3::ZERO)
    }
}

impl Clip for Archives {
    fn meshes(&self) -> &[ClipMesh] {
        &self.meshes
    }

    fn frame_count(&self) -> usize {
        self.frames
    }

    fn fps(&self) -> f64 {
        self.fps
    }

    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn positions(&self, mesh: usize, frame: usize) -> io::Result<Vec<Vec3>> {
        if let Some(shape) = &self.meshes[mesh].rigid {
            return Ok(self.pose(mesh, frame)?.apply(self.origin, shape));
        }
        let mut source = self.sources[mesh].lock().unwrap_or_else(PoisonError::into_inner);
        let Source { file, vertices, moves: Moves::Positions(array) } = &mut *source else {
            return wrong("it has no positions");
        };
        let count = 3 * *vertices as u64;
        let numbers = array.numbers(file, frame as u64 * count, count)?;
        let near = |p: &[f64]| (DVec3::new(p[0], p[1], p[2]) - self.origin).as_vec3();
        Ok(numbers.chunks_exact(3).map(near).collect())
    }

    fn pose(&self, mesh: usize, frame: usize) -> io::Result<ClipPose> {
        let mut source = self.sources[mesh].lock().unwrap_or_else(PoisonError::into_inner);
        let Source { file, moves: Moves::Poses { rotations, translations }, .. } = &mut *source else {
            return wrong("a cloth has no pose");
        };
        let r = rotations.numbers(file, 4 * frame as u64, 4)?;
        let t = translations.numbers(file, 3 * frame as u64, 3)?;
        let rotation = DQuat::from_xyzw(r[0], r[1], r[2], r[3]).normalize();
        Ok(ClipPose { rotation, translation: DVec3::new(t[0], t[1], t[2]) })
    }
}
