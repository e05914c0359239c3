//! The JSON part of an animated GLB file.

use std::io;

use glam::{DVec3, Vec3};
use serde_json::{Value, json};

use super::rigid;
use crate::clip::checked::CheckedClip;
use crate::clip::split::SplitMesh;
use crate::clip::write::unique_names;
use crate::clip::{ClipPose, UpAxis};

/// Codes of OpenGL.
const UNSIGNED_INT: u32 = 5125;
pub(super) const FLOAT: u32 = 5126;
const VERTEX_DATA: u32 = 34962;
const INDEX_DATA: u32 = 34963;

/// A box.
pub(super) struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    pub(super) fn around(points: impl Iterator<Item = Vec3>) -> Self {
        let nothing = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
        points.fold(nothing, |Self { low, high }, p| Self { low: low.min(p), high: high.max(p) })
    }

    pub(super) fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }
}

/// The lists of accessors and views, in the order in which the bytes follow each other.
#[derive(Default)]
pub(super) struct Layout {
    accessors: Vec<Value>,
    views: Vec<Value>,
    offset: u64,
}

impl Layout {
    /// Adds an array that follows the last, and returns the number of its accessor.
    pub(super) fn array(&mut self, shape: &str, component: u32, count: usize, target: Option<u32>) -> usize {
        let components = match shape {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        let length = 4 * components * count as u64;
        let mut view = json!({"buffer": 0, "byteOffset": self.offset, "byteLength": length});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        let accessor = json!({"bufferView": self.views.len(), "componentType": component, "count": count, "type": shape});
        self.offset += length;
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds positions or displacements, and normals if there are any, as the attributes of a vertex or of a target.
    fn vectors(&mut self, count: usize, bounds: &Bounds, with_normals: bool) -> Value {
        let positions = self.array("VEC3", FLOAT, count, Some(VERTEX_DATA));
        self.accessors[positions]["min"] = json!(bounds.low.to_array());
        self.accessors[positions]["max"] = json!(bounds.high.to_array());
        let mut attributes = json!({"POSITION": positions});
        if with_normals {
            attributes["NORMAL"] = self.array("VEC3", FLOAT, count, Some(VERTEX_DATA)).into();
        }
        attributes
    }
}

/// The document for these meshes. `bounds` are given by mesh and frame, of rigid meshes only one; `poses` by mesh and
/// frame, of others none. `size` is the length of the binary part.
pub(super) fn document(
    clip: &CheckedClip,
    meshes: &[SplitMesh],
    bounds: &[Vec<Bounds>],
    poses: &[Vec<ClipPose>],
    size: u64,
) -> io::Result<Vec<u8>> {
    let mut layout = Layout::default();
    let frames = clip.frame_count();
    let names = unique_names(clip.meshes());
    let (mut mesh_list, mut nodes) = (Vec::new(), Vec::new());
    for (m, mesh) in meshes.iter().enumerate() {
        let round = rigid::is_round(&clip.meshes()[m]);
        mesh_list.push(describe_mesh(&mut layout, mesh, &names[m], &bounds[m], round));
        let mut node = json!({"mesh": m, "name": names[m]});
        if let Some(pose) = poses[m].first() {
            mesh_list[m]["primitives"][0]["material"] = 1.into();
            node["translation"] = json!(pose.translation.as_vec3().to_array());
            node["rotation"] = json!(pose.rotation.as_quat().to_array());
        } else if clip.up_axis() == UpAxis::Z {
            // A quarter turn about x takes z to y, which glTF prescribes as up.
            let half = std::f64::consts::FRAC_1_SQRT_2;
            node["rotation"] = json!([-half, 0.0, 0.0, half]);
        }
        nodes.push(node);
    }
    let mut node_numbers: Vec<usize> = (0..nodes.len()).collect();
    if clip.origin() != DVec3::ZERO {
        // What is far from zero hangs on a node there: numbers in the text have all their digits.
        let DVec3 { x, y, z } = clip.origin();
        let translation = match clip.up_axis() {
            UpAxis::Y => [x, y, z],
            UpAxis::Z => [x, z, -y],
        };
        nodes.push(json!({"name": "origin", "translation": translation, "children": node_numbers}));
        node_numbers = vec![nodes.len() - 1];
    }
    let mut document = json!({
        "asset": {"version": "2.0", "generator": concat!("Muslin ", env!("CARGO_PKG_VERSION"))},
        "scene": 0,
        "scenes": [{"nodes": node_numbers}],
        "nodes": nodes,
        "meshes": mesh_list,
        "materials": [{
            "name": "cloth",
            "doubleSided": true,
            "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.9},
        }],
    });
    if poses.iter().any(|poses| !poses.is_empty()) {
        let matt =
            json!({"baseColorFactor": [0.7, 0.7, 0.7, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7});
        let body = json!({"name": "body", "pbrMetallicRoughness": matt});
        document["materials"].as_array_mut().into_iter().for_each(|list| list.push(body.clone()));
    }
    if frames > 1 {
        document["animations"] = json!([describe_animation(&mut layout, clip, poses)]);
    }
    document["buffers"] = json!([{"byteLength": size}]);
    document["bufferViews"] = layout.views.into();
    document["accessors"] = layout.accessors.into();
    if layout.offset != size {
        return Err(io::Error::other("the parts of a GLB file do not add up"));
    }
    Ok(serde_json::to_vec(&document)?)
}

fn describe_mesh(layout: &mut Layout, mesh: &SplitMesh, name: &str, bounds: &[Bounds], round: bool) -> Value {
    let vertices = mesh.source.len();
    let indices = layout.array("SCALAR", UNSIGNED_INT, 3 * mesh.triangles.len(), Some(INDEX_DATA));
    let uvs = mesh.uvs.as_ref().map(|_| layout.array("VEC2", FLOAT, vertices, Some(VERTEX_DATA)));
    let mut attributes = layout.vectors(vertices, &bounds[0], round);
    if let Some(uvs) = uvs {
        attributes["TEXCOORD_0"] = uvs.into();
    }
    let mut primitive = json!({"attributes": attributes, "indices": indices, "material": 0});
    let targets: Vec<Value> =
        bounds[1..].iter().map(|bounds| layout.vectors(vertices, bounds, true)).collect();
    let mut description = json!({"name": name});
    if !targets.is_empty() {
        let names: Vec<String> = (1..=targets.len()).map(|frame| format!("frame {frame}")).collect();
        description["weights"] = vec![0.0; targets.len()].into();
        description["extras"] = json!({"targetNames": names});
        primitive["targets"] = targets.into();
    }
    description["primitives"] = json!([primitive]);
    description
}

fn describe_animation(layout: &mut Layout, clip: &CheckedClip, poses: &[Vec<ClipPose>]) -> Value {
    let frames = clip.frame_count();
    let times = layout.array("SCALAR", FLOAT, frames, None);
    let last = ((frames - 1) as f64 / clip.fps()) as f32;
    layout.accessors[times]["min"] = json!([0.0]);
    layout.accessors[times]["max"] = json!([last]);
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    if poses.iter().any(Vec::is_empty) {
        let weights = layout.array("SCALAR", FLOAT, frames * (frames - 1), None);
        samplers.push(json!({"input": times, "output": weights, "interpolation": "LINEAR"}));
    }
    for (node, poses) in poses.iter().enumerate() {
        if poses.is_empty() {
            channels.push(json!({"sampler": 0, "target": {"node": node, "path": "weights"}}));
            continue;
        }
        for [sampler, channel] in rigid::describe(layout, frames, times, samplers.len(), node) {
            samplers.push(sampler);
            channels.push(channel);
        }
    }
    json!({"name": "cloth", "samplers": samplers, "channels": channels})
}
