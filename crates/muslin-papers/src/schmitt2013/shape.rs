//! A piece of cloth with a curvy outline and two holes, irregularly triangulated: what §4.3 measures the error on, and
//! figure 12 shows.

use glam::{DVec2, Vec2, Vec3, dvec2};
use muslin::cloth::Cloth;
use muslin::collision::{Collider, CollisionSettings, Shape};
use muslin::mesh::{Topology, TriMesh, generate};
use muslin::{Settings, Simulation, World};

use crate::Error;

/// Which share of its area a triangle keeps at least when the outline is made smooth.
const LEAST_AREA: f64 = 0.3;

/// Below zero inside the outline, in a square of 1 m; about a distance.
fn outside(p: DVec2) -> f64 {
    let from_centre = p - dvec2(0.5, 0.5);
    let outline = from_centre.length() - 0.42 - 0.05 * (5.0 * from_centre.to_angle()).sin();
    let hole = |x: f64, y: f64, radius: f64| radius - p.distance(dvec2(x, y));
    outline.max(hole(0.36, 0.55, 0.09)).max(hole(0.67, 0.45, 0.06))
}

fn at(mesh: &TriMesh, vertex: u32) -> DVec2 {
    mesh.positions[vertex as usize].truncate().as_dvec2()
}

fn signed_area(mesh: &TriMesh, triangle: u32) -> f64 {
    let [a, b, c] = mesh.triangles[triangle as usize].map(|v| at(mesh, v));
    (b - a).perp_dot(c - a)
}

/// The cloth, flat in the x-y plane, with (x, y) as texture coordinates; about `triangles` in the square that it is cut
/// from. Vertices of the border lie on the curves where their triangles allow it.
pub(super) fn mesh(triangles: usize) -> Result<TriMesh, Error> {
    let whole = generate::delaunay_rectangle(1.0, 1.0, triangles, 7)?;
    let mut mesh = cut_out(&whole);
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let border = topology.boundary_vertices();
    for v in (0..mesh.positions.len()).filter(|&v| border[v]) {
        let (before, p) = (mesh.positions[v], at(&mesh, v as u32));
        let slope = |step: DVec2| (outside(p + step) - outside(p - step)) / (2.0 * step.length());
        let gradient = dvec2(slope(dvec2(1e-5, 0.0)), slope(dvec2(0.0, 1e-5)));
        let target = p - gradient * (outside(p) / gradient.length_squared());
        let around = topology.vertex_triangles.row(v);
        let areas: Vec<f64> = around.iter().map(|&t| signed_area(&mesh, t)).collect();
        mesh.positions[v] = target.as_vec2().extend(0.0);
        if around.iter().zip(areas).any(|(&t, area)| signed_area(&mesh, t) < LEAST_AREA * area) {
            mesh.positions[v] = before;
        }
    }
    let uv = |v: u32| mesh.positions[v as usize].truncate();
    let uvs: Vec<[Vec2; 3]> = mesh.triangles.iter().map(|corners| corners.map(uv)).collect();
    mesh.uvs = Some(uvs);
    Ok(mesh)
}

/// The triangles inside the outline, with the vertices they need.
fn cut_out(mesh: &TriMesh) -> TriMesh {
    let mut number = vec![u32::MAX; mesh.positions.len()];
    let mut cut = TriMesh::default();
    for corners in &mesh.triangles {
        let centroid = corners.iter().map(|&v| at(mesh, v)).sum::<DVec2>() / 3.0;
        if outside(centroid) >= 0.0 {
            continue;
        }
        let corners = corners.map(|v| {
            let number = &mut number[v as usize];
            if *number == u32::MAX {
                *number = cut.positions.len() as u32;
                cut.positions.push(mesh.positions[v as usize]);
            }
            *number
        });
        cut.triangles.push(corners);
    }
    cut
}

/// The side of equilateral triangles of the same area, metres.
pub(super) fn edge_length(triangles: usize) -> f64 {
    (4.0 / (3f64.sqrt() * triangles as f64)).sqrt()
}

/// The vertex nearest to a place.
pub(super) fn nearest(mesh: &TriMesh, x: f32, y: f32) -> u32 {
    let apart = |p: &Vec3| p.distance_squared(Vec3::new(x, y, 0.0));
    let vertices = mesh.positions.iter().enumerate();
    let found = vertices.min_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
    found.map_or(0, |(vertex, _)| vertex as u32)
}

