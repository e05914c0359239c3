//! Who shares a normal with whom: from triangles to vertices that are smooth, each with the ring of triangles around it.
//!
//! Cloth is smooth everywhere, over seams too, where a vertex is there twice for the sake of its flat coordinates. Solids have an edge
//! where two of their triangles meet at an angle, and there each side gets a vertex of its own.

use std::collections::HashMap;
use std::hash::Hash;

use glam::Vec3;

/// Edges of solids sharper than this (the cosine of 40°) stay sharp.
const CREASE: f32 = 0.766;

/// A surface for the device.
#[derive(Debug, Default, PartialEq)]
pub struct Rings {
    /// Three vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Of each vertex: the element of its position, where its ring begins in `pairs`, and how long it is.
    pub vertices: Vec<[u32; 4]>,
    /// Of each triangle in a ring the elements of its two other vertices, counter-clockwise.
    pub pairs: Vec<[u32; 2]>,
}

impl Rings {
    /// Of cloth, whose vertices keep their numbers. `key` is the same for vertices that are at the same place.
    pub fn of_sheet<K: Eq + Hash>(
        triangles: Vec<[u32; 3]>,
        count: usize,
        element: impl Fn(u32) -> u32,
        key: impl Fn(u32) -> K,
    ) -> Self {
        let mut keys = HashMap::with_capacity(count);
        let welded: Vec<u32> = (0..count as u32).map(|v| *keys.entry(key(v)).or_insert(v)).collect();
        let mut group: Vec<u32> = triangles.as_flattened().to_vec();
        if keys.len() < count {
            // There are seams.
            let mut corners = Corners::new(3 * triangles.len());
            let mut first = vec![u32::MAX; count];
            for (corner, &v) in triangles.as_flattened().iter().enumerate() {
                let known = &mut first[v as usize];
                if *known == u32::MAX {
                    *known = corner as u32;
                }
                corners.join(*known, corner as u32);
            }
            corners.join_over_edges(&triangles, &welded, |_, _| true);
            let vertices = triangles.as_flattened();
            group = (0..group.len() as u32).map(|corner| vertices[corners.root(corner) as usize]).collect();
        }
        let (starts, pairs) = rings(&triangles, &group, count, &element);
        let mut vertices: Vec<[u32; 4]> = (0..count as u32).map(|v| [element(v), 0, 0, 0]).collect();
        for (&v, &group) in triangles.as_flattened().iter().zip(&group) {
            let range = [starts[group as usize], starts[group as usize + 1]];
            vertices[v as usize] = [element(v), range[0], range[1] - range[0], 0];
        }
        Self { triangles, vertices, pairs }
    }

    /// Of a solid.
    pub fn of_solid(triangles: Vec<[u32; 3]>, places: &[Vec3]) -> Self {
        let mut keys = HashMap::with_capacity(places.len());
        let bits = |v: u32| places[v as usize].to_array().map(f32::to_bits);
        let welded: Vec<u32> = (0..places.len() as u32).map(|v| *keys.entry(bits(v)).or_insert(v)).collect();
        let normals: Vec<Vec3> = triangles.iter().map(|t| normal(t.map(|v| places[v as usize]))).collect();
        let mut corners = Corners::new(3 * triangles.len());
        corners.join_over_edges(&triangles, &welded, |a, b| normals[a].dot(normals[b]) >= CREASE);
        // Every group of corners becomes a vertex.
        let mut number = vec![u32::MAX; 3 * triangles.len()];
        let mut elements = Vec::new();
        let mut group = Vec::with_capacity(number.len());
        for corner in 0..number.len() as u32 {
            let root = corners.root(corner) as usize;
            if number[root] == u32::MAX {
                number[root] = elements.len() as u32;
                elements.push(triangles.as_flattened()[root]);
            }
            group.push(number[root]);
        }
        let (starts, pairs) = rings(&triangles, &group, elements.len(), &|v| v);
        let range = |(i, &element): (usize, &u32)| [element, starts[i], starts[i + 1] - starts[i], 0];
        let vertices = elements.iter().enumerate().map(range).collect();
        let triangles = group.as_chunks().0.to_vec();
        Self { triangles, vertices, pairs }
    }
}

