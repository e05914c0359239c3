//! Checks that look at one vertex or one triangle at a time, and those that compare all of them.

use glam::Vec3;

use super::{DEGENERATE_RATIO, MeshIssue, SLIVER_RATIO, TriMesh};

/// Reports what concerns the mesh as a whole: no triangles, texture coordinates, groups.
pub(super) fn check_mesh(mesh: &TriMesh, issues: &mut Vec<MeshIssue>) {
    if mesh.triangles.is_empty() {
        issues.push(MeshIssue::NoTriangles);
    }
    if let Some(uvs) = &mesh.uvs
        && uvs.len() != mesh.triangles.len()
    {
        issues.push(MeshIssue::UvCount { uvs: uvs.len(), triangles: mesh.triangles.len() });
    }
    for (group, members) in &mesh.groups {
        for &vertex in members.iter().filter(|&&v| v as usize >= mesh.positions.len()) {
            issues.push(MeshIssue::GroupIndexOutOfRange { group: group.clone(), vertex });
        }
    }
}

/// Reports vertices that are not finite, not named by any triangle, or at the same place.
pub(super) fn check_vertices(mesh: &TriMesh, issues: &mut Vec<MeshIssue>) {
    let mut named = vec![false; mesh.positions.len()];
    for &vertex in mesh.triangles.iter().flatten() {
        if let Some(named) = named.get_mut(vertex as usize) {
            *named = true;
        }
    }
    for (v, &position) in mesh.positions.iter().enumerate() {
        let vertex = v as u32;
        if !position.is_finite() {
            issues.push(MeshIssue::NonFiniteVertex { vertex, position });
        }
        if !named[v] {
            issues.push(MeshIssue::IsolatedVertex { vertex, position });
        }
    }
    let mut groups: Vec<Vec<u32>> = places(&mesh.positions)
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1)
        .map(|group| group.iter().map(|&(_, vertex)| vertex).collect())
        .collect();
    groups.sort_unstable();
    for vertices in groups {
        let position = mesh.positions[vertices[0] as usize];
        issues.push(MeshIssue::DuplicateVertices { vertices, position });
    }
}

/// All finite vertices with the bits of their place, sorted by place, then by index.
pub(in crate::mesh) fn places(positions: &[Vec3]) -> Vec<([u32; 3], u32)> {
    let mut places: Vec<_> = (0u32..)
        .zip(positions)
        .filter(|(_, position)| position.is_finite())
        .map(|(vertex, position)| {
            // Adding zero turns -0 into +0: the same place, but not the same bits.
            (position.to_array().map(|x| (x + 0.0).to_bits()), vertex)
        })
        .collect();
    places.sort_unstable();
    places
}

/// Reports triangles with indices out of range, degenerate ones and slivers.
pub(super) fn check_triangles(mesh: &TriMesh, issues: &mut Vec<MeshIssue>) {
    for (triangle, &corners) in (0u32..).zip(&mesh.triangles) {
        let valid = |&v: &u32| mesh.positions.get(v as usize).copied();
        if !corners.iter().all(|v| valid(v).is_some()) {
            let position = corners.iter().find_map(valid);
            for &vertex in corners.iter().filter(|v| valid(v).is_none()) {
                issues.push(MeshIssue::IndexOutOfRange { triangle, vertex, position });
            }
            continue;
        }
        let position = centre(mesh, &corners);
        if is_degenerate(mesh, corners) {
            issues.push(MeshIssue::DegenerateTriangle { triangle, corners, position });
        } else {
            let ratio = height_ratio(mesh, corners);
            if ratio < SLIVER_RATIO {
                issues.push(MeshIssue::SliverTriangle { triangle, corners, ratio, position });
            }
        }
    }
}

/// Whether a triangle with valid indices names a vertex twice or is as good as a line. One with a
/// vertex that is not finite is not: that vertex is the problem.
pub(crate) fn is_degenerate(mesh: &TriMesh, corners: [u32; 3]) -> bool {
    let [a, b, c] = corners;
    a == b || b == c || c == a || height_ratio(mesh, corners) < DEGENERATE_RATIO
}

/// The height over the longest edge, divided by that edge; 0 for a point, NaN if not finite.
fn height_ratio(mesh: &TriMesh, corners: [u32; 3]) -> f64 {
    let [a, b, c] = corners.map(|v| mesh.positions[v as usize].as_dvec3());
    let (u, v, w) = (b - a, c - a, c - b);
    let longest_sq = u.length_squared().max(v.length_squared()).max(w.length_squared());
    // f32 coordinates squared cannot underflow in f64, so this is 0 only for three equal places.
    if longest_sq == 0.0 { 0.0 } else { u.cross(v).length() / longest_sq }
}

/// Reports triangles over the same three vertices as an earlier one.
pub(super) fn check_duplicate_triangles(mesh: &TriMesh, issues: &mut Vec<MeshIssue>) {
    let mut sets: Vec<([u32; 3], u32)> =
        (0u32..).zip(&mesh.triangles).map(|(t, &set)| (sorted(set), t)).collect();
    sets.sort_unstable();
    let mut duplicates: Vec<(u32, u32)> = Vec::new();
    for group in sets.chunk_by(|a, b| a.0 == b.0) {
        duplicates.extend(group[1..].iter().map(|&(_, triangle)| (triangle, group[0].1)));
    }
    duplicates.sort_unstable();
    for (triangle, original) in duplicates {
        let position = centre(mesh, &mesh.triangles[triangle as usize]);
        issues.push(MeshIssue::DuplicateTriangle { triangle, original, position });
    }
}

/// The vertices of a triangle in ascending order.
fn sorted(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// The mean place of those vertices that exist.
pub(super) fn centre(mesh: &TriMesh, vertices: &[u32]) -> Vec3 {
    let present = || vertices.iter().filter_map(|&v| mesh.positions.get(v as usize));
    let sum: glam::DVec3 = present().map(|p| p.as_dvec3()).sum();
    (sum / present().count().max(1) as f64).as_vec3()
}
