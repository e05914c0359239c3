//! Colliders as meshes, for drawing and for output.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{Affine3A, DVec3, Vec3};

use super::{Collider, ColliderMotion, Shape};
use crate::mesh::{TriMesh, generate};
use crate::origin::split;

/// Edges around a capsule; a quarter as many from a pole to the equator.
const SEGMENTS: u32 = 64;

/// How often the triangles of a sphere are split: 80 edges around it.
const SUBDIVISIONS: usize = 4;

impl Collider {
    /// Its surface as triangles where it is at a time: round shapes finely divided, meshes as they are.
    /// `None` for a plane, which has no end, and for colliders that a world would refuse.
    pub fn surface_mesh(&self, time: f64) -> Option<TriMesh> {
        let (origin, _) = split(self.pose_from(DVec3::ZERO, time).translation);
        self.surface_mesh_from(origin, time)
    }

    /// The same, counted from an origin.
    pub fn surface_mesh_from(&self, origin: DVec3, time: f64) -> Option<TriMesh> {
        let mut mesh = match &self.shape {
            Shape::Plane { .. } => return None,
            Shape::Sphere { center, radius } => {
                let around_origin = generate::sphere(*radius, SUBDIVISIONS).ok()?;
                around_origin.transformed(Affine3A::from_translation(*center))
            }
            Shape::Capsule { from, to, radius } => capsule(from.as_dvec3(), to.as_dvec3(), (*radius).into()),
            Shape::Mesh(mesh) => mesh.clone(),
        };
        if let ColliderMotion::Sequence { frames, .. } = &self.motion
            && (frames.is_empty() || frames.iter().any(|frame| frame.len() != mesh.positions.len()))
        {
            return None;
        }
        let rest: Vec<Vec3> = std::mem::take(&mut mesh.positions);
        mesh.positions = self.points_at(&rest, origin, time).collect();
        mesh.origin = origin;
        Some(mesh)
    }
}

/// All points at a distance from a line: rings from the pole beyond `from` to that beyond `to`.
fn capsule(from: DVec3, to: DVec3, radius: f64) -> TriMesh {
    let axis = (to - from).try_normalize().unwrap_or(DVec3::Y);
    let (u, v) = axis.any_orthonormal_pair();
    let per_half = SEGMENTS / 4;
    let mut mesh = TriMesh::default();
    // Latitudes between the pole and the equator, which both half spheres have.
    let latitudes = (1..=per_half).map(|i| FRAC_PI_2 * (f64::from(i) / f64::from(per_half) - 1.0));
    let lower: Vec<(DVec3, f64)> = latitudes.map(|latitude| (from, latitude)).collect();
    let upper: Vec<(DVec3, f64)> = lower.iter().rev().map(|(_, latitude)| (to, -latitude)).collect();
    mesh.positions.push((from - axis * radius).as_vec3());
    for (center, latitude) in lower.iter().chain(&upper) {
        let (height, width) = latitude.sin_cos();
        mesh.positions.extend((0..SEGMENTS).map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(SEGMENTS)).sin_cos();
            (*center + (axis * height + (u * cos + v * sin) * width) * radius).as_vec3()
        }));
    }
    mesh.positions.push((to + axis * radius).as_vec3());
    let last = mesh.positions.len() as u32 - 1;
    let rings = 2 * per_half;
    let vertex = |ring: u32, k: u32| 1 + ring * SEGMENTS + k % SEGMENTS;
    for k in 0..SEGMENTS {
        mesh.triangles.push([0, vertex(0, k + 1), vertex(0, k)]);
        for ring in 0..rings - 1 {
            let [a, b] = [vertex(ring, k), vertex(ring, k + 1)];
            let [c, d] = [vertex(ring + 1, k + 1), vertex(ring + 1, k)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
        mesh.triangles.push([vertex(rings - 1, k), vertex(rings - 1, k + 1), last]);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::super::Pose;
    use super::*;

    /// The volume within a closed mesh whose triangles face outwards.
    fn volume(mesh: &TriMesh) -> f64 {
        let part = |t: usize| {
            let [a, b, c] = mesh.corners(t);
            a.dot(b.cross(c)) / 6.0
        };
        (0..mesh.triangles.len()).map(part).sum()
    }

    #[test]
    fn round_shapes_are_closed_and_smooth() {
        let (from, to) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.5, 1.0, -0.2));
        let capsule = Collider::new("c", Shape::Capsule { from, to, radius: 0.3 });
        let ball = Collider::new("b", Shape::Sphere { center: from, radius: 0.3 });
        let of_ball = 4.0 / 3.0 * std::f64::consts::PI * 0.027;
        let of_tube = std::f64::consts::PI * 0.09 * f64::from(from.distance(to));
        for (collider, expected) in [(capsule, of_ball + of_tube), (ball, of_ball)] {
            let mesh = collider.surface_mesh(0.0).unwrap();
            mesh.check().unwrap();
            assert!((volume(&mesh) / expected - 1.0).abs() < 0.01, "{} not {expected}", volume(&mesh));
            for p in &mesh.positions {
                let along = (*p - from).dot(to - from) / from.distance_squared(to);
                let on_line = if collider.name == "b" { from } else { from.lerp(to, along.clamp(0.0, 1.0)) };
                assert!((p.distance(on_line) - 0.3).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn meshes_are_where_their_motion_puts_them() {
        let plane = Collider::new("p", Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y });
        assert_eq!(plane.surface_mesh(0.0), None);
        let mut cuboid = Collider::new("c", Shape::cuboid(Vec3::X, Vec3::splat(0.2)));
        let rest = cuboid.surface_mesh(0.0).unwrap();
        assert!((volume(&rest) - 0.008).abs() < 1e-6);
        let quarter = DQuat::from_rotation_z(FRAC_PI_2);
        let turned = Pose { time: 1.0, rotation: quarter, translation: DVec3::Z };
        cuboid.motion = ColliderMotion::Poses(vec![Pose::IDENTITY, turned]);
        let moved = cuboid.surface_mesh(5.0).unwrap();
        for (a, b) in rest.positions.iter().zip(&moved.positions) {
            assert!(b.distance(Vec3::new(-a.y, a.x, a.z + 1.0)) < 1e-6);
        }
        let up: Vec<Vec3> = rest.positions.iter().map(|p| *p + Vec3::Y).collect();
        cuboid.motion = ColliderMotion::Sequence {
            frames: vec![rest.positions.clone(), up].into(),
            fps: 2.0,
            start: 0.0,
        };
        let half = cuboid.surface_mesh(0.25).unwrap();
        assert!((half.positions[0] - rest.positions[0]).distance(Vec3::Y * 0.5) < 1e-6);
        cuboid.motion = ColliderMotion::Sequence { frames: vec![].into(), fps: 2.0, start: 0.0 };
        assert_eq!(cuboid.surface_mesh(0.0), None);
    }
}
