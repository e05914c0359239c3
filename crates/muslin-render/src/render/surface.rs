//! All meshes of a scene as one list of triangles, checked and with normals.

use glam::{Vec2, Vec3};

use super::refine::refine;
use crate::camera::drawable;
use crate::{Bounds, RenderError, RenderMesh, RenderScene};

const NONE: u32 = u32::MAX;

/// All drawable triangles of a scene.
#[derive(Default)]
pub(super) struct Surface {
    pub positions: Vec<Vec3>,
    /// Towards the front, unit length.
    pub normals: Vec<Vec3>,
    pub triangles: Vec<Triangle>,
    pub bounds: Bounds,
}

/// A triangle of a [`Surface`].
#[derive(Clone, Copy)]
pub(super) struct Triangle {
    pub vertices: [u32; 3],
    /// Which mesh of the scene it is from.
    pub mesh: u32,
    /// Pattern coordinates of its corners; not finite without a pattern.
    pub coordinates: [Vec2; 3],
}

impl Surface {
    pub fn new(scene: &RenderScene) -> Result<Self, RenderError> {
        let mut surface = Self { bounds: scene.bounds(), ..Self::default() };
        let (_, radius) = surface.bounds.sphere();
        for (number, mesh) in scene.meshes.iter().enumerate() {
            check(number, mesh)?;
            let start = surface.triangles.len();
            surface.add(number as u32, mesh);
            refine(&mut surface, start, radius, mesh.crease_degrees >= 180.0);
        }
        Ok(surface)
    }

    /// Adds a mesh. A vertex becomes as many as it has groups of triangles that are smooth
    /// together.
    fn add(&mut self, number: u32, mesh: &RenderMesh) {
        let least_cosine =
            if mesh.crease_degrees >= 180.0 { -2.0 } else { mesh.crease_degrees.to_radians().cos() };
        // Per vertex of the mesh its first group, per group the next of the same vertex.
        let mut first = vec![NONE; mesh.positions.len()];
        let mut groups: Vec<Group> = Vec::new();
        let start = self.positions.len() as u32;
        for (t, corners) in mesh.triangles.iter().enumerate() {
            let points = corners.map(|v| mesh.positions[v as usize]);
            let weighted = (points[1] - points[0]).cross(points[2] - points[0]);
            let Some(normal) = weighted.try_normalize().filter(|_| points.iter().all(|&p| drawable(p)))
            else {
                continue;
            };
            let vertices = corners.map(|v| {
                let mut at = first[v as usize];
                while at != NONE && groups[at as usize].normal.dot(normal) < least_cosine {
                    at = groups[at as usize].next;
                }
                if at == NONE {
                    at = groups.len() as u32;
                    groups.push(Group { normal, next: first[v as usize] });
                    first[v as usize] = at;
                    self.positions.push(mesh.positions[v as usize]);
                    self.normals.push(Vec3::ZERO);
                }
                self.normals[(start + at) as usize] += weighted;
                start + at
            });
            let coordinates = mesh.pattern.as_ref().map_or([Vec2::NAN; 3], |p| p.coordinates[t]);
            self.triangles.push(Triangle { vertices, mesh: number, coordinates });
        }
        for (normal, group) in self.normals[start as usize..].iter_mut().zip(&groups) {
            *normal = normal.try_normalize().unwrap_or(group.normal);
        }
    }
}

/// Triangles around a vertex that are smooth together.
struct Group {
    /// Normal of its first triangle.
    normal: Vec3,
    next: u32,
}

fn check(number: usize, mesh: &RenderMesh) -> Result<(), RenderError> {
    let vertices = mesh.positions.len();
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
            return Err(RenderError::IndexOutOfRange { mesh: number, triangle, vertex, vertices });
        }
    }
    if let Some(pattern) = &mesh.pattern {
        let (coordinates, triangles) = (pattern.coordinates.len(), mesh.triangles.len());
        if coordinates != triangles {
            return Err(RenderError::PatternCount { mesh: number, coordinates, triangles });
        }
    }
    Ok(())
}
