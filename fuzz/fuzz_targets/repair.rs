//! Whatever the OBJ reader accepts is looked over and repaired: no panic, and what comes out can be simulated.
#![no_main]

use libfuzzer_sys::fuzz_target;
use muslin::mesh::TriMesh;
use muslin::mesh::repair::{RepairOptions, repair};
use muslin::mesh::validate::{IssueKind, validate};
use muslin_io::parse_obj;

fuzz_target!(|content: &[u8]| {
    let Ok(mesh) = parse_obj(content) else { return };
    drop(validate(&mesh).to_string());
    let default = RepairOptions::default();
    let splitting = RepairOptions { split_non_manifold: true, ..default.clone() };
    let welding = RepairOptions { weld_tolerance: Some(0.1), ..splitting.clone() };
    check(&mesh, &default, &[]);
    for options in [splitting, welding] {
        check(&mesh, &options, &[IssueKind::NonManifoldEdge, IssueKind::NonManifoldVertex]);
    }
});

/// Repairs the mesh and panics if the outcome has one of these issues, or one that forbids simulation.
fn check(mesh: &TriMesh, options: &RepairOptions, mended: &[IssueKind]) {
    let Ok((repaired, report)) = repair(mesh, options) else { return };
    drop(report.to_string());
    assert_eq!(report.vertex_map.len(), mesh.positions.len());
    assert_eq!(report.vertex_origins.len(), repaired.positions.len());
    assert_eq!(report.triangle_origins.len(), repaired.triangles.len());
    for issue in &validate(&repaired).issues {
        let kind = issue.kind();
        assert!(!kind.is_fatal() && !mended.contains(&kind), "after {options:?}: {issue:?}");
    }
}
