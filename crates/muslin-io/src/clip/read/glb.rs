//! Animated binary glTF: morph targets and moving nodes, as this crate writes them.

use std::io;
use std::path::Path;

use glam::{DAffine3, DQuat, DVec3, Vec2, Vec3};
use serde_json::Value;

use super::{ReadClip, wrong};
use crate::clip::{ClipMesh, ClipPose, MemoryClip};

/// Larger files are refused.
const MOST_BYTES: u64 = 1 << 30;

/// A document and its numbers.
struct Glb {
    root: Value,
    bytes: Vec<u8>,
}

/// Whether a file has an animation.
pub fn is_animated(path: &Path) -> bool {
    open(path).is_ok_and(|glb| glb.animation().is_some())
}

fn open(path: &Path) -> io::Result<Glb> {
    if std::fs::metadata(path)?.len() > MOST_BYTES {
        return wrong("this file is too large");
    }
    let content = std::fs::read(path)?;
    let length = |at: usize| {
        let four = content.get(at..).and_then(|rest| rest.first_chunk::<4>());
        four.map(|four| u32::from_le_bytes(*four) as usize)
    };
    let (Some(json), true) = (length(12), content.starts_with(b"glTF")) else {
        return wrong("this is not a binary glTF file");
    };
    let text = content.get(20..20 + json).unwrap_or_default();
    let root = serde_json::from_slice(text)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("not glTF: {error}")))?;
    let bytes = content.get(28 + json..).unwrap_or_default().to_vec();
    Ok(Glb { root, bytes })
}

/// How a node moves.
#[derive(Default)]
struct NodeMotion {
    translations: Option<Vec<f64>>,
    rotations: Option<Vec<f64>>,
    weights: Option<Vec<f64>>,
}

/// Reads a clip.
pub fn read(path: &Path) -> io::Result<ReadClip> {
    let glb = open(path)?;
    let Some(animation) = glb.animation() else { return wrong("it has no animation") };
    let samplers = list(&animation["samplers"]);
    let Some(times) = samplers.first().and_then(|sampler| glb.numbers(&sampler["input"])) else {
        return wrong("its animation has no times");
    };
    let (frames, last) = (times.len(), times.last().copied().unwrap_or(0.0));
    let fps = if frames > 1 && last > 0.0 { (frames - 1) as f64 / last } else { super::USUAL_FPS };
    let mut motions: Vec<NodeMotion> =
        list(&glb.root["nodes"]).iter().map(|_| NodeMotion::default()).collect();
    for channel in list(&animation["channels"]) {
        let sampler = index(&channel["sampler"]).and_then(|number| samplers.get(number));
        let Some(motion) = index(&channel["target"]["node"]).and_then(|node| motions.get_mut(node)) else {
            continue;
        };
        let numbers = sampler.and_then(|sampler| glb.numbers(&sampler["output"]));
        match channel["target"]["path"].as_str() {
            Some("translation") => motion.translations = numbers,
            Some("rotation") => motion.rotations = numbers,
            Some("weights") => motion.weights = numbers,
            _ => {}
        }
    }
    glb.clip(frames, fps, &motions).map(|clip| Box::new(clip) as ReadClip)
}

/// A mesh of the file, with all of its frames.
struct Part {
    mesh: ClipMesh,
    positions: Vec<Vec<Vec3>>,
    poses: Vec<ClipPose>,
}

impl Glb {
    fn animation(&self) -> Option<&Value> {
        list(&self.root["animations"]).first().filter(|animation| !list(&animation["channels"]).is_empty())
    }

