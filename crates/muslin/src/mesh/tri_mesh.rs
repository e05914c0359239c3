//! The mesh as users give it: positions, triangles, optional texture coordinates, named groups.

use std::collections::BTreeMap;

use glam::{Affine3A, DVec3, Vec2, Vec3};

use crate::origin::{of_places, split};

/// A triangle mesh in metres.
///
/// The fields are public because meshes come from anywhere; whoever consumes one calls
/// [`TriMesh::check`] first, which finds everything that would make an index or a number unusable.
/// Shape problems (doubled vertices, folded fans, …) are the business of
/// [`validate`](crate::mesh::validate).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriMesh {
    /// From where positions are counted, metres: see [`origin`](crate::origin). Zero for meshes near zero.
    pub origin: DVec3,
    /// Vertex positions in metres, from the origin.
    pub positions: Vec<Vec3>,
    /// Three vertex indices per triangle, counter-clockwise seen from the outside.
    pub triangles: Vec<[u32; 3]>,
    /// The quads that some of the triangles are halves of: four vertex indices each, in order around it. Only
    /// knowledge about the triangles, never a surface of its own; most meshes have none.
    pub quads: Vec<[u32; 4]>,
    /// Texture coordinates per triangle corner (not per vertex: a seam vertex has several).
    pub uvs: Option<Vec<[Vec2; 3]>>,
    /// Named sets of vertex indices, for pins and selections.
    pub groups: BTreeMap<String, Vec<u32>>,
}

/// Why a mesh cannot be used at all. Indices are the user's own.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There is nothing to simulate.
    #[error("the mesh has no triangles")]
    NoTriangles,
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// How many vertices the mesh has.
        vertices: usize,
    },
    /// A quad names a vertex that does not exist.
    #[error("quad {quad} names vertex {vertex}, but there are only {vertices} vertices")]
    QuadIndexOutOfRange {
        /// The quad.
        quad: usize,
        /// The index it names.
        vertex: u32,
        /// How many vertices the mesh has.
        vertices: usize,
    },
    /// A vertex position is NaN or infinite.
    #[error("vertex {vertex} has a position that is not finite: ({}, {}, {})", position.x, position.y, position.z)]
    NonFinitePosition {
        /// The vertex.
        vertex: usize,
        /// Its position.
        position: Vec3,
    },
    /// There is not one entry of texture coordinates per triangle.
    #[error("{uvs} entries of texture coordinates for {triangles} triangles")]
    UvCount {
        /// Entries given.
        uvs: usize,
        /// Triangles of the mesh.
        triangles: usize,
    },
    /// A group names a vertex that does not exist.
    #[error("group '{group}' names vertex {vertex}, but there are only {vertices} vertices")]
    GroupIndexOutOfRange {
        /// The group.
        group: String,
        /// The index it names.
        vertex: u32,
        /// How many vertices the mesh has.
        vertices: usize,
    },
    /// More elements than 32-bit indices can number.
    #[error("the mesh has {0} vertices; at most 2^31 are supported")]
    TooLarge(usize),
    /// A welding tolerance is negative or not finite.
    #[error("the welding tolerance is {0} m; it must be a finite number that is not negative")]
    InvalidTolerance(f32),
}

