//! Closed surfaces: spheres and boxes.

use std::collections::HashMap;

use glam::{DVec3, U64Vec3, Vec3, dvec3};

use super::{GenerateError, MAX_CELLS, check_count, check_length, check_triangles};
use crate::mesh::TriMesh;

/// More would exceed the largest number of triangles.
const MAX_SUBDIVISIONS: usize = 10;

/// A sphere around the origin: an icosahedron whose triangles are split into four `subdivisions`
/// times, 20·4^`subdivisions` in all. No texture coordinates, no groups.
pub fn sphere(radius: f32, subdivisions: usize) -> Result<TriMesh, GenerateError> {
    check_length("radius", radius)?;
    check_count("subdivisions", subdivisions, 0, MAX_SUBDIVISIONS)?;
    let (mut points, mut triangles) = icosahedron();
    for _ in 0..subdivisions {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new(); // looked up, never iterated
        let mut split = Vec::with_capacity(4 * triangles.len());
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                *middles.entry([from.min(to), from.max(to)]).or_insert_with(|| {
                    points.push((points[from as usize] + points[to as usize]).normalize());
                    points.len() as u32 - 1
                })
            });
            split.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = split;
    }
    let positions = points.iter().map(|p| (p * f64::from(radius)).as_vec3()).collect();
    Ok(TriMesh::new(positions, triangles))
}

/// The icosahedron on the unit sphere: the poles on the y axis and two rings of five.
fn icosahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut points = vec![DVec3::Y];
    // All twelve vertices of an icosahedron have the same distance: the rings are at y = ±1/√5.
    let (y, r) = (1.0 / 5f64.sqrt(), 2.0 / 5f64.sqrt());
    for (ring_y, turn) in [(y, 0.0), (-y, 0.5)] {
        for k in 0..5 {
            let (sin, cos) = (std::f64::consts::TAU * (f64::from(k) + turn) / 5.0).sin_cos();
            points.push(dvec3(r * sin, ring_y, r * cos));
        }
    }
    points.push(DVec3::NEG_Y);
    let mut triangles = Vec::with_capacity(20);
    for k in 0..5u32 {
        let (upper, upper_next) = (1 + k, 1 + (k + 1) % 5);
        let (lower, lower_next) = (6 + k, 6 + (k + 1) % 5);
        triangles.push([0, upper, upper_next]);
        triangles.push([upper, lower, upper_next]);
        triangles.push([upper_next, lower, lower_next]);
        triangles.push([11, lower_next, lower]);
    }
    (points, triangles)
}

/// A closed box around the origin with edges of length `size`, each face of `subdivisions` ×
/// `subdivisions` cells of two triangles. No texture coordinates, no groups.
pub fn cuboid(size: Vec3, subdivisions: usize) -> Result<TriMesh, GenerateError> {
    check_length("size.x", size.x)?;
    check_length("size.y", size.y)?;
    check_length("size.z", size.z)?;
    check_count("subdivisions", subdivisions, 1, MAX_CELLS)?;
    check_triangles("subdivisions", 12 * subdivisions * subdivisions)?;
    let n = subdivisions as u64;
    let mut mesh = TriMesh::default();
    let mut numbers: HashMap<U64Vec3, u32> = HashMap::new(); // looked up, never iterated
    let mut vertex = |lattice: U64Vec3| {
        *numbers.entry(lattice).or_insert_with(|| {
            let fraction = lattice.as_dvec3() / n as f64 - 0.5;
            mesh.positions.push((size.as_dvec3() * fraction).as_vec3());
            mesh.positions.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for far in [false, true] {
            for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
                let corner = |di: u64, dj: u64| {
                    let mut lattice = U64Vec3::ZERO;
                    lattice[axis] = if far { n } else { 0 };
                    lattice[(axis + 1) % 3] = i + di;
                    lattice[(axis + 2) % 3] = j + dj;
                    lattice
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)].map(&mut vertex);
                mesh.quads.push(if far { [a, b, c, d] } else { [a, d, c, b] });
                // The next two axes form a right-handed system with this one: a → b → c looks
                // along +axis, which is outwards only on the far side.
                mesh.triangles.extend(if far { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
    }
    Ok(mesh)
}