    /// The numbers of an accessor, one after the other.
    fn numbers(&self, accessor: &Value) -> Option<Vec<f64>> {
        let accessor = list(&self.root["accessors"]).get(index(accessor)?)?;
        let view = list(&self.root["bufferViews"]).get(index(&accessor["bufferView"])?)?;
        let each = match accessor["type"].as_str()? {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => return None,
        };
        let from = index(&view["byteOffset"]).unwrap_or(0) + index(&accessor["byteOffset"]).unwrap_or(0);
        let count = index(&accessor["count"])?.checked_mul(each * 4)?;
        let bytes = self.bytes.get(from..from.checked_add(count)?)?;
        let four = |b: &[u8]| [b[0], b[1], b[2], b[3]];
        Some(match accessor["componentType"].as_u64()? {
            5126 => bytes.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(four(b)))).collect(),
            5125 => bytes.chunks_exact(4).map(|b| f64::from(u32::from_le_bytes(four(b)))).collect(),
            _ => return None,
        })
    }

    fn vectors(&self, accessor: &Value) -> Option<Vec<Vec3>> {
        let numbers = self.numbers(accessor)?;
        Some(numbers.chunks_exact(3).map(|p| Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32)).collect())
    }

    fn clip(&self, frames: usize, fps: f64, motions: &[NodeMotion]) -> io::Result<MemoryClip> {
        let nodes = list(&self.root["nodes"]);
        let parts = (0..nodes.len()).filter(|&node| nodes[node].get("mesh").is_some());
        let parts = parts.map(|node| self.part(node, frames, &motions[node]));
        let parts: Option<Vec<Part>> = parts.collect();
        let Some(parts) = parts.filter(|parts| !parts.is_empty()) else {
            return wrong("its meshes are not as Muslin writes them");
        };
        let origin = self.parent_of(0).map_or(DVec3::ZERO, |parent| self.place(parent).translation);
        let mut clip =
            MemoryClip::new(parts.iter().map(|part| part.mesh.clone()).collect(), fps).with_origin(origin);
        for frame in 0..frames {
            let positions = parts.iter().filter(|part| part.mesh.rigid.is_none());
            let positions = positions.map(|part| part.positions[frame].clone()).collect();
            let poses = parts.iter().filter(|part| part.mesh.rigid.is_some());
            let poses = poses.map(|part| part.poses[frame]).collect();
            let pushed = clip.push_frame_with_poses(positions, poses);
            pushed.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
        }
        Ok(clip)
    }

    fn part(&self, number: usize, frames: usize, motion: &NodeMotion) -> Option<Part> {
        let node = &list(&self.root["nodes"])[number];
        let mesh = list(&self.root["meshes"]).get(index(&node["mesh"])?)?;
        let primitive = list(&mesh["primitives"]).first()?;
        let base = self.vectors(&primitive["attributes"]["POSITION"])?;
        let corners = self.numbers(&primitive["indices"])?;
        let triangles: Vec<[u32; 3]> =
            corners.chunks_exact(3).map(|t| [t[0] as u32, t[1] as u32, t[2] as u32]).collect();
        if triangles.iter().flatten().any(|&v| v as usize >= base.len()) {
            return None;
        }
        let uvs = self.numbers(&primitive["attributes"]["TEXCOORD_0"]).map(|numbers| {
            let uv = |v: u32| {
                let at = 2 * v as usize;
                Vec2::new(
                    numbers.get(at).map_or(0.0, |u| *u as f32),
                    1.0 - numbers.get(at + 1).map_or(0.0, |v| *v as f32),
                )
            };
            triangles.iter().map(|corners| corners.map(uv)).collect::<Vec<_>>()
        });
        let name = node["name"].as_str().unwrap_or("mesh").to_owned();
        let place = self.place(number);
        if motion.translations.is_some() || motion.rotations.is_some() {
            let parent = self.parent_of(number).map_or(DAffine3::IDENTITY, |parent| self.place(parent));
            let poses = (0..frames).map(|frame| pose(motion, frame, parent, node)).collect();
            let mesh = ClipMesh { name, triangles, uvs, rigid: Some(base) };
            return Some(Part { mesh, positions: Vec::new(), poses });
        }
        // From the origin, which is that of the parent.
        let place = DAffine3 { translation: DVec3::ZERO, ..place };
        let targets: Vec<Vec<Vec3>> = list(&primitive["targets"])
            .iter()
            .map(|target| self.vectors(&target["POSITION"]))
            .collect::<Option<_>>()?;
        let positions = (0..frames).map(|frame| {
            let mut positions = base.clone();
            for (k, target) in targets.iter().enumerate() {
                let weight =
                    motion.weights.as_ref().and_then(|weights| weights.get(frame * targets.len() + k));
                let weight = weight.map_or(0.0, |weight| *weight as f32);
                if weight != 0.0 && target.len() == positions.len() {
                    positions.iter_mut().zip(target).for_each(|(p, by)| *p += weight * *by);
                }
            }
            positions.iter_mut().for_each(|p| *p = place.transform_point3(p.as_dvec3()).as_vec3());
            positions
        });
        let positions = positions.collect();
        Some(Part { mesh: ClipMesh { name, triangles, uvs, rigid: None }, positions, poses: Vec::new() })
    }

    fn parent_of(&self, node: usize) -> Option<usize> {
        let is_parent =
            |other: &Value| list(&other["children"]).iter().any(|child| index(child) == Some(node));
        list(&self.root["nodes"]).iter().position(is_parent)
    }

    /// Where a node is, without any animation.
    fn place(&self, node: usize) -> DAffine3 {
        let nodes = list(&self.root["nodes"]);
        let (mut place, mut at) = (DAffine3::IDENTITY, Some(node));
        // A file could have nodes in a circle.
        for _ in 0..nodes.len() {
            let Some(node) = at else { break };
            place = own_place(&nodes[node]) * place;
            at = self.parent_of(node);
        }
        place
    }
}

fn own_place(node: &Value) -> DAffine3 {
    let numbers = |value: &Value| list(value).iter().filter_map(Value::as_f64).collect::<Vec<f64>>();
    let rotation = match numbers(&node["rotation"])[..] {
        [x, y, z, w] => DQuat::from_xyzw(x, y, z, w).normalize(),
        _ => DQuat::IDENTITY,
    };
    let translation = match numbers(&node["translation"])[..] {
        [x, y, z] => DVec3::new(x, y, z),
        _ => DVec3::ZERO,
    };
    DAffine3::from_rotation_translation(rotation, translation)
}

/// Where a node that moves is in a frame.
fn pose(motion: &NodeMotion, frame: usize, parent: DAffine3, node: &Value) -> ClipPose {
    let rest = own_place(node).to_scale_rotation_translation();
    let four =
        |r: &Vec<f64>| r.get(4 * frame..4 * frame + 4).map(|r| DQuat::from_xyzw(r[0], r[1], r[2], r[3]));
    let three = |t: &Vec<f64>| t.get(3 * frame..3 * frame + 3).map(|t| DVec3::new(t[0], t[1], t[2]));
    let rotation = motion.rotations.as_ref().and_then(four).unwrap_or(rest.1).normalize();
    let translation = motion.translations.as_ref().and_then(three).unwrap_or(rest.2);
    let (_, turn, _) = parent.to_scale_rotation_translation();
    ClipPose { rotation: turn * rotation, translation: parent.transform_point3(translation) }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}