impl TriMesh {
    /// A mesh of positions and triangles, without texture coordinates or groups.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { positions, triangles, ..Self::default() }
    }

    /// Finds the first thing that makes the mesh unusable: no triangles, an index out of range, a
    /// position that is not finite, texture coordinates of the wrong count.
    pub fn check(&self) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        if vertices > 1 << 31 {
            return Err(MeshError::TooLarge(vertices));
        }
        if self.triangles.is_empty() {
            return Err(MeshError::NoTriangles);
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(MeshError::IndexOutOfRange { triangle, vertex, vertices });
            }
        }
        for (quad, corners) in self.quads.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(MeshError::QuadIndexOutOfRange { quad, vertex, vertices });
            }
        }
        if let Some(vertex) = self.positions.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::NonFinitePosition { vertex, position: self.positions[vertex] });
        }
        if let Some(uvs) = &self.uvs
            && uvs.len() != self.triangles.len()
        {
            return Err(MeshError::UvCount { uvs: uvs.len(), triangles: self.triangles.len() });
        }
        for (group, members) in &self.groups {
            if let Some(&vertex) = members.iter().find(|&&v| v as usize >= vertices) {
                return Err(MeshError::GroupIndexOutOfRange { group: group.clone(), vertex, vertices });
            }
        }
        Ok(())
    }

    /// A mesh of places in the world, counted from an origin nearby if they are far from zero.
    pub fn at_places(places: &[DVec3], triangles: Vec<[u32; 3]>) -> Self {
        let origin = of_places(places);
        Self {
            origin,
            ..Self::new(places.iter().map(|place| (*place - origin).as_vec3()).collect(), triangles)
        }
    }

    /// Where a vertex is in the world, metres.
    pub fn place(&self, vertex: u32) -> DVec3 {
        self.origin + self.positions[vertex as usize].as_dvec3()
    }

    /// The mesh moved in the world, in double precision.
    pub fn moved(mut self, by: DVec3) -> Self {
        let (origin, left) = split(self.origin + by);
        self.origin = origin;
        if left != DVec3::ZERO {
            self.positions.iter_mut().for_each(|p| *p += left.as_vec3());
        }
        self
    }

    /// The mesh moved, turned, scaled or sheared; texture coordinates and groups stay. A mirroring
    /// transform also turns the triangles round, so that the outside stays outside. An origin far away is transformed in
    /// double precision, but by these numbers, which are in single precision.
    pub fn transformed(&self, transform: Affine3A) -> Self {
        let mut mesh = self.clone();
        if mesh.origin != DVec3::ZERO {
            mesh.origin = DVec3::ZERO;
            let origin = transform.matrix3.as_dmat3() * self.origin;
            return mesh.transformed(transform).moved(origin);
        }
        mesh.positions.iter_mut().for_each(|p| *p = transform.transform_point3(*p));
        if transform.matrix3.determinant() < 0.0 {
            mesh.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
            mesh.quads.iter_mut().for_each(|corners| corners.swap(1, 3));
            mesh.uvs.iter_mut().flatten().for_each(|corners| corners.swap(1, 2));
        }
        mesh
    }

    /// The corners of a triangle in double precision.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.positions[v as usize].as_dvec3())
    }

    /// The area of a triangle in m².
    pub fn area(&self, triangle: usize) -> f64 {
        let [a, b, c] = self.corners(triangle);
        0.5 * (b - a).cross(c - a).length()
    }

    /// The area of all triangles in m².
    pub fn total_area(&self) -> f64 {
        (0..self.triangles.len()).map(|t| self.area(t)).sum()
    }

    /// The smallest box around all vertices, as (lowest, highest) corner; `None` without vertices.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let first = *self.positions.first()?;
        Some(self.positions.iter().fold((first, first), |(lo, hi), &p| (lo.min(p), hi.max(p))))
    }

    /// The vertex nearest to a point; `None` without vertices. The lowest index wins a tie.
    pub fn nearest_vertex(&self, point: Vec3) -> Option<u32> {
        let nearest = self
            .positions
            .iter()
            .enumerate()
            .min_by(|a, b| a.1.distance_squared(point).total_cmp(&b.1.distance_squared(point)));
        nearest.map(|(vertex, _)| vertex as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_keeps_the_outside_outside() {
        let mut mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
        mesh.uvs = Some(vec![[Vec2::ZERO, Vec2::X, Vec2::Y]]);
        let mirrored = mesh.transformed(Affine3A::from_scale(Vec3::new(-2.0, 1.0, 1.0)));
        assert_eq!(mirrored.positions, [Vec3::ZERO, Vec3::NEG_X * 2.0, Vec3::Y]);
        assert_eq!(mirrored.triangles, [[0, 2, 1]]);
        assert_eq!(mirrored.uvs, Some(vec![[Vec2::ZERO, Vec2::Y, Vec2::X]]));
        let moved = mesh.transformed(Affine3A::from_translation(Vec3::Z));
        assert_eq!((moved.positions[0], &moved.triangles), (Vec3::Z, &mesh.triangles));
    }
}
