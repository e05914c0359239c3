//! From a collider of a scene to one that cloth can collide with.

use std::path::{Path, PathBuf};

use glam::{Affine3A, Vec3};
use muslin::collision::{self, ColliderMotion, Shape};
use muslin::mesh::TriMesh;

use super::build::placement;
use super::mesh::MeshProblem;
use super::{Collider, ColliderShape, UpAxis};
use crate::read_mesh_within;

/// Why a collider cannot be built.
pub(super) struct ColliderProblem {
    /// The key to blame, as a path within the collider's table.
    pub path: String,
    pub message: String,
}

impl Collider {
    /// The collider where it starts, with its motion. `fps` is that of the scene; what is read is
    /// taken off `bytes_left`.
    pub(super) fn build(
        &self,
        up: UpAxis,
        fps: f64,
        bytes_left: &mut u64,
    ) -> Result<collision::Collider, ColliderProblem> {
        let place = self.transform.affine();
        let scale = self.transform.uniform_scale().unwrap_or(1.0);
        let (shape, motion) = match &self.shape {
            ColliderShape::Plane { point, normal } => {
                // Without the scale, which would tilt it.
                let turn = self.transform.rotate.quaternion();
                let normal = (turn * normal.as_dvec3()).normalize().as_vec3();
                let point = (turn * point.as_dvec3()).as_vec3() + self.transform.translate;
                (Shape::Plane { point, normal }, self.motion_about(point))
            }
            ColliderShape::Sphere { center, radius } => {
                let center = place.transform_point3(*center);
                (Shape::Sphere { center, radius: radius * scale }, self.motion_about(center))
            }
            ColliderShape::Capsule { from, to, radius } => {
                let [from, to] = [from, to].map(|p| place.transform_point3(*p));
                let motion = self.motion_about(0.5 * (from + to));
                (Shape::Capsule { from, to, radius: radius * scale }, motion)
            }
            ColliderShape::Box { center, size } => {
                let shape = match Shape::cuboid(*center, *size) {
                    Shape::Mesh(mesh) => Shape::Mesh(mesh.transformed(place)),
                    shape => shape,
                };
                (shape, self.motion_about(place.transform_point3(*center)))
            }
            ColliderShape::Mesh(description) => {
                let mesh = description.load(bytes_left).map_err(|MeshProblem { path, message }| {
                    ColliderProblem { path: format!("mesh.{path}"), message }
                })?;
                let place = placement(&description.source, &self.transform, up);
                let middle = mesh.bounds().map_or(Vec3::ZERO, |(low, high)| 0.5 * (low + high));
                (Shape::Mesh(mesh.transformed(place)), self.motion_about(place.transform_point3(middle)))
            }
            ColliderShape::Sequence(files, own_fps) => {
                let (mesh, frames) = read_frames(files, place, bytes_left)
                    .map_err(|message| ColliderProblem { path: "sequence.files".into(), message })?;
                (Shape::Mesh(mesh), ColliderMotion::Sequence { frames, fps: own_fps.unwrap_or(fps) })
            }
        };
        Ok(collision::Collider { name: self.name.clone(), shape, motion, surface: self.surface })
    }

    /// The keyframes of a shape with this middle.
    fn motion_about(&self, middle: Vec3) -> ColliderMotion {
        self.motion.as_ref().map_or(ColliderMotion::Fixed, |motion| {
            ColliderMotion::Poses(motion.poses(middle).iter().map(|pose| pose.of_collider()).collect())
        })
    }
}

/// The mesh of the first file, and for each file where its vertices are.
fn read_frames(
    files: &[PathBuf],
    place: Affine3A,
    bytes_left: &mut u64,
) -> Result<(TriMesh, Vec<Vec<Vec3>>), String> {
    let mut read = |path: &Path| read_mesh_within(path, bytes_left).map_err(|error| error.to_string());
    let [first, others @ ..] = files else { return Err("there are no files".into()) };
    let given = read(first)?;
    let mut frames = vec![given.transformed(place).positions];
    for path in others {
        let mesh = read(path)?;
        if mesh.positions.len() != given.positions.len() || mesh.triangles != given.triangles {
            let counts = |mesh: &TriMesh| {
                format!("{} vertices and {} triangles", mesh.positions.len(), mesh.triangles.len())
            };
            return Err(format!(
                "{} does not have the triangles of the first file, {}: it has {}, the first {}",
                path.display(),
                first.display(),
                counts(&mesh),
                counts(&given)
            ));
        }
        frames.push(mesh.transformed(place).positions);
    }
    Ok((given.transformed(place), frames))
}