/// Rolled up with a radius of 0.12 m, with folds across.
pub(super) fn rolled(p: Vec3) -> Vec3 {
    let (x, y) = (p.x - 0.5, p.y - 0.5);
    let radius = 0.12 + 0.008 * (14.0 * y).sin();
    let angle = x / 0.12;
    Vec3::new(radius * angle.sin(), y * 1.015, radius * (1.0 - angle.cos()))
}

/// A snapshot of a simulation: the cloth falls over a ball and folds. Not by the
/// solver that is measured: what comes from a grid would fit into one. Where its vertices are, and by how much a
/// triangle is stretched at the most.
pub(super) fn draped(mesh: &TriMesh, frames: usize) -> Result<(Vec<Vec3>, f64), Error> {
    let flat = mesh.positions.iter().map(|p| Vec3::new(p.x - 0.5, 0.41, 0.5 - p.y)).collect();
    let cloth = Cloth::builder(mesh.clone()).start_positions(flat).build()?;
    let cloth = Simulation::new(cloth, Settings { threads: 1, ..Settings::default() })?;
    let ball = Collider::new("ball", Shape::Sphere { center: Vec3::new(0.02, 0.2, 0.0), radius: 0.2 });
    let mut world = World::new(vec![("cloth".into(), cloth)], vec![ball], CollisionSettings::default())?;
    for _ in 0..frames {
        world.step()?;
    }
    let cloth = &world.cloths()[0].1;
    let stretch = cloth.triangle_strains().iter().fold(0.0, |most: f64, s| most.max(s[0].into()));
    Ok((cloth.positions(), stretch))
}

/// Data of the vertices of `mesh`, linear on its triangles, at the vertices of `moved`: the same mesh, with each vertex
/// somewhere in the triangles around it.
pub(super) fn moved_data(mesh: &TriMesh, data: &[Vec3], moved: &TriMesh) -> Vec<Vec3> {
    let topology = Topology::new(mesh.positions.len(), &mesh.triangles);
    let value = |v: usize| {
        let p = at(moved, v as u32);
        let weighed = topology.vertex_triangles.row(v).iter().map(|&t| {
            let corners = mesh.triangles[t as usize];
            let [a, b, c] = corners.map(|v| at(mesh, v));
            let area = (b - a).perp_dot(c - a);
            let (u, w) = ((p - a).perp_dot(c - a) / area, (b - a).perp_dot(p - a) / area);
            (corners, [1.0 - u - w, u, w])
        });
        let least = |weights: &[f64; 3]| weights.iter().copied().fold(f64::MAX, f64::min);
        let inside = weighed.max_by(|a, b| least(&a.1).total_cmp(&least(&b.1)));
        let Some((corners, weights)) = inside else { return data[v] };
        (0..3).map(|k| data[corners[k] as usize] * weights[k] as f32).sum()
    };
    (0..mesh.positions.len()).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cloth_has_an_outline_and_two_holes_and_no_triangle_is_turned_over() {
        let mesh = mesh(2000).unwrap();
        assert!((0..mesh.triangles.len()).all(|t| signed_area(&mesh, t as u32) > 0.0));
        // Euler: vertices − edges + triangles = 1 − holes.
        let edges = Topology::new(mesh.positions.len(), &mesh.triangles).edges.len();
        assert_eq!(mesh.positions.len() as i64 - edges as i64 + mesh.triangles.len() as i64, -1);
    }

    #[test]
    fn linear_data_stays_linear_where_vertices_are_moved() {
        let mesh = mesh(500).unwrap();
        let mut moved = mesh.clone();
        let border = Topology::new(mesh.positions.len(), &mesh.triangles).boundary_vertices();
        for (p, _) in moved.positions.iter_mut().zip(border).filter(|(_, border)| !border) {
            *p += Vec3::new(0.004, -0.003, 0.0);
        }
        let data = moved_data(&mesh, &mesh.positions, &moved);
        assert!(data.iter().zip(&moved.positions).all(|(a, b)| a.distance(*b) < 1e-6));
    }
}
