use glam::{Vec2, Vec3, vec3};

use super::*;

/// A unit square of two triangles.
fn square() -> TriMesh {
    TriMesh::new(vec![Vec3::ZERO, Vec3::X, vec3(1.0, 1.0, 0.0), Vec3::Y], vec![[0, 1, 2], [0, 2, 3]])
}

fn kinds(mesh: &TriMesh) -> Vec<IssueKind> {
    validate(mesh).counts().into_keys().collect()
}

#[test]
fn a_sound_square_is_clean() {
    let report = validate(&square());
    assert!(report.is_clean() && report.is_usable(), "{report}");
    assert_eq!((report.edges, report.boundary_edges, report.boundary_loops, report.components), (5, 4, 1, 1));
    assert!(report.to_string().ends_with("no problems found"));
}

#[test]
fn an_empty_mesh_is_not_usable() {
    let report = validate(&TriMesh::default());
    assert_eq!(report.issues, [MeshIssue::NoTriangles]);
    assert!(!report.is_usable());
}

#[test]
fn bad_indices_and_positions_are_named_without_a_panic() {
    let mut mesh = square();
    mesh.positions[3].y = f32::NAN;
    mesh.triangles.push([1, 9, u32::MAX]);
    mesh.groups.insert("pins".into(), vec![0, 4]);
    mesh.uvs = Some(vec![[Vec2::ZERO; 3]]);
    let report = validate(&mesh);
    assert!(!report.is_usable());
    let out_of_range: Vec<_> = report.of_kind(IssueKind::IndexOutOfRange).cloned().collect();
    let expected = |vertex| MeshIssue::IndexOutOfRange { triangle: 2, vertex, position: Some(Vec3::X) };
    assert_eq!(out_of_range, [expected(9), expected(u32::MAX)]);
    assert_eq!(report.count(IssueKind::NonFiniteVertex), 1);
    assert_eq!(report.count(IssueKind::GroupIndexOutOfRange), 1);
    assert_eq!(report.count(IssueKind::UvCount), 1);
    assert!(report.to_string().contains("triangle 2 names vertex 9 at (1, 0, 0)"), "{report}");
}

#[test]
fn vertices_at_one_place_are_grouped_and_minus_zero_is_zero() {
    let mut mesh = square();
    mesh.positions.extend([vec3(-0.0, 0.0, -0.0), vec3(5.0, 0.0, 0.0), Vec3::ZERO]);
    let report = validate(&mesh);
    let group = MeshIssue::DuplicateVertices { vertices: vec![0, 4, 6], position: Vec3::ZERO };
    assert_eq!(report.of_kind(IssueKind::DuplicateVertices).collect::<Vec<_>>(), [&group]);
    assert_eq!(report.surplus_vertices(), 2);
    assert_eq!(report.count(IssueKind::IsolatedVertex), 3);
    assert_eq!(report.components, 1);
    assert!(!report.is_usable() && !report.is_clean());
}

#[test]
fn degenerate_triangles_and_slivers_are_told_apart() {
    let mut mesh = square();
    mesh.positions.extend([vec3(0.5, 0.0, 0.0), vec3(0.5, -5e-4, 0.0)]);
    mesh.triangles.extend([[0, 1, 4], [3, 3, 2], [1, 0, 5]]);
    let report = validate(&mesh);
    let degenerate: Vec<u32> = report
        .of_kind(IssueKind::DegenerateTriangle)
        .filter_map(|issue| match issue {
            MeshIssue::DegenerateTriangle { triangle, .. } => Some(*triangle),
            _ => None,
        })
        .collect();
    assert_eq!(degenerate, [2, 3]);
    let Some(MeshIssue::SliverTriangle { triangle: 4, ratio, .. }) =
        report.of_kind(IssueKind::SliverTriangle).next()
    else {
        panic!("no sliver in {report}");
    };
    assert!((ratio - 5e-4).abs() < 1e-9);
    assert!(!report.is_usable());
}

#[test]
fn tiny_triangles_are_not_degenerate() {
    let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X * 1e-30, Vec3::Y * 1e-30], vec![[0, 1, 2]]);
    assert!(validate(&mesh).is_clean());
}

#[test]
fn a_doubled_triangle_is_named_with_its_original() {
    let mut mesh = square();
    mesh.triangles.push([2, 0, 1]);
    let report = validate(&mesh);
    assert!(
        report
            .issues
            .iter()
            .any(|issue| { matches!(issue, MeshIssue::DuplicateTriangle { triangle: 2, original: 0, .. }) })
    );
    assert_eq!(kinds(&mesh).first(), Some(&IssueKind::DuplicateTriangle));
}

#[test]
fn three_triangles_at_an_edge_are_not_manifold() {
    let mut mesh = square();
    mesh.positions.push(Vec3::Z);
    mesh.triangles.push([2, 0, 4]);
    let report = validate(&mesh);
    let edge =
        MeshIssue::NonManifoldEdge { edge: [0, 2], triangles: vec![0, 1, 2], position: vec3(0.5, 0.5, 0.0) };
    assert_eq!(report.of_kind(IssueKind::NonManifoldEdge).collect::<Vec<_>>(), [&edge]);
    assert_eq!(report.count(IssueKind::NonManifoldVertex), 0);
    assert_eq!(report.count(IssueKind::InconsistentOrientation), 1);
}

#[test]
fn two_fans_that_touch_in_a_vertex_are_not_manifold() {
    let mut mesh = square();
    mesh.positions.extend([-Vec3::X, -Vec3::Y]);
    mesh.triangles.push([0, 4, 5]);
    let report = validate(&mesh);
    assert_eq!(report.issues, [MeshIssue::NonManifoldVertex { vertex: 0, fans: 2, position: Vec3::ZERO }]);
}

#[test]
fn a_flipped_triangle_is_inconsistent() {
    let mut mesh = square();
    mesh.triangles[1] = [0, 3, 2];
    let report = validate(&mesh);
    let flipped = MeshIssue::InconsistentOrientation {
        edge: [2, 0],
        triangles: vec![0, 1],
        position: vec3(0.5, 0.5, 0.0),
    };
    assert_eq!(report.issues, [flipped]);
}

#[test]
fn long_reports_show_the_first_few_of_each_kind() {
    let mut mesh = square();
    mesh.positions.extend((0..100).map(|k| Vec3::splat(2.0 + k as f32)));
    let text = validate(&mesh).to_string();
    assert!(text.contains("error: 100 isolated vertices\n  vertex 4 at (2, 2, 2)"), "{text}");
    assert!(text.ends_with("… and 97 more"), "{text}");
}
