//! Small meshes for the tests of the hierarchy.

use std::f64::consts::TAU;

use fastrand::Rng;
use glam::{DVec3, Vec3};

use crate::mesh::TriMesh;

/// The triangles of a grid of `columns` × `rows` cells; where it closes (`wrap`), the last column
/// or row of cells joins the first. Diagonals alternate, or run at random if `random` is given.
pub(super) fn cells(columns: u32, rows: u32, wrap: [bool; 2], mut random: Option<&mut Rng>) -> Vec<[u32; 3]> {
    let stride = if wrap[0] { columns } else { columns + 1 };
    let height = if wrap[1] { rows } else { rows + 1 };
    let vertex = |i: u32, j: u32| (j % height) * stride + i % stride;
    let mut triangles = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let corners = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            let [a, b, c, d] = corners;
            let rising = random.as_mut().map_or((i + j) % 2 == 0, |random| random.bool());
            triangles.extend(if rising { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    triangles
}

fn mesh(positions: impl Iterator<Item = DVec3>, triangles: Vec<[u32; 3]>) -> TriMesh {
    TriMesh::new(positions.map(|p| p.as_vec3()).collect(), triangles)
}

/// A flat regular rectangle with cells of 1/64 m: its area is exact.
pub(super) fn grid(columns: u32, rows: u32) -> TriMesh {
    let points =
        (0..=rows).flat_map(|j| (0..=columns).map(move |i| DVec3::new(i.into(), j.into(), 0.0) / 64.0));
    mesh(points, cells(columns, rows, [false; 2], None))
}

/// The same with jittered vertices and random diagonals; the outline stays as it is.
pub(super) fn irregular(columns: u32, rows: u32, seed: u64) -> TriMesh {
    let mut random = Rng::with_seed(seed);
    let mut flat = grid(columns, rows);
    for (v, p) in flat.positions.iter_mut().enumerate() {
        let (i, j) = (v as u32 % (columns + 1), v as u32 / (columns + 1));
        let mut jitter = |inside: bool| if inside { (random.f32() - 0.5) * 0.4 / 64.0 } else { 0.0 };
        *p += Vec3::new(jitter(i > 0 && i < columns), jitter(j > 0 && j < rows), 0.0);
    }
    flat.triangles = cells(columns, rows, [false; 2], Some(&mut random));
    flat
}

/// An open tube around the z axis; `flatness` squeezes it in y.
pub(super) fn tube(around: u32, along: u32, radius: f64, length: f64, flatness: f64) -> TriMesh {
    let points = (0..=along).flat_map(|j| {
        (0..around).map(move |i| {
            let angle = TAU * f64::from(i) / f64::from(around);
            let z = length * f64::from(j) / f64::from(along);
            DVec3::new(radius * angle.cos(), radius * flatness * angle.sin(), z)
        })
    });
    mesh(points, cells(around, along, [true, false], None))
}

/// A torus of radii 1 m and 0.4 m.
pub(super) fn torus(around: u32, across: u32) -> TriMesh {
    let points = (0..across).flat_map(|j| {
        (0..around).map(move |i| {
            let (u, v) = (TAU * f64::from(i) / f64::from(around), TAU * f64::from(j) / f64::from(across));
            let r = 1.0 + 0.4 * v.cos();
            DVec3::new(r * u.cos(), r * u.sin(), 0.4 * v.sin())
        })
    });
    mesh(points, cells(around, across, [true; 2], None))
}

/// A unit sphere with two poles of valence `around`.
pub(super) fn sphere(around: u32, rings: u32) -> TriMesh {
    let mut points = vec![DVec3::Z, DVec3::NEG_Z];
    for j in 1..=rings {
        let polar = 0.5 * TAU * f64::from(j) / f64::from(rings + 1);
        for i in 0..around {
            let angle = TAU * f64::from(i) / f64::from(around);
            points.push(DVec3::new(polar.sin() * angle.cos(), polar.sin() * angle.sin(), polar.cos()));
        }
    }
    // The grid runs from the north down, so its cells are turned inside out.
    let shift = |[a, b, c]: [u32; 3]| [a + 2, c + 2, b + 2];
    let mut triangles: Vec<_> =
        cells(around, rings - 1, [true, false], None).into_iter().map(shift).collect();
    let last = 2 + (rings - 1) * around;
    for i in 0..around {
        let next = (i + 1) % around;
        triangles.extend([[0, 2 + i, 2 + next], [1, last + next, last + i]]);
    }
    mesh(points.into_iter(), triangles)
}

/// Two meshes in one.
pub(super) fn join(mut first: TriMesh, second: &TriMesh, offset: Vec3) -> TriMesh {
    let shift = first.positions.len() as u32;
    first.positions.extend(second.positions.iter().map(|&p| p + offset));
    first.triangles.extend(second.triangles.iter().map(|corners| corners.map(|v| v + shift)));
    first
}
