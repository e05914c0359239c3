//! Animated binary glTF: frame 0 is the mesh, every other frame a morph target, and an animation
//! turns on one target after the other, straight lines between them.
//!
//! Every frame is a target for the whole file, and the animation has a weight for each frame and
//! target: for short clips only. Rigid meshes have no targets: their nodes move.

mod document;
mod rigid;

use std::io::{self, Write};
use std::path::Path;

use glam::Vec3;
use muslin::mesh::TriMesh;

use crate::clip::checked::{CheckedClip, invalid};
use crate::clip::split::{SplitMesh, normals};
use crate::clip::{Clip, ClipMesh, MemoryClip};
use crate::clip::{write_numbers, write_positions};
use crate::{WriteError, write_atomically};
use document::{Bounds, document};

/// More frames are refused.
const MOST_FRAMES: usize = 1000;
/// More bytes are refused.
const MOST_BYTES: u64 = 1 << 30;

/// Writes a mesh as a binary glTF file, whole or not at all. glTF says that y is up and counts
/// texture coordinates from the top; positions stay as they are, v is turned round. Vertices are
/// repeated at texture seams, and groups are left out.
pub fn write_glb(path: impl AsRef<Path>, mesh: &TriMesh) -> Result<(), WriteError> {
    write_atomically(path, |file| {
        let clip = MemoryClip::still("mesh", mesh);
        write(file, &CheckedClip::new(&clip)?)
    })
}

/// Writes a clip as a binary glTF file into something that is no file.
pub fn write_glb_to(to: &mut dyn Write, clip: &dyn Clip) -> io::Result<()> {
    write(to, &CheckedClip::new(clip)?)
}

pub(in crate::clip) fn write(file: &mut dyn Write, clip: &CheckedClip) -> io::Result<()> {
    let frames = clip.frame_count();
    let vertices: Vec<usize> = (0..clip.meshes().len()).map(|mesh| clip.vertices(mesh)).collect();
    let meshes = split(clip.meshes(), &vertices);
    let size = checked_size(clip.meshes(), &meshes, frames).or_else(invalid)?;
    let (mut bounds, mut poses) = (Vec::new(), Vec::new());
    for (m, mesh) in clip.meshes().iter().enumerate() {
        match &mesh.rigid {
            Some(shape) => {
                bounds.push(vec![Bounds::around(shape.iter().copied())]);
                poses.push(rigid::poses(clip, m)?);
            }
            None => {
                bounds.push(find_bounds(clip, m)?);
                poses.push(Vec::new());
            }
        }
    }
    // Chunks are padded to four bytes, the text with spaces; the numbers need no padding.
    let mut json = document(clip, &meshes, &bounds, &poses, size)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let total = 12 + 8 + json.len() as u64 + 8 + size;
    file.write_all(b"glTF\x02\0\0\0")?;
    file.write_all(&(total as u32).to_le_bytes())?;
    file.write_all(&(json.len() as u32).to_le_bytes())?;
    file.write_all(b"JSON")?;
    file.write_all(&json)?;
    file.write_all(&(size as u32).to_le_bytes())?;
    file.write_all(b"BIN\0")?;
    for (m, mesh) in meshes.iter().enumerate() {
        write_mesh(file, clip, m, mesh)?;
    }
    if frames > 1 {
        write_animation(file, frames, clip.fps(), poses.iter().any(Vec::is_empty))?;
        poses.iter().try_for_each(|poses| rigid::write(file, poses))?;
    }
    Ok(())
}

/// Why a clip is too much for a file, if it is.
pub(in crate::clip) fn problem(meshes: &[ClipMesh], vertices: &[usize], frames: usize) -> Option<String> {
    checked_size(meshes, &split(meshes, vertices), frames).err()
}

fn split(meshes: &[ClipMesh], vertices: &[usize]) -> Vec<SplitMesh> {
    meshes.iter().zip(vertices).map(|(mesh, &vertices)| SplitMesh::new(mesh, vertices)).collect()
}

/// Bytes of all numbers, or why they are too many.
fn checked_size(parts: &[ClipMesh], meshes: &[SplitMesh], frames: usize) -> Result<u64, String> {
    let too_large = |what: String| {
        Err(format!("{what}: too much for an animated GLB file, which is for short clips; try usd or pc2"))
    };
    if frames > MOST_FRAMES {
        return too_large(format!("{frames} frames (at most {MOST_FRAMES})"));
    }
    let sizes = parts.iter().zip(meshes).map(|(part, mesh)| mesh_size(part, mesh, frames));
    let size = sizes.sum::<u64>() + animation_size(parts, frames);
    match size > MOST_BYTES {
        true => too_large(format!("{} MiB (at most {})", size >> 20, MOST_BYTES >> 20)),
        false => Ok(size),
    }
}

