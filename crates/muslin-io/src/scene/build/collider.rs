//! From a collider of a scene to one that cloth can collide with.

use std::path::{Path, PathBuf};

use glam::{Affine3A, DVec3, Vec3};
use muslin::collision::{self, ColliderMotion, Shape};
use muslin::mesh::TriMesh;
use muslin::origin::split;

use super::upright;
use crate::files::Reading;
use crate::scene::mesh::MeshProblem;
use crate::scene::{Collider, ColliderShape, Transform, UpAxis};

/// Why a collider cannot be built.
pub(in crate::scene) struct ColliderProblem {
    /// The key to blame, as a path within the collider's table.
    pub path: String,
    pub message: String,
}

impl Collider {
    /// The collider where it starts, with its motion. `fps` is that of the scene; what is read is
    /// taken off what may be.
    pub(in crate::scene) fn build(
        &self,
        up: UpAxis,
        fps: f64,
        reading: &mut Reading,
    ) -> Result<collision::Collider, ColliderProblem> {
        let scale = self.transform.uniform_scale().unwrap_or(1.0);
        let (origin, shape, middle) = match &self.shape {
            ColliderShape::Plane { point, normal } => {
                // Without the scale, which would tilt it.
                let turn = self.transform.rotate.quaternion();
                let normal = (turn * normal.as_dvec3()).normalize().as_vec3();
                let (origin, place) = split(turn * *point + self.transform.translate);
                (origin, Shape::Plane { point: place.as_vec3(), normal }, origin + place)
            }
            ColliderShape::Sphere { center, radius } => {
                let (origin, [center]) = self.transform.points([*center]);
                let middle = origin + center.as_dvec3();
                (origin, Shape::Sphere { center, radius: radius * scale }, middle)
            }
            ColliderShape::Capsule { from, to, radius } => {
                let (origin, [from, to]) = self.transform.points([*from, *to]);
                let middle = origin + (0.5 * (from + to)).as_dvec3();
                (origin, Shape::Capsule { from, to, radius: radius * scale }, middle)
            }
            ColliderShape::Box { center, size } => {
                let (far, near) = split(*center);
                let mesh = match Shape::cuboid(near.as_vec3(), *size) {
                    Shape::Mesh(mesh) => mesh.moved(far),
                    _ => TriMesh::default(),
                };
                let (origin, [center]) = self.transform.points([*center]);
                let mesh = self.transform.place(mesh, Affine3A::IDENTITY);
                (mesh.origin, at_zero(mesh), origin + center.as_dvec3())
            }
            ColliderShape::Mesh(description) => {
                let mesh = description.load(reading).map_err(|MeshProblem { path, message }| {
                    ColliderProblem { path: format!("mesh.{path}"), message }
                })?;
                let upright = upright(&description.source, up);
                let middle = mesh.bounds().map_or(Vec3::ZERO, |(low, high)| 0.5 * (low + high));
                let middle = TriMesh { origin: mesh.origin, ..TriMesh::new(vec![middle], Vec::new()) };
                let [mesh, middle] = [mesh, middle].map(|mesh| self.transform.place(mesh, upright));
                (mesh.origin, at_zero(mesh), middle.place(0))
            }
            ColliderShape::Sequence(files, own_fps) => {
                let (mesh, frames) = read_frames(files, &self.transform, reading)
                    .map_err(|message| ColliderProblem { path: "sequence.files".into(), message })?;
                let motion = ColliderMotion::Sequence {
                    frames: frames.into(),
                    fps: own_fps.unwrap_or(fps),
                    start: 0.0,
                };
                return Ok(collision::Collider { motion, ..self.at_rest(mesh.origin, at_zero(mesh)) });
            }
        };
        let mut collider = self.at_rest(origin, shape);
        if let Some(motion) = &self.motion {
            let poses = motion.poses(middle);
            collider.motion =
                ColliderMotion::Poses(poses.iter().map(|pose| pose.of_collider(origin)).collect());
        }
        Ok(collider)
    }

    fn at_rest(&self, origin: DVec3, shape: Shape) -> collision::Collider {
        collision::Collider { origin, surface: self.surface, ..collision::Collider::new(&self.name, shape) }
    }
}

/// The shape of a mesh whose origin has become that of the collider.
fn at_zero(mesh: TriMesh) -> Shape {
    Shape::Mesh(TriMesh { origin: DVec3::ZERO, ..mesh })
}

/// The mesh of the first file, and for each file where its vertices are.
fn read_frames(
    files: &[PathBuf],
    transform: &Transform,
    reading: &mut Reading,
) -> Result<(TriMesh, Vec<Vec<Vec3>>), String> {
    let mut read = |path: &Path| reading.mesh(path).map_err(|error| error.to_string());
    let [first, others @ ..] = files else { return Err("there are no files".into()) };
    let given = read(first)?;
    let placed = transform.place(given.clone(), Affine3A::IDENTITY);
    let mut frames = vec![placed.positions.clone()];
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
        let mesh = transform.place(mesh, Affine3A::IDENTITY);
        // A sequence that leads far away is counted from its start.
        let by = (mesh.origin - placed.origin).as_vec3();
        frames.push(mesh.positions.iter().map(|p| p + by).collect());
    }
    Ok((placed, frames))
}
