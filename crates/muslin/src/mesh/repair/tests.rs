use glam::{Vec2, Vec3, vec2, vec3};

use super::*;
use crate::mesh::validate::{IssueKind, validate};

fn square() -> TriMesh {
    TriMesh::new(vec![Vec3::ZERO, Vec3::X, vec3(1.0, 1.0, 0.0), Vec3::Y], vec![[0, 1, 2], [0, 2, 3]])
}

fn splitting() -> RepairOptions {
    RepairOptions { split_non_manifold: true, ..RepairOptions::default() }
}

#[test]
fn a_sound_mesh_stays_as_it_is() {
    let mut mesh = square();
    mesh.uvs = Some(vec![[Vec2::ZERO, Vec2::X, Vec2::ONE], [Vec2::ZERO, Vec2::ONE, Vec2::Y]]);
    mesh.groups.insert("pins".into(), vec![3, 1]);
    let (repaired, report) = repair(&mesh, &splitting()).unwrap();
    assert_eq!(repaired, mesh);
    assert!(!report.changed());
    assert_eq!(report.to_string(), "nothing to repair");
    assert_eq!(report.vertex_map, [Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn unusable_triangles_and_their_vertices_go() {
    let mut mesh = square();
    mesh.positions.insert(0, Vec3::NAN);
    mesh.triangles = vec![[1, 2, 3], [1, 3, 4], [0, 1, 2], [1, 2, 77], [2, 2, 3], [3, 1, 2]];
    mesh.groups.insert("pins".into(), vec![4, 0, 99]);
    let (repaired, report) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!(repaired.triangles, square().triangles);
    assert_eq!(repaired.groups["pins"], [3]);
    assert_eq!(report.vertex_map, [None, Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(report.triangle_origins, [0, 1]);
    assert_eq!((report.dropped_out_of_range, report.dropped_non_finite), (1, 1));
    assert_eq!((report.dropped_degenerate, report.dropped_duplicates), (1, 1));
    assert_eq!((report.dropped_vertices, report.dropped_group_members), (1, 2));
}

#[test]
fn welding_closes_a_seam_and_carries_groups() {
    let mut mesh = square();
    mesh.positions.extend([Vec3::ZERO, vec3(1.0, 1.0, 1e-4)]);
    mesh.triangles[1] = [4, 5, 3];
    mesh.groups.insert("seam".into(), vec![0, 4, 5]);
    let (repaired, report) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!((repaired.positions.len(), report.welded_vertices), (5, 1));
    let options = RepairOptions { weld_tolerance: Some(1e-3), ..RepairOptions::default() };
    let (repaired, report) = repair(&mesh, &options).unwrap();
    assert_eq!((&repaired.positions, &repaired.triangles), (&square().positions, &square().triangles));
    assert_eq!(repaired.groups["seam"], [0, 2]);
    assert_eq!(report.vertex_map[4..], [Some(0), Some(2)]);
    let options = RepairOptions { weld_tolerance: None, ..RepairOptions::default() };
    assert_eq!(repair(&mesh, &options).unwrap().0.positions.len(), 6);
}

#[test]
fn the_minority_is_turned_with_its_texture_coordinates() {
    let mut mesh = square();
    mesh.positions.push(vec3(0.5, -1.0, 0.0));
    mesh.triangles = vec![[0, 2, 1], [0, 2, 3], [0, 4, 1]];
    mesh.uvs = Some(vec![[Vec2::ZERO, vec2(0.2, 0.0), vec2(0.1, 0.0)]; 3]);
    let (repaired, report) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!(repaired.triangles, [[0, 1, 2], [0, 2, 3], [0, 4, 1]]);
    let uvs = repaired.uvs.unwrap();
    assert_eq!(uvs[0], [Vec2::ZERO, vec2(0.1, 0.0), vec2(0.2, 0.0)]);
    assert_eq!(uvs[1], mesh.uvs.unwrap()[1]);
    assert_eq!(report.flipped_triangles, 1);
}

#[test]
fn a_moebius_strip_is_reported_as_not_orientable() {
    let positions = (0..5).map(|k| vec3(k as f32, (k * k) as f32, (k % 2) as f32)).collect();
    // The five-vertex Möbius strip: consecutive triples round a ring of odd length.
    let triangles = (0..5u32).map(|k| [k, (k + 1) % 5, (k + 2) % 5]).collect();
    let (repaired, report) = repair(&TriMesh::new(positions, triangles), &RepairOptions::default()).unwrap();
    assert_eq!(report.non_orientable, [0]);
    assert!(report.to_string().contains("cannot be oriented"));
    assert!(validate(&repaired).count(IssueKind::InconsistentOrientation) > 0);
    let (again, second) = repair(&repaired, &RepairOptions::default()).unwrap();
    assert_eq!((again, second.changed()), (repaired, false));
}

#[test]
fn a_fin_on_a_sheet_is_cut_off() {
    let mut mesh = square();
    mesh.positions.push(Vec3::Z);
    mesh.triangles.push([2, 0, 4]);
    mesh.groups.insert("pins".into(), vec![2]);
    let (kept, _) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!(validate(&kept).count(IssueKind::NonManifoldEdge), 1);
    let (cut, report) = repair(&mesh, &splitting()).unwrap();
    let after = validate(&cut);
    assert_eq!(after.count(IssueKind::NonManifoldEdge) + after.count(IssueKind::NonManifoldVertex), 0);
    // The diagonal has three triangles, so nothing tells which two belong together: all part.
    assert_eq!(after.components, 3);
    assert_eq!(report.split_vertices, 4);
    assert_eq!(cut.groups["pins"].len(), 3);
    assert!(cut.groups["pins"].iter().all(|&v| cut.positions[v as usize] == mesh.positions[2]));
}

#[test]
fn two_cones_that_touch_are_parted() {
    let mut mesh = square();
    mesh.positions.extend([-Vec3::X, -Vec3::Y]);
    mesh.triangles.push([0, 4, 5]);
    let (cut, report) = repair(&mesh, &splitting()).unwrap();
    assert_eq!((report.split_vertices, validate(&cut).components), (1, 2));
    assert_eq!(cut.triangles[2], [6, 4, 5]);
    assert_eq!(report.vertex_origins, [0, 1, 2, 3, 4, 5, 0]);
}

#[test]
fn what_cannot_be_repaired_is_refused() {
    let options = RepairOptions::default();
    assert_eq!(repair(&TriMesh::default(), &options), Err(MeshError::NoTriangles));
    let mut mesh = square();
    mesh.uvs = Some(Vec::new());
    assert_eq!(repair(&mesh, &options), Err(MeshError::UvCount { uvs: 0, triangles: 2 }));
    for tolerance in [-1.0, f32::NAN, f32::INFINITY] {
        let options = RepairOptions { weld_tolerance: Some(tolerance), ..RepairOptions::default() };
        assert!(matches!(repair(&square(), &options), Err(MeshError::InvalidTolerance(_))));
    }
}

#[test]
fn isolated_vertices_can_be_kept() {
    let mut mesh = square();
    mesh.positions.extend([Vec3::splat(9.0), Vec3::NAN]);
    let options = RepairOptions { drop_isolated: false, ..RepairOptions::default() };
    let (repaired, report) = repair(&mesh, &options).unwrap();
    assert_eq!((repaired.positions.len(), report.dropped_vertices), (5, 1));
    assert_eq!(repair(&mesh, &RepairOptions::default()).unwrap().0.positions.len(), 4);
}

fn closing() -> RepairOptions {
    RepairOptions { close: true, ..RepairOptions::default() }
}

fn is_closed(mesh: &TriMesh) -> bool {
    let report = validate(mesh);
    report.is_clean() && report.closed
}

#[test]
fn a_flap_on_a_body_is_dropped_and_a_hole_filled() {
    let body = crate::mesh::generate::sphere(1.0, 2).unwrap();
    assert!(is_closed(&body));
    // Two flaps: one of two triangles on an edge, and a doubled one.
    let mut mesh = body.clone();
    let [a, b, c] = mesh.triangles[40];
    let first = mesh.positions.len() as u32;
    mesh.positions.extend([vec3(0.0, 3.0, 0.0), vec3(0.0, 3.0, 1.0), vec3(1.0, 3.0, 1.0)]);
    mesh.triangles.extend([[a, b, first], [b, first + 1, first], [b, c, first + 2], [c, b, first + 2]]);
    let (repaired, report) = repair(&mesh, &closing()).unwrap();
    assert!(repaired == body, "{report}");
    assert_eq!(report.dropped_flaps, 3);
    assert!(report.to_string().contains("3 triangles of flaps dropped"));

    // A hole of six edges, with texture coordinates.
    let mut mesh = body.clone();
    let hub = body.triangles[40][0];
    mesh.triangles.retain(|t| !t.contains(&hub));
    let corner = |v: u32| Vec2::new(v as f32, 0.5);
    mesh.uvs = Some(mesh.triangles.iter().map(|t| t.map(corner)).collect());
    let dropped = body.triangles.len() - mesh.triangles.len();
    let (repaired, report) = repair(&mesh, &closing()).unwrap();
    assert!(is_closed(&repaired), "{}", validate(&repaired));
    assert_eq!((report.filled_holes, repaired.triangles.len()), (1, mesh.triangles.len() + dropped - 2));
    let origin = |v: u32| corner(report.vertex_origins[v as usize]);
    let expected: Vec<[Vec2; 3]> = repaired.triangles.iter().map(|t| t.map(origin)).collect();
    assert_eq!(repaired.uvs, Some(expected));
    assert_eq!(repair(&repaired, &closing()).unwrap().0, repaired, "not idempotent");
}

#[test]
fn closing_leaves_cloth_and_what_is_not_clear_alone() {
    let mut fin = square();
    fin.positions.push(Vec3::Z);
    fin.triangles.push([2, 0, 4]);
    let grid = crate::mesh::generate::grid(8, 8, 1.0, 1.0).unwrap();
    for mesh in [square(), fin, grid] {
        let (repaired, report) = repair(&mesh, &closing()).unwrap();
        assert_eq!(repaired, mesh, "{report}");
    }
}

#[test]
fn quads_stay_while_both_of_their_triangles_do() {
    let mut mesh = crate::mesh::generate::grid(2, 1, 1.0, 1.0).unwrap();
    let (repaired, _) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!(repaired.quads, [[0, 1, 4, 3], [1, 2, 5, 4]]);
    // A vertex that nothing uses, a triangle that is gone, and the rest turned round.
    mesh.positions.insert(0, Vec3::splat(9.0));
    mesh.triangles = vec![[1, 5, 2], [1, 4, 5], [2, 6, 3]];
    mesh.quads = vec![[1, 2, 5, 4], [2, 3, 6, 5], [0, 1, 2, 3], [1, 2, 5, 99]];
    mesh.uvs = None;
    mesh.groups.clear();
    let (repaired, _) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!(repaired.quads, [[0, 3, 4, 1]]);
}