/// Bytes of indices, texture coordinates, and positions and normals of every frame; of a rigid mesh once.
fn mesh_size(part: &ClipMesh, mesh: &SplitMesh, frames: usize) -> u64 {
    let uvs = if mesh.uvs.is_some() { 8 } else { 0 };
    let vectors = match &part.rigid {
        Some(_) if rigid::is_round(part) => 24,
        Some(_) => 12,
        None => 24 * frames as u64,
    };
    12 * mesh.triangles.len() as u64 + mesh.source.len() as u64 * (uvs + vectors)
}

/// Bytes of the times, of a weight for each frame and target, and of poses.
fn animation_size(parts: &[ClipMesh], frames: usize) -> u64 {
    let (rigid, frames) = (parts.iter().filter(|part| part.rigid.is_some()).count(), frames as u64);
    let weights = if rigid < parts.len() { 4 * frames * frames.saturating_sub(1) } else { 0 };
    if frames > 1 { 4 * frames + weights + rigid as u64 * frames * rigid::POSE_SIZE } else { 0 }
}

/// The boxes around the first frame and around each displacement from it: glTF requires them
/// before the data.
fn find_bounds(clip: &CheckedClip, mesh: usize) -> io::Result<Vec<Bounds>> {
    let first = clip.positions(mesh, 0)?;
    let mut bounds = vec![Bounds::around(first.iter().copied())];
    for frame in 1..clip.frame_count() {
        let positions = clip.positions(mesh, frame)?;
        let displacements = Bounds::around(positions.iter().zip(&first).map(|(p, base)| *p - *base));
        if !displacements.is_finite() {
            return invalid(format!("a vertex moves too far until frame {frame}"));
        }
        bounds.push(displacements);
    }
    Ok(bounds)
}

/// Writes indices, texture coordinates, and for each frame positions and normals; from the second
/// frame on as differences from the first. Of a rigid mesh its own coordinates, with normals if it is round.
fn write_mesh(file: &mut dyn Write, clip: &CheckedClip, m: usize, mesh: &SplitMesh) -> io::Result<()> {
    mesh.triangles
        .iter()
        .try_for_each(|corners| file.write_all(corners.map(u32::to_le_bytes).as_flattened()))?;
    for uv in mesh.uvs.iter().flatten() {
        write_numbers(file, [uv.x, 1.0 - uv.y])?;
    }
    // Normals of the vertices before the split: a texture seam is no crease.
    let triangles = &clip.meshes()[m].triangles;
    let split = |values: &[Vec3]| mesh.source.iter().map(|&v| values[v as usize]).collect::<Vec<_>>();
    if let Some(shape) = &clip.meshes()[m].rigid {
        write_positions(file, &split(shape))?;
        return match rigid::is_round(&clip.meshes()[m]) {
            true => write_positions(file, &split(&normals(triangles, shape))),
            false => Ok(()),
        };
    }
    let first = clip.positions(m, 0)?;
    let first_normals = normals(triangles, &first);
    write_positions(file, &split(&first))?;
    write_positions(file, &split(&first_normals))?;
    for frame in 1..clip.frame_count() {
        let mut positions = clip.positions(m, frame)?;
        let mut normals = normals(triangles, &positions);
        positions.iter_mut().zip(&first).for_each(|(p, base)| *p -= *base);
        normals.iter_mut().zip(&first_normals).for_each(|(n, base)| *n -= *base);
        write_positions(file, &split(&positions))?;
        write_positions(file, &split(&normals))?;
    }
    Ok(())
}

/// Writes the times in seconds and, if there are targets, for each the weights of all.
fn write_animation(file: &mut dyn Write, frames: usize, fps: f64, targets: bool) -> io::Result<()> {
    (0..frames).try_for_each(|frame| write_numbers(file, [(frame as f64 / fps) as f32]))?;
    for frame in (0..frames).filter(|_| targets) {
        for target in 1..frames {
            write_numbers(file, [if target == frame { 1.0 } else { 0.0 }])?;
        }
    }
    Ok(())
}
