//! What passes through what, counted independently of the code that is to prevent it.

use glam::Vec3;
use serde::Serialize;

use super::World;
use crate::collision::intersections::{
    beyond_plane, inside_closed_mesh, intersections_between, self_intersections, within_capsule,
    within_sphere,
};
use crate::collision::{Collider, Shape};
use crate::mesh::Topology;

/// How much passes through each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IntersectionReport {
    /// Pairs of triangles of the same cloth.
    pub self_intersections: usize,
    /// Pairs of triangles of different cloths.
    pub between_cloths: usize,
    /// Of cloth and colliders: pairs of triangles with a mesh and particles inside of it if it is closed,
    /// triangles within balls and capsules, particles below planes.
    pub collider_penetrations: usize,
}

impl IntersectionReport {
    /// Whether nothing passes through anything.
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }
}

impl World {
    /// Counts intersections by exact predicates. Takes longer than a step: for checks, not for each step.
    pub fn intersections(&self) -> IntersectionReport {
        let mut report = IntersectionReport::default();
        let positions: Vec<Vec<Vec3>> = self.cloths.iter().map(|(_, cloth)| cloth.positions()).collect();
        let triangles = |i: usize| self.cloths[i].1.cloth().triangles();
        for i in 0..self.cloths.len() {
            report.self_intersections += self_intersections(&positions[i], triangles(i)).len();
            for j in 0..i {
                report.between_cloths +=
                    intersections_between(&positions[i], triangles(i), &positions[j], triangles(j)).len();
            }
            let time = self.cloths[i].1.time();
            for collider in self.colliders() {
                report.collider_penetrations += penetrations(collider, time, &positions[i], triangles(i));
            }
        }
        report
    }
}

/// How much of a cloth is in a collider at a time.
fn penetrations(collider: &Collider, time: f64, positions: &[Vec3], triangles: &[[u32; 3]]) -> usize {
    let points = collider.positions(time);
    match &collider.shape {
        Shape::Plane { normal, .. } => {
            let normal = (collider.motion.pose(time).rotation * normal.as_dvec3()).as_vec3();
            beyond_plane(positions, points[0], normal).len()
        }
        Shape::Sphere { radius, .. } => within_sphere(positions, triangles, points[0], *radius).len(),
        Shape::Capsule { radius, .. } => {
            let (from, to) = (points[0], points[points.len() - 1]);
            within_capsule(positions, triangles, from, to, *radius).len()
        }
        Shape::Mesh(mesh) => {
            let crossing = intersections_between(positions, triangles, &points, &mesh.triangles).len();
            let topology = Topology::new(points.len(), &mesh.triangles);
            let closed = (0..topology.edges.len()).all(|e| topology.edge_triangles.row(e).len() == 2);
            let inside =
                if closed { inside_closed_mesh(positions, &points, &mesh.triangles).len() } else { 0 };
            crossing + inside
        }
    }
}
