//! Texture coordinates per vertex, for formats that know no other.

use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3};

use crate::clip::ClipMesh;

/// A mesh in which each vertex has one texture coordinate. The vertices come first in their own
/// order; copies at seams follow.
pub(super) struct SplitMesh {
    /// The vertex of the clip that each vertex copies.
    pub(super) source: Vec<u32>,
    /// Three vertices per triangle.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Texture coordinates per vertex; zero where no triangle gives one.
    pub(super) uvs: Option<Vec<Vec2>>,
}

impl SplitMesh {
    pub(super) fn new(mesh: &ClipMesh, vertices: usize) -> Self {
        let mut source: Vec<u32> = (0..vertices as u32).collect();
        let Some(corner_uvs) = &mesh.uvs else {
            return Self { source, triangles: mesh.triangles.clone(), uvs: None };
        };
        let mut uvs: Vec<Option<Vec2>> = vec![None; vertices];
        let mut copies: HashMap<(u32, [u32; 2]), u32> = HashMap::new();
        let mut triangles = mesh.triangles.clone();
        for (corner, &uv) in triangles.as_flattened_mut().iter_mut().zip(corner_uvs.as_flattened()) {
            let own = uvs[*corner as usize].get_or_insert(uv);
            if *own != uv {
                let vertex = *corner;
                *corner = *copies.entry((vertex, uv.to_array().map(f32::to_bits))).or_insert_with(|| {
                    source.push(vertex);
                    uvs.push(Some(uv));
                    source.len() as u32 - 1
                });
            }
        }
        let uvs = uvs.into_iter().map(Option::unwrap_or_default).collect();
        Self { source, triangles, uvs: Some(uvs) }
    }

    /// Texture coordinates per vertex, if no vertex had to be split to have one.
    pub(super) fn uvs_without_seams(self, vertices: usize) -> Option<Vec<Vec2>> {
        self.uvs.filter(|uvs| uvs.len() == vertices)
    }
}

/// Unit normals of the vertices, triangles weighted by their area. A vertex without any gets +y.
pub(super) fn normals(triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![DVec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| positions[v as usize].as_dvec3());
        let normal = (b - a).cross(c - a);
        corners.iter().for_each(|&v| sums[v as usize] += normal);
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(DVec3::Y).as_vec3()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seams_split_vertices_and_nothing_else_does() {
        let (a, b, c, d) = (Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE);
        let mut mesh = ClipMesh { triangles: vec![[0, 1, 2], [2, 1, 3]], ..ClipMesh::default() };
        mesh.uvs = Some(vec![[a, b, c], [c, b, d]]);
        assert_eq!(SplitMesh::new(&mesh, 5).uvs_without_seams(5), Some(vec![a, b, c, d, Vec2::ZERO]));
        mesh.uvs = Some(vec![[a, b, c], [d, b, d]]);
        let split = SplitMesh::new(&mesh, 4);
        assert_eq!(split.source, [0, 1, 2, 3, 2]);
        assert_eq!(split.triangles, [[0, 1, 2], [4, 1, 3]]);
        assert_eq!(split.uvs.as_deref(), Some(&[a, b, c, d, d][..]));
        assert_eq!(split.uvs_without_seams(4), None);
    }

    #[test]
    fn normals_have_length_one_whatever_the_mesh() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
        assert_eq!(normals(&[[0, 1, 2]], &square), [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Y]);
        assert_eq!(normals(&[[0, 0, 1]], &square), [Vec3::Y; 4]);
    }
}
