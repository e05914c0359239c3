//! Texture coordinates per vertex, as renderers want them, from those per corner, as meshes have them.
//!
//! Input: triangles and the texture coordinates of their corners. Output: vertices each of which has one pair of coordinates; a
//! particle on a seam of the texture becomes several. Positions and normals are spread to them by [`VertexUvs::spread`].

use std::collections::HashMap;

use glam::Vec2;

use crate::Error;

/// A mesh with texture coordinates per vertex.
///
/// ```
/// use muslin::mesh::VertexUvs;
/// use muslin::glam::Vec2;
///
/// // Two triangles that share an edge but not their texture.
/// let uvs = [[Vec2::ZERO, Vec2::X, Vec2::Y], [Vec2::X, Vec2::ONE, Vec2::new(0.5, 1.0)]];
/// let drawn = VertexUvs::new(&[[0, 1, 2], [1, 3, 2]], &uvs);
/// assert_eq!(drawn.particles, [0, 1, 2, 3, 2]);
/// assert_eq!(drawn.triangles, [[0, 1, 2], [1, 3, 4]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct VertexUvs {
    /// For each vertex which particle it is.
    pub particles: Vec<u32>,
    /// For each vertex its texture coordinates.
    pub uvs: Vec<[f32; 2]>,
    /// Corners by vertices, in the order of the mesh's triangles.
    pub triangles: Vec<[u32; 3]>,
}

impl VertexUvs {
    /// From triangles and the coordinates of their corners; of triangles without any, zero.
    pub fn new(triangles: &[[u32; 3]], uvs: &[[Vec2; 3]]) -> Self {
        let mut drawn = Self::default();
        let mut known: HashMap<(u32, [u32; 2]), u32> = HashMap::new();
        for (t, corners) in triangles.iter().enumerate() {
            let own = uvs.get(t).copied().unwrap_or_default();
            drawn.triangles.push([0, 1, 2].map(|k| {
                let (particle, uv) = (corners[k], own[k].to_array());
                *known.entry((particle, uv.map(f32::to_bits))).or_insert_with(|| {
                    drawn.particles.push(particle);
                    drawn.uvs.push(uv);
                    drawn.particles.len() as u32 - 1
                })
            }));
        }
        drawn
    }

    /// Gives each vertex what its particle has: positions, normals. Without memory of its own.
    pub fn spread<T: Copy>(&self, of_particles: &[T], of_vertices: &mut [T]) -> Result<(), Error> {
        let wrong = |problem: String| Err(Error::State { what: "what vertices are to have", problem });
        if of_vertices.len() != self.particles.len() {
            return wrong(format!("{} places for {} vertices", of_vertices.len(), self.particles.len()));
        }
        if let Some(particle) = self.particles.iter().find(|p| **p as usize >= of_particles.len()) {
            return wrong(format!("there is nothing for particle {particle}, only {}", of_particles.len()));
        }
        for (to, &particle) in of_vertices.iter_mut().zip(&self.particles) {
            *to = of_particles[particle as usize];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn a_texture_without_seams_leaves_vertices_as_they_are() {
        let mesh = generate::grid(3, 4, 1.0, 1.0).unwrap();
        let uvs: Vec<[Vec2; 3]> =
            mesh.triangles.iter().map(|t| t.map(|v| mesh.positions[v as usize].truncate())).collect();
        let drawn = VertexUvs::new(&mesh.triangles, &uvs);
        assert_eq!(drawn.particles.len(), mesh.positions.len());
        for (own, corners) in drawn.triangles.iter().zip(&mesh.triangles) {
            assert_eq!(own.map(|v| drawn.particles[v as usize]), *corners);
        }
        let values: Vec<u32> = (100..100 + mesh.positions.len() as u32).collect();
        let mut spread = vec![0; drawn.particles.len()];
        drawn.spread(&values, &mut spread).unwrap();
        assert!(spread.iter().zip(&drawn.particles).all(|(value, particle)| *value == 100 + particle));
        assert!(drawn.spread(&values[1..], &mut spread).is_err());
        assert!(drawn.spread(&values, &mut spread[1..]).is_err());
    }
}
