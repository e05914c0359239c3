//! Shapes of bodies as rapier wants them.
//!
//! Input: points from the centre of mass, and triangles. Output: a ball, a box, a convex hull, or a mesh divided into
//! convex parts: rapier cannot keep hollow meshes off each other.

use glam::{DVec3, Vec3};
use rapier3d_f64::prelude::SharedShape;

use super::hull::hull;
use crate::mesh::TriMesh;
use crate::rigid::description::RigidShape;
use crate::rigid::mass::solid;

/// The shape of a body around its centre of mass.
#[derive(Clone)]
pub(in crate::rigid) struct BodyShape(pub SharedShape);

impl std::fmt::Debug for BodyShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0.shape_type())
    }
}

impl BodyShape {
    /// Made of points from the centre of mass, and triangles of these.
    pub fn new(shape: &RigidShape, points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, String> {
        let convex = |triangles: &[[u32; 3]]| {
            let (points, triangles) = without_unused(points, triangles);
            SharedShape::convex_mesh(points, &triangles).ok_or("its convex hull has no volume".to_owned())
        };
        Ok(Self(match shape {
            RigidShape::Sphere { radius } => SharedShape::ball((*radius).into()),
            RigidShape::Box { size } => {
                let half = size.as_dvec3() * 0.5;
                SharedShape::cuboid(half.x, half.y, half.z)
            }
            // Its surface is its hull.
            RigidShape::Convex(_) => convex(triangles)?,
            RigidShape::Mesh(_) => match is_convex(points, triangles) {
                true => convex(&hull(points)?)?,
                false => SharedShape::convex_decomposition(points, triangles),
            },
        }))
    }
}

/// Whether no point is beyond the plane of any triangle.
fn is_convex(points: &[DVec3], triangles: &[[u32; 3]]) -> bool {
    let size = points.iter().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
    triangles.iter().all(|triangle| {
        let [a, b, c] = triangle.map(|v| points[v as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        points.iter().all(|p| normal.dot(*p - a) <= 1e-6 * size)
    })
}

/// The convex hull of points, facing outwards.
pub(in crate::rigid) fn convex_hull(points: &[Vec3]) -> Result<TriMesh, String> {
    let points: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
    let refused = |problem: &dyn std::fmt::Display| format!("its points have no convex hull: {problem}");
    if points.len() < 4 {
        return Err(refused(&format!("there are {} and not at least 4", points.len())));
    }
    let triangles = hull(&points).map_err(|problem| refused(&problem))?;
    let (vertices, triangles) = without_unused(&points, &triangles);
    solid(&TriMesh::new(vertices.iter().map(|p| p.as_vec3()).collect(), triangles))
        .map_err(|problem| refused(&problem))
}

/// The points that triangles name, in their order, and the triangles over them.
fn without_unused(points: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut used = vec![false; points.len()];
    triangles.as_flattened().iter().for_each(|&p| used[p as usize] = true);
    let mut number = 0;
    let numbers: Vec<u32> = used
        .iter()
        .map(|&used| {
            number += u32::from(used);
            number.wrapping_sub(1)
        })
        .collect();
    let kept = points.iter().zip(&used).filter(|(_, used)| **used).map(|(p, _)| *p).collect();
    (kept, triangles.iter().map(|triangle| triangle.map(|p| numbers[p as usize])).collect())
}
