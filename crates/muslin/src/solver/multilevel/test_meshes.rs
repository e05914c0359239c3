//! Meshes for the tests of this folder.

use glam::{DVec2, Vec2, Vec3, dvec2};

use super::charts::{ChartOptions, Charts};
use crate::mesh::{Topology, TriMesh, generate};

/// Charts with the usual options.
pub(crate) fn charts(mesh: &TriMesh) -> Charts {
    Charts::new(mesh, &ChartOptions::default()).unwrap()
}

/// The triangles of a flat mesh that `kept` says by their centroid, with the vertices they still need.
pub(crate) fn cut_out(mesh: &TriMesh, kept: impl Fn(DVec2) -> bool) -> TriMesh {
    let mut number = vec![u32::MAX; mesh.positions.len()];
    let mut cut = TriMesh::default();
    for corners in &mesh.triangles {
        let centroid = corners.iter().map(|&v| at(mesh, v)).sum::<DVec2>() / 3.0;
        if !kept(centroid) {
            continue;
        }
        let corners = corners.map(|v| {
            if number[v as usize] == u32::MAX {
                number[v as usize] = cut.positions.len() as u32;
                cut.positions.push(mesh.positions[v as usize]);
            }
            number[v as usize]
        });
        cut.triangles.push(corners);
    }
    with_flat_uvs(cut)
}

/// A mesh in the x-y plane with (x, y) as texture coordinates.
pub(crate) fn with_flat_uvs(mut mesh: TriMesh) -> TriMesh {
    let uv = |v: u32| mesh.positions[v as usize].truncate();
    let uvs: Vec<[Vec2; 3]> = mesh.triangles.iter().map(|corners| corners.map(uv)).collect();
    mesh.uvs = Some(uvs);
    mesh
}

fn at(mesh: &TriMesh, vertex: u32) -> DVec2 {
    mesh.positions[vertex as usize].truncate().as_dvec2()
}

/// Below zero inside a curvy outline with two holes, in a square of 1 m; about a distance.
fn curvy(p: DVec2) -> f64 {
    let from_centre = p - dvec2(0.5, 0.5);
    let outline = from_centre.length() - 0.42 - 0.05 * (5.0 * from_centre.to_angle()).sin();
    let hole = |x: f64, y: f64, radius: f64| radius - p.distance(dvec2(x, y));
    outline.max(hole(0.36, 0.55, 0.09)).max(hole(0.67, 0.45, 0.06))
}

/// An irregular mesh of about `triangles` triangles in a square of 1 m, cut to a curvy outline with two holes; its
/// border vertices lie on these curves where their triangles allow it.
pub(crate) fn curvy_with_holes(triangles: usize, seed: u64) -> TriMesh {
    let whole = generate::delaunay_rectangle(1.0, 1.0, triangles, seed).unwrap();
    let mut mesh = cut_out(&whole, |p| curvy(p) < 0.0);
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let border = topology.boundary_vertices();
    for v in (0..mesh.positions.len()).filter(|&v| border[v]) {
        let before = mesh.positions[v];
        let p = before.truncate().as_dvec2();
        let slope = |step: DVec2| (curvy(p + step) - curvy(p - step)) / (2.0 * step.length());
        let gradient = dvec2(slope(dvec2(1e-5, 0.0)), slope(dvec2(0.0, 1e-5)));
        let target = p - gradient * (curvy(p) / gradient.length_squared());
        let around = topology.vertex_triangles.row(v);
        let areas: Vec<f64> = around.iter().map(|&t| signed_area(&mesh, t)).collect();
        mesh.positions[v] = target.as_vec2().extend(0.0);
        if around.iter().zip(areas).any(|(&t, area)| signed_area(&mesh, t) < 0.3 * area) {
            mesh.positions[v] = before;
        }
    }
    with_flat_uvs(mesh)
}

fn signed_area(mesh: &TriMesh, triangle: u32) -> f64 {
    let [a, b, c] = mesh.triangles[triangle as usize].map(|v| at(mesh, v));
    (b - a).perp_dot(c - a)
}

/// A square of 1 m with a cut of no width upwards from the middle of its lower side to its centre.
pub(crate) fn slit(cells: usize) -> TriMesh {
    let mut mesh = generate::grid(cells, cells, 1.0, 1.0).unwrap();
    let count = mesh.positions.len() as u32;
    let cut: Vec<u32> = (0..count).filter(|&v| at(&mesh, v).x == 0.5 && at(&mesh, v).y < 0.5).collect();
    assert_eq!(cut.len(), cells / 2);
    for t in 0..mesh.triangles.len() {
        let centroid = mesh.triangles[t].iter().map(|&v| at(&mesh, v)).sum::<DVec2>() / 3.0;
        if centroid.x > 0.5 {
            for corner in &mut mesh.triangles[t] {
                if let Some(k) = cut.iter().position(|v| v == corner) {
                    *corner = count + k as u32;
                }
            }
        }
    }
    mesh.positions.extend(cut.iter().map(|&v| mesh.positions[v as usize]).collect::<Vec<Vec3>>());
    mesh.quads.clear();
    mesh.groups.clear();
    with_flat_uvs(mesh)
}

/// Two separate meshes as one.
pub(crate) fn side_by_side(first: &TriMesh, second: &TriMesh) -> TriMesh {
    let shift = first.positions.len() as u32;
    let positions = first.positions.iter().chain(&second.positions).copied().collect();
    let shifted = second.triangles.iter().map(|corners| corners.map(|v| v + shift));
    let mut mesh = TriMesh::new(positions, first.triangles.iter().copied().chain(shifted).collect());
    let uvs = |mesh: &TriMesh| mesh.uvs.clone().unwrap();
    mesh.uvs = Some([uvs(first), uvs(second)].concat());
    mesh
}