/// Of each group of corners the triangles around it: where they begin, and the other two vertices of each.
fn rings(
    triangles: &[[u32; 3]],
    group: &[u32],
    count: usize,
    element: &impl Fn(u32) -> u32,
) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut starts = vec![0; count + 1];
    group.iter().for_each(|&g| starts[g as usize + 1] += 1);
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut pairs = vec![[0; 2]; group.len()];
    for (t, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(element);
        for (pair, &group) in [[b, c], [c, a], [a, b]].into_iter().zip(&group[3 * t..]) {
            let place = &mut next[group as usize];
            pairs[*place as usize] = pair;
            *place += 1;
        }
    }
    (starts, pairs)
}

fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// Corners of triangles, joined into groups.
struct Corners(Vec<u32>);

impl Corners {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The least corner of a group.
    fn root(&mut self, mut corner: u32) -> u32 {
        while self.0[corner as usize] != corner {
            let above = self.0[self.0[corner as usize] as usize];
            self.0[corner as usize] = above;
            corner = above;
        }
        corner
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// Joins the corners on both sides of every edge along which two triangles run in opposite directions, as they do on a surface.
    fn join_over_edges(
        &mut self,
        triangles: &[[u32; 3]],
        welded: &[u32],
        is_smooth: impl Fn(usize, usize) -> bool,
    ) {
        let ends =
            |t: usize, i: usize| [triangles[t][i], triangles[t][(i + 1) % 3]].map(|v| welded[v as usize]);
        let all = || (0..triangles.len()).flat_map(|t| (0..3).map(move |i| (t, i)));
        let edges: HashMap<[u32; 2], (usize, usize)> = all().map(|(t, i)| (ends(t, i), (t, i))).collect();
        for (t, i) in all() {
            let [a, b] = ends(t, i);
            let Some(&(other, j)) = edges.get(&[b, a]).filter(|_| a < b) else { continue };
            if is_smooth(t, other) {
                let corner = |t: usize, i: usize| (3 * t + i % 3) as u32;
                self.join(corner(t, i), corner(other, j + 1));
                self.join(corner(t, i + 1), corner(other, j));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

    #[test]
    fn vertices_of_a_sheet_know_the_triangles_around_them() {
        let rings = Rings::of_sheet(SQUARE.to_vec(), 5, |v| 10 + v, |v| v);
        assert_eq!(rings.triangles, SQUARE);
        let ring = |v: usize| {
            let [element, start, count, _] = rings.vertices[v];
            (element, rings.pairs[start as usize..(start + count) as usize].to_vec())
        };
        assert_eq!(ring(0), (10, vec![[11, 12], [12, 13]]));
        assert_eq!(ring(1), (11, vec![[12, 10]]));
        assert_eq!(ring(4), (14, vec![]));
    }

    #[test]
    fn both_sides_of_a_seam_have_the_same_ring_and_layers_that_touch_have_not() {
        // The diagonal's vertices are there twice.
        let seam = vec![[0, 1, 2], [4, 5, 3]];
        let at = [0, 1, 2, 3, 0, 2];
        let rings = Rings::of_sheet(seam, 6, |v| v, |v| at[v as usize]);
        assert_eq!(rings.vertices[0][1..], rings.vertices[4][1..]);
        assert_eq!(rings.vertices[2][1..], rings.vertices[5][1..]);
        assert_eq!([0, 1, 2, 3].map(|v| rings.vertices[v][2]), [2, 1, 2, 1]);
        // Two layers, the same side up.
        let rings = Rings::of_sheet(vec![[0, 1, 2], [3, 4, 5]], 6, |v| v, |v| v % 3);
        assert!(rings.vertices.iter().all(|v| v[2] == 1));
    }

    #[test]
    fn a_cube_has_three_vertices_per_corner_and_a_fine_cylinder_is_round() {
        let places: Vec<Vec3> =
            (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32)).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let rings = Rings::of_solid(triangles, &places);
        assert_eq!(rings.vertices.len(), 24);
        assert!(rings.vertices.iter().all(|v| v[2] == 1 || v[2] == 2));

        let sides = 24;
        let angle = |i: u32| (i as f32 * std::f32::consts::TAU / sides as f32).sin_cos();
        let places: Vec<Vec3> =
            (0..2 * sides).map(|i| Vec3::new(angle(i / 2).1, (i % 2) as f32, -angle(i / 2).0)).collect();
        let side = |i: u32| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| (2 * i + k) % (2 * sides));
            [[a, c, d], [a, d, b]]
        };
        let rings = Rings::of_solid((0..sides).flat_map(side).collect(), &places);
        assert_eq!(rings.vertices.len(), 2 * sides as usize);
    }
}
