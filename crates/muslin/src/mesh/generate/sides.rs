//! Texture coordinates and named groups of flat meshes.

use glam::Vec2;

use crate::mesh::TriMesh;

/// A flat mesh over points in the x-y plane, with (x, y) as texture coordinates.
pub(super) fn flat_mesh(points: &[Vec2], triangles: Vec<[u32; 3]>) -> TriMesh {
    let uvs = triangles.iter().map(|corners| corners.map(|v| points[v as usize])).collect();
    let positions = points.iter().map(|p| p.extend(0.0)).collect();
    TriMesh { positions, triangles, uvs: Some(uvs), ..TriMesh::default() }
}

/// Adds the groups of a rectangle: `corners` (counter-clockwise from the lower left), the four
/// sides (with their corners, by ascending coordinate) and `boundary` (counter-clockwise).
pub(super) fn name_rectangle_sides(mesh: &mut TriMesh, size: Vec2) {
    let at = |vertex: u32| mesh.positions[vertex as usize].truncate();
    // Generators place the outermost vertices exactly, so equality is the right question.
    let side = |axis: usize, coordinate: f32| {
        let mut members: Vec<u32> =
            (0..mesh.positions.len() as u32).filter(|&v| at(v)[axis] == coordinate).collect();
        members.sort_by(|&a, &b| at(a)[1 - axis].total_cmp(&at(b)[1 - axis]));
        members
    };
    let (left, right) = (side(0, 0.0), side(0, size.x));
    let (bottom, top) = (side(1, 0.0), side(1, size.y));
    let corners = [&bottom, &top].into_iter().flat_map(|side| [side.first(), side.last()]).flatten();
    let mut corners: Vec<u32> = corners.copied().collect();
    if corners.len() == 4 {
        corners.swap(2, 3);
    }
    // Each side gives the loop all its vertices but the last, which begins the next side.
    let mut boundary: Vec<u32> = Vec::new();
    for (side, forward) in [(&bottom, true), (&right, true), (&top, false), (&left, false)] {
        let count = side.len().saturating_sub(1);
        if forward {
            boundary.extend(side.iter().take(count));
        } else {
            boundary.extend(side.iter().rev().take(count));
        }
    }
    let named = [
        ("boundary", boundary),
        ("bottom", bottom),
        ("corners", corners),
        ("left", left),
        ("right", right),
        ("top", top),
    ];
    mesh.groups = named.map(|(name, members)| (name.to_owned(), members)).into();
}
