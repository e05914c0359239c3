//! Pictures of cloth on a grid.

use glam::{Vec2, Vec3};
use muslin::Simulation;
use muslin::collision::Collider;
use muslin::mesh::TriMesh;
use muslin_render::{
    Camera, Color, Pattern, PatternKind, Picture, RenderMesh, RenderOptions, RenderScene, render,
};

use crate::Error;

const FRONT: Color = Color::rgb(232, 226, 212);
const BACK: Color = Color::rgb(214, 170, 110);
const WOVEN: Color = Color::rgb(58, 104, 152);
const BODY: Color = Color::rgb(150, 152, 156);
const LINE: Color = Color::rgb(40, 44, 52);

/// The mesh that is rendered: fine, as the grid is.
pub(super) fn fine(cloth: &Simulation) -> Result<RenderMesh, Error> {
    let surface = cloth.shown_mesh();
    Ok(RenderMesh::cloth(cloth.shown_positions()?, surface.triangles.to_vec(), FRONT, BACK))
}

/// The same with a chequered pattern that repeats after `period` metres of the rest shape: how it is stretched can be
/// seen.
pub(super) fn chequered(cloth: &Simulation, period: f32) -> Result<RenderMesh, Error> {
    let mesh = fine(cloth)?;
    let Some(uvs) = cloth.shown_mesh().uvs else { return Ok(mesh) };
    let pattern = Pattern { kind: PatternKind::Gingham, color: WOVEN, period, coordinates: uvs.to_vec() };
    Ok(mesh.with_pattern(pattern))
}

/// The mesh that collides: facets, with lines along its rows and columns.
pub(super) fn coarse(cloth: &Simulation, cells: [usize; 2]) -> RenderMesh {
    let triangles = cloth.cloth().triangles().to_vec();
    let mesh = RenderMesh::cloth(cloth.positions(), triangles.clone(), FRONT, BACK);
    let at = |v: u32| {
        let (column, row) = (v as usize % (cells[0] + 1), v as usize / (cells[0] + 1));
        Vec2::new(column as f32, row as f32)
    };
    let coordinates = triangles.iter().map(|corners| corners.map(at)).collect();
    let pattern = Pattern { kind: PatternKind::Grid, color: LINE, period: 1.0, coordinates };
    RenderMesh { crease_degrees: 0.0, ..mesh.with_pattern(pattern) }
}

/// What cloth lies on.
pub(super) fn body(collider: &Collider) -> Option<RenderMesh> {
    let mesh = collider.surface_mesh(0.0)?;
    Some(RenderMesh::solid(mesh.positions, mesh.triangles, BODY))
}

/// A flat mesh with the lines of its triangles, and lines of the grid (every `period` metres) between.
pub(super) fn chart(mesh: &TriMesh, period: f32) -> Vec<RenderMesh> {
    let flat: Vec<Vec2> = mesh.positions.iter().map(|p| p.truncate()).collect();
    let pattern = Pattern::over_vertices(PatternKind::Grid, WOVEN, period, &flat, &mesh.triangles);
    let cloth = RenderMesh::cloth(mesh.positions.clone(), mesh.triangles.clone(), FRONT, BACK);
    vec![cloth.with_pattern(pattern), lines(mesh, 0.0012)]
}

/// A thin strip along each edge, just in front of a flat mesh.
fn lines(mesh: &TriMesh, half_width: f32) -> RenderMesh {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for corners in &mesh.triangles {
        for k in 0..3 {
            let [a, b] = [corners[k], corners[(k + 1) % 3]].map(|v| mesh.positions[v as usize]);
            let side = (b - a).cross(Vec3::Z).normalize_or_zero() * half_width;
            let first = positions.len() as u32;
            positions.extend([a + side, b + side, b - side, a - side].map(|p| p + 1e-3 * Vec3::Z));
            triangles.extend([[0, 2, 1], [0, 3, 2]].map(|t: [u32; 3]| t.map(|v| first + v)));
        }
    }
    RenderMesh::solid(positions, triangles, LINE)
}

/// A square picture of so many pixels along a side.
pub(super) fn picture(
    meshes: Vec<RenderMesh>,
    camera: impl FnOnce(&RenderScene) -> Camera,
    size: u32,
) -> Result<Picture, Error> {
    let scene = RenderScene { meshes, ..RenderScene::default() };
    let options = RenderOptions { width: size, height: size, samples: 3 };
    Ok(render(&scene, &camera(&scene), &options)?)
}
