//! USD as text (`.usda`): a UsdGeomMesh per mesh, its points sampled once per frame; of a rigid mesh the
//! transform (`xformOp:translate`, `xformOp:orient`) is, and not the points.
//!
//! Written here rather than with the `openusd` crate, which builds a layer in memory before it
//! writes it: a clip would have to fit. The crate reads our files in the tests.

use std::fmt::Display;
use std::io::{self, Write};

use glam::{DVec3, Vec2, Vec3};

use crate::clip::checked::CheckedClip;
use crate::clip::write::unique_names;
use crate::clip::{ClipMesh, ClipPose, UpAxis};

pub(super) fn write(file: &mut dyn Write, clip: &CheckedClip) -> io::Result<()> {
    let up = match clip.up_axis() {
        UpAxis::Y => "Y",
        UpAxis::Z => "Z",
    };
    let (fps, last) = (clip.fps(), clip.frame_count() - 1);
    write!(
        file,
        "#usda 1.0\n(\n    defaultPrim = \"Muslin\"\n    endTimeCode = {last}\n    framesPerSecond = {fps}\n    \
         metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {fps}\n    upAxis = \"{up}\"\n)\n\n\
         def Xform \"Muslin\"\n{{\n"
    )?;
    for (m, (mesh, name)) in clip.meshes().iter().zip(unique_names(clip.meshes())).enumerate() {
        // Names in USD have no hyphens and begin with a letter or an underscore.
        let name = name.replace('-', "_");
        let prefix = if name.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        write!(file, "    def Mesh \"{prefix}{name}\"\n    {{\n")?;
        write_shape(file, mesh)?;
        match &mesh.rigid {
            Some(shape) => write_rigid(file, clip, m, shape)?,
            None => write_points(file, clip, m)?,
        }
        writeln!(file, "    }}")?;
    }
    writeln!(file, "}}")
}

/// What does not change.
fn write_shape(file: &mut dyn Write, mesh: &ClipMesh) -> io::Result<()> {
    writeln!(file, "        uniform bool doubleSided = 1")?;
    write!(file, "        int[] faceVertexCounts = ")?;
    write_list(file, mesh.triangles.iter().map(|_| 3))?;
    write!(file, "\n        int[] faceVertexIndices = ")?;
    write_list(file, mesh.triangles.as_flattened())?;
    writeln!(file, "\n        uniform token orientation = \"rightHanded\"")?;
    writeln!(file, "        uniform token subdivisionScheme = \"none\"")?;
    if let Some(uvs) = &mesh.uvs {
        write!(file, "        texCoord2f[] primvars:st = ")?;
        write_list(file, uvs.as_flattened().iter().map(|Vec2 { x, y }| format!("({x}, {y})")))?;
        writeln!(file, " (\n            interpolation = \"faceVarying\"\n        )")?;
    }
    Ok(())
}

/// The points of a rigid mesh in its own coordinates, and where it is in every frame. In double precision: bodies are.
fn write_rigid(file: &mut dyn Write, clip: &CheckedClip, mesh: usize, shape: &[Vec3]) -> io::Result<()> {
    let point = |Vec3 { x, y, z }: &Vec3| format!("({x}, {y}, {z})");
    write!(file, "        point3f[] points = ")?;
    write_list(file, shape.iter().map(point))?;
    let corners = [Vec3::min, Vec3::max].map(|pick| shape.iter().copied().reduce(pick).unwrap_or_default());
    write!(file, "\n        float3[] extent = ")?;
    write_list(file, corners.iter().map(point))?;
    let mut poses: Vec<ClipPose> = Vec::new();
    for frame in 0..clip.frame_count() {
        let pose = clip.pose(mesh, frame)?;
        poses.push(poses.last().map_or(pose, |last| pose.near(*last)));
    }
    writeln!(file, "\n        quatd xformOp:orient.timeSamples = {{")?;
    for (frame, ClipPose { rotation: q, .. }) in poses.iter().enumerate() {
        writeln!(file, "            {frame}: ({}, {}, {}, {}),", q.w, q.x, q.y, q.z)?;
    }
    writeln!(file, "        }}\n        double3 xformOp:translate.timeSamples = {{")?;
    for (frame, ClipPose { translation: t, .. }) in poses.iter().enumerate() {
        writeln!(file, "            {frame}: ({}, {}, {}),", t.x, t.y, t.z)?;
    }
    writeln!(
        file,
        "        }}\n        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]"
    )
}

/// The points of every frame, and the boxes around them, from an origin to which the mesh is moved if it is far from zero.
fn write_points(file: &mut dyn Write, clip: &CheckedClip, mesh: usize) -> io::Result<()> {
    let point = |Vec3 { x, y, z }: &Vec3| format!("({x}, {y}, {z})");
    let mut boxes = Vec::with_capacity(clip.frame_count());
    writeln!(file, "        point3f[] points.timeSamples = {{")?;
    for frame in 0..clip.frame_count() {
        let positions = clip.positions(mesh, frame)?;
        write!(file, "            {frame}: ")?;
        write_list(file, positions.iter().map(point))?;
        writeln!(file, ",")?;
        let (mut low, mut high) = (positions[0], positions[0]);
        positions.iter().for_each(|p| (low, high) = (low.min(*p), high.max(*p)));
        boxes.push([low, high]);
    }
    writeln!(file, "        }}\n        float3[] extent.timeSamples = {{")?;
    for (frame, corners) in boxes.iter().enumerate() {
        write!(file, "            {frame}: ")?;
        write_list(file, corners.iter().map(point))?;
        writeln!(file, ",")?;
    }
    writeln!(file, "        }}")?;
    let DVec3 { x, y, z } = clip.origin();
    if clip.origin() == DVec3::ZERO {
        return Ok(());
    }
    writeln!(file, "        double3 xformOp:translate = ({x}, {y}, {z})")?;
    writeln!(file, "        uniform token[] xformOpOrder = [\"xformOp:translate\"]")
}

fn write_list(file: &mut dyn Write, items: impl IntoIterator<Item = impl Display>) -> io::Result<()> {
    file.write_all(b"[")?;
    for (k, item) in items.into_iter().enumerate() {
        let comma = if k == 0 { "" } else { ", " };
        write!(file, "{comma}{item}")?;
    }
    file.write_all(b"]")
}
