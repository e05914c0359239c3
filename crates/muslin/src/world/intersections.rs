//! What passes through what, counted independently of the code that is to prevent it.

use std::fmt;

use glam::{DVec3, Vec3};

use super::World;
use crate::Simulation;
use crate::collision::intersections::{
    beyond_plane, inside_closed_mesh, intersections_between, self_intersections, within_capsule,
    within_sphere,
};
use crate::collision::{Collider, Shape};
use crate::mesh::Topology;

/// Two things that pass through each other, in the user's numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Intersection {
    /// The names of a cloth and of a cloth, a collider or a rigid body.
    pub bodies: [String; 2],
    /// What of them.
    pub elements: Elements,
}

/// What passes through what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Elements {
    /// A triangle of each.
    Triangles(u32, u32),
    /// A triangle of the first is in the ball or capsule of the second.
    Triangle(u32),
    /// A vertex of the first is below the plane of the second, or within its closed mesh.
    Vertex(u32),
}

impl fmt::Display for Intersection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.bodies;
        match self.elements {
            Elements::Triangles(s, t) => write!(f, "triangle {s} of '{a}' and triangle {t} of '{b}'"),
            Elements::Triangle(t) => write!(f, "triangle {t} of '{a}' and '{b}'"),
            Elements::Vertex(v) => write!(f, "vertex {v} of '{a}' and '{b}'"),
        }
    }
}

/// How much passes through each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct IntersectionReport {
    /// Pairs of triangles of the same cloth.
    pub self_intersections: usize,
    /// Pairs of triangles of different cloths.
    pub between_cloths: usize,
    /// Between cloth and colliders or rigid bodies: pairs of triangles with a mesh and vertices inside of it if it is closed,
    /// triangles within balls and capsules, vertices below planes.
    pub collider_penetrations: usize,
}

impl IntersectionReport {
    /// Whether nothing passes through anything.
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }

    /// Counts intersections of cloths, with themselves and with each other, that are in no world.
    pub fn of_cloths(cloths: &[(&str, &Simulation)]) -> Self {
        let mut report = Self::default();
        let origin = cloths.first().map_or(DVec3::ZERO, |(_, cloth)| cloth.origin());
        for found in find(origin, cloths, std::iter::empty()) {
            let [a, b] = &found.bodies;
            *(if a == b { &mut report.self_intersections } else { &mut report.between_cloths }) += 1;
        }
        report
    }
}

impl World {
    /// Counts intersections by exact predicates. Takes longer than a step: for checks, not for each step.
    pub fn intersections(&self) -> IntersectionReport {
        let mut report = IntersectionReport::default();
        for found in self.find_intersections() {
            let [a, b] = &found.bodies;
            match self.cloths.iter().any(|(name, _)| name == b) {
                true if a == b => report.self_intersections += 1,
                true => report.between_cloths += 1,
                false => report.collider_penetrations += 1,
            }
        }
        report
    }

    /// All that passes through each other.
    pub fn find_intersections(&self) -> Vec<Intersection> {
        let cloths: Vec<(&str, &Simulation)> =
            self.cloths.iter().map(|(name, cloth)| (name.as_str(), cloth)).collect();
        let bodies: Vec<Collider> = self.rigid.bodies.iter().map(|body| body.as_collider(true)).collect();
        find(self.origin(), &cloths, self.colliders().iter().chain(&bodies))
    }
}

/// All that passes through each other among cloths, and cloths and colliders, looked at from an origin.
pub(super) fn find<'a>(
    origin: DVec3,
    cloths: &[(&str, &Simulation)],
    colliders: impl Iterator<Item = &'a Collider>,
) -> Vec<Intersection> {
    let positions: Vec<Vec<Vec3>> = cloths.iter().map(|(_, cloth)| cloth.positions_from(origin)).collect();
    let triangles = |i: usize| cloths[i].1.cloth().triangles();
    let mut found = Vec::new();
    let mut add = |a: &str, b: &str, elements: Vec<Elements>| {
        let bodies = || [a.to_owned(), b.to_owned()];
        found.extend(elements.into_iter().map(|elements| Intersection { bodies: bodies(), elements }));
    };
    for i in 0..cloths.len() {
        add(cloths[i].0, cloths[i].0, pairs(self_intersections(&positions[i], triangles(i))));
        for j in 0..i {
            let between = intersections_between(&positions[j], triangles(j), &positions[i], triangles(i));
            add(cloths[j].0, cloths[i].0, pairs(between));
        }
    }
    for collider in colliders {
        for (i, (name, cloth)) in cloths.iter().enumerate() {
            let points = collider.positions_from(origin, cloth.time());
            let found = penetrations(collider, cloth.time(), &points, &positions[i], triangles(i));
            add(name, &collider.name, found);
        }
    }
    found
}

fn pairs(pairs: Vec<[u32; 2]>) -> Vec<Elements> {
    pairs.into_iter().map(|[a, b]| Elements::Triangles(a, b)).collect()
}

/// What of a cloth is in a collider at a time, when its points are there.
fn penetrations(
    collider: &Collider,
    time: f64,
    points: &[Vec3],
    positions: &[Vec3],
    triangles: &[[u32; 3]],
) -> Vec<Elements> {
    let all = |found: Vec<u32>, element: fn(u32) -> Elements| found.into_iter().map(element).collect();
    match &collider.shape {
        Shape::Plane { normal, .. } => {
            let normal = (collider.motion.pose(time).rotation * normal.as_dvec3()).as_vec3();
            all(beyond_plane(positions, points[0], normal), Elements::Vertex)
        }
        Shape::Sphere { radius, .. } => {
            all(within_sphere(positions, triangles, points[0], *radius), Elements::Triangle)
        }
        Shape::Capsule { radius, .. } => {
            let (from, to) = (points[0], points[points.len() - 1]);
            all(within_capsule(positions, triangles, from, to, *radius), Elements::Triangle)
        }
        Shape::Mesh(mesh) => {
            let mut found = pairs(intersections_between(positions, triangles, points, &mesh.triangles));
            let topology = Topology::new(points.len(), &mesh.triangles);
            if topology.is_closed() {
                let inside = inside_closed_mesh(positions, points, &mesh.triangles);
                found.extend(inside.into_iter().map(Elements::Vertex));
            }
            found
        }
    }
}
