//! Rigid meshes in GLB files: a node each, moved by translations and rotations. Their vertices are there once, in
//! their own coordinates.

use std::io::{self, Write};

use glam::DQuat;
use serde_json::{Value, json};

use super::document::{FLOAT, Layout};
use crate::clip::checked::CheckedClip;
use crate::clip::split::normals;
use crate::clip::{ClipMesh, ClipPose, UpAxis, write_numbers};

/// Vertex normals make a mesh look round: not where a triangle leans more than this against one of them.
const MOST_LEAN_DEGREES: f32 = 30.0;

/// Bytes of a pose: four numbers and three.
pub(super) const POSE_SIZE: u64 = 28;

/// Whether a rigid mesh is drawn smooth. Without normals a mesh is drawn with flat triangles: glTF says so.
pub(super) fn is_round(mesh: &ClipMesh) -> bool {
    let Some(shape) = &mesh.rigid else { return true };
    let vertex_normals = normals(&mesh.triangles, shape);
    let least = MOST_LEAN_DEGREES.to_radians().cos();
    mesh.triangles.iter().all(|corners| {
        let [a, b, c] = corners.map(|v| shape[v as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        corners.iter().all(|&v| vertex_normals[v as usize].dot(normal) >= least)
    })
}

/// The poses of a mesh in all frames, from the origin, with y up as glTF wants it.
pub(super) fn poses(clip: &CheckedClip, mesh: usize) -> io::Result<Vec<ClipPose>> {
    let upright = match clip.up_axis() {
        UpAxis::Y => DQuat::IDENTITY,
        UpAxis::Z => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
    };
    let mut poses: Vec<ClipPose> = Vec::new();
    for frame in 0..clip.frame_count() {
        let ClipPose { rotation, translation } = clip.pose(mesh, frame)?.seen_from(clip.origin());
        let pose = ClipPose { rotation: upright * rotation, translation: upright * translation };
        poses.push(poses.last().map_or(pose, |last| pose.near(*last)));
    }
    Ok(poses)
}

/// Adds the poses as arrays; a sampler and a channel for translations, and for rotations. `samplers` is how many
/// there are before.
pub(super) fn describe(
    layout: &mut Layout,
    frames: usize,
    times: usize,
    samplers: usize,
    node: usize,
) -> [[Value; 2]; 2] {
    let mut part = |number: usize, path: &str, shape: &str| {
        let output = layout.array(shape, FLOAT, frames, None);
        let sampler = json!({"input": times, "output": output, "interpolation": "LINEAR"});
        let channel = json!({"sampler": samplers + number, "target": {"node": node, "path": path}});
        [sampler, channel]
    };
    [part(0, "translation", "VEC3"), part(1, "rotation", "VEC4")]
}

/// Writes what [`describe`] describes.
pub(super) fn write(file: &mut dyn Write, poses: &[ClipPose]) -> io::Result<()> {
    poses.iter().try_for_each(|pose| write_numbers(file, pose.translation.as_vec3().to_array()))?;
    poses.iter().try_for_each(|pose| write_numbers(file, pose.rotation.as_quat().to_array()))
}
