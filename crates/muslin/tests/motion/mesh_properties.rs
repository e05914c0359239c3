//! Properties that hold for every mesh, however broken.

use glam::{Vec2, Vec3};
use muslin::mesh::generate::delaunay_rectangle;
use muslin::mesh::repair::{RepairOptions, repair};
use muslin::mesh::validate::{IssueKind, validate};
use muslin::mesh::{MeshError, TriMesh};
use proptest::collection::vec;
use proptest::prelude::*;

/// Coordinates of all sorts: mostly a few values, so that vertices meet, some of any size, and
/// some that are not finite.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => (-2i8..=2).prop_map(f32::from),
        2 => -1e3f32..1e3,
        1 => any::<f32>(),
        1 => prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(-0.0), Just(f32::MAX), Just(1e-45)],
    ]
}

/// A soup of triangles over few vertices, some indices out of range, uvs and groups of any count.
fn soup() -> impl Strategy<Value = TriMesh> {
    let position = (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let index = prop_oneof![30 => 0u32..12, 1 => any::<u32>()];
    let triangle = [index.clone(), index.clone(), index.clone()];
    let group = vec(index, 0..6);
    let uvs = prop_oneof![Just(None), Just(Some(0usize)), Just(Some(usize::MAX))];
    (vec(position, 0..14), vec(triangle, 0..30), group, uvs).prop_map(|(positions, triangles, group, uvs)| {
        let mut mesh = TriMesh::new(positions, triangles);
        // usize::MAX stands for the right count, 0 for a wrong one.
        let corner = |t: usize| [0, 1, 2].map(|k| Vec2::new(t as f32, k as f32));
        mesh.uvs = uvs.map(|count| (0..count.min(mesh.triangles.len())).map(corner).collect());
        mesh.groups.insert("some".into(), group);
        mesh
    })
}

fn options() -> impl Strategy<Value = RepairOptions> {
    let tolerance = prop_oneof![Just(None), Just(Some(0.0)), Just(Some(1e-3)), Just(Some(1.5))];
    (tolerance, any::<[bool; 6]>()).prop_map(|(weld_tolerance, flags)| RepairOptions {
        weld_tolerance,
        drop_degenerate: flags[0],
        drop_duplicates: flags[1],
        drop_isolated: flags[2],
        reorient: flags[3],
        split_non_manifold: flags[4],
        // What was cut apart is welded again in the next round, over holes that were filled by then.
        close: flags[5] && !flags[4],
    })
}

/// Options that remove everything except slivers.
fn thorough(split_non_manifold: bool) -> RepairOptions {
    RepairOptions { split_non_manifold, ..RepairOptions::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn validation_takes_anything(mesh in soup()) {
        let report = validate(&mesh);
        prop_assert!(!report.to_string().is_empty());
        prop_assert_eq!(report.counts().values().sum::<usize>(), report.issues.len());
        if report.is_usable() {
            prop_assert!(muslin::cloth::Cloth::builder(mesh).build().is_ok());
        }
    }

    #[test]
    fn repair_takes_anything_and_is_idempotent(mesh in soup(), options in options()) {
        match repair(&mesh, &options) {
            Ok((repaired, report)) => {
                prop_assert_eq!(repaired.check(), Ok(()));
                prop_assert_eq!(report.vertex_map.len(), mesh.positions.len());
                prop_assert_eq!(report.triangle_origins.len(), repaired.triangles.len());
                for (old, new) in report.vertex_map.iter().enumerate() {
                    let moved = new.map(|new| repaired.positions[new as usize].distance(mesh.positions[old]));
                    prop_assert!(moved.is_none_or(|moved| moved <= options.weld_tolerance.unwrap_or(0.0) * 1.00001));
                }
                let (again, second) = repair(&repaired, &options).unwrap();
                prop_assert_eq!(&again, &repaired);
                if !options.split_non_manifold {
                    prop_assert!(!second.changed(), "changed again: {}", second);
                }
            }
            Err(MeshError::NoTriangles | MeshError::UvCount { .. }) => {}
            Err(error) => return Err(TestCaseError::fail(format!("unexpected: {error}"))),
        }
    }

    #[test]
    fn repaired_meshes_are_clean(mut mesh in soup(), split in any::<bool>()) {
        mesh.uvs = None;
        let Ok((repaired, report)) = repair(&mesh, &thorough(split)) else { return Ok(()) };
        let after = validate(&repaired);
        prop_assert!(after.is_usable(), "{}", after);
        let count = |kind| after.count(kind);
        prop_assert_eq!(count(IssueKind::DuplicateTriangle) + count(IssueKind::IsolatedVertex), 0);
        if split {
            prop_assert_eq!(count(IssueKind::NonManifoldEdge) + count(IssueKind::NonManifoldVertex), 0);
            let disagree = count(IssueKind::InconsistentOrientation) > 0;
            prop_assert_eq!(disagree, !report.non_orientable.is_empty());
        } else {
            prop_assert_eq!(count(IssueKind::DuplicateVertices), 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn shuffled_sheets_come_back_whole(triangles in 2usize..400, seed in any::<u64>(), flips in any::<u64>()) {
        let mut mesh = delaunay_rectangle(1.3, 0.8, triangles, seed).unwrap();
        let boundary = mesh.groups["boundary"].len();
        // Unweld everything and turn some triangles round.
        mesh.positions = mesh.triangles.iter().flatten().map(|&v| mesh.positions[v as usize]).collect();
        mesh.groups.clear();
        for (t, corners) in mesh.triangles.iter_mut().enumerate() {
            let first = 3 * t as u32;
            *corners = [first, first + 1, first + 2];
            if flips >> (t % 64) & 1 == 1 {
                corners.swap(1, 2);
            }
        }
        let (repaired, report) = repair(&mesh, &RepairOptions::default()).unwrap();
        let after = validate(&repaired);
        prop_assert!(after.is_clean(), "{}", after);
        prop_assert_eq!((after.components, after.boundary_loops, after.boundary_edges), (1, 1, boundary));
        prop_assert!(2 * report.flipped_triangles <= triangles);
    }

    #[test]
    fn delaunay_rectangles_of_any_shape_are_exact_or_refused(
        width in 1e-9f32..1e9, log_height in -9f32..9.0, triangles in 2usize..300, seed in any::<u64>(),
    ) {
        let height = 10f32.powf(log_height).clamp(1e-9, 1e9);
        if let Ok(mesh) = delaunay_rectangle(width, height, triangles, seed) {
            prop_assert_eq!(mesh.triangles.len(), triangles);
            prop_assert_eq!(mesh.check(), Ok(()));
        }
    }
}
