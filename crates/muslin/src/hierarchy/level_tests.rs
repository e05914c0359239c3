//! Tests of whole hierarchies: sizes, shapes, topology, what must survive.

use super::test_meshes::{grid, irregular, join, sphere, torus, tube};
use super::*;
use crate::mesh::{MeshError, Topology, TriMesh};
use glam::Vec3;

fn options(levels: usize) -> HierarchyOptions {
    HierarchyOptions { levels, ..HierarchyOptions::default() }
}

fn levels(mesh: &TriMesh, count: usize) -> Hierarchy {
    build(mesh, &vec![false; mesh.positions.len()], &options(count)).unwrap()
}

fn euler_characteristic(level: &Level) -> i64 {
    let edges = Topology::new(level.positions.len(), &level.triangles).edges.len();
    level.positions.len() as i64 - edges as i64 + level.triangles.len() as i64
}

/// Every edge has one or two triangles, and each direction of it at most one.
fn assert_manifold(level: &Level) {
    let mut sides: Vec<[u32; 2]> =
        level.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let all = sides.len();
    sides.sort_unstable();
    sides.dedup();
    assert_eq!(sides.len(), all);
}

#[test]
fn seven_levels_of_a_square_stay_round_and_keep_their_area() {
    for mesh in [grid(104, 99), irregular(104, 99, 1), irregular(104, 99, 2)] {
        let hierarchy = levels(&mesh, 7);
        assert_eq!(hierarchy.levels.len(), 7);
        let area = mesh.total_area();
        let reports = quality(&hierarchy);
        // No coarse triangle is worse than the rule says, but for those of the input left over.
        let smallest = reports[6].smallest_quality.min(0.4);
        for (l, report) in reports.iter().enumerate() {
            let ideal = 20592.0 / f64::from(1 << (6 - l));
            assert!((report.triangles as f64 - ideal).abs() <= 1.5, "level {l}: {report:?}");
            assert!((report.area - area).abs() < 1e-9 * area, "level {l}: {report:?}");
            assert_eq!(report.flipped, 0);
            assert!(report.largest_valence <= 11);
            assert!(report.smallest_quality >= if l < 5 { 0.4 } else { smallest }, "level {l}: {report:?}");
            assert!(report.smallest_angle_degrees > 14.0);
            assert_manifold(&hierarchy.levels[l]);
        }
    }
}

#[test]
fn the_finest_level_is_the_input() {
    let mesh = irregular(20, 20, 3);
    let hierarchy = levels(&mesh, 3);
    let finest = hierarchy.finest();
    assert_eq!(finest.triangles, mesh.triangles);
    assert!(finest.positions.iter().zip(&mesh.positions).all(|(a, b)| *a == b.as_dvec3()));
    assert!(finest.finer_vertex.is_empty());
    for l in 0..2 {
        let (coarse, fine) = (&hierarchy.levels[l], &hierarchy.levels[l + 1]);
        assert!(coarse.finer_vertex.is_sorted());
        for (vertex, &finer) in coarse.finer_vertex.iter().enumerate() {
            assert_eq!(coarse.positions[vertex], fine.positions[finer as usize]);
        }
    }
}

#[test]
fn the_fraction_removed_is_the_one_asked_for() {
    let mesh = irregular(60, 60, 4);
    for removal in [0.25, 0.5, 0.7] {
        let options = HierarchyOptions { levels: 4, removal, ..HierarchyOptions::default() };
        let hierarchy = build(&mesh, &vec![false; mesh.positions.len()], &options).unwrap();
        for (k, level) in hierarchy.levels.iter().rev().enumerate() {
            let ideal = (7200.0 * (1.0 - removal).powi(k as i32)).round();
            assert!((level.triangles.len() as f64 - ideal).abs() <= 1.0);
        }
    }
}

#[test]
fn tubes_and_closed_surfaces_keep_their_topology() {
    let shapes = [
        (tube(48, 60, 0.3, 2.0, 1.0), 0),
        (tube(6, 40, 0.05, 2.0, 1.0), 0),
        (torus(60, 30), 0),
        (sphere(32, 24), 2),
        (join(torus(40, 20), &sphere(24, 16), Vec3::X), 2),
    ];
    for (mesh, characteristic) in shapes {
        let components = Topology::new(mesh.positions.len(), &mesh.triangles).components().1;
        for level in &levels(&mesh, 6).levels {
            assert_eq!(euler_characteristic(level), characteristic);
            assert_eq!(Topology::new(level.positions.len(), &level.triangles).components().1, components);
            assert_manifold(level);
        }
    }
}

#[test]
fn a_round_hem_gets_coarser_with_the_rest() {
    let hierarchy = levels(&tube(64, 64, 0.3, 2.0, 1.0), 7);
    let rim = |level: &Level| level.positions.iter().filter(|p| p.z == 0.0).count();
    assert_eq!(rim(hierarchy.finest()), 64);
    assert!(rim(&hierarchy.levels[0]) <= 12, "{}", rim(&hierarchy.levels[0]));
}

#[test]
fn small_things_stay_what_they_are() {
    let triangle = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let tetrahedron = TriMesh::new(
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
        vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    );
    for mesh in [triangle, tetrahedron] {
        let hierarchy = levels(&mesh, 5);
        assert_eq!((hierarchy.levels.len(), hierarchy.requested_levels), (1, 5));
        assert!(hierarchy.transfers.is_empty());
    }
    let strip = grid(200, 1);
    for level in &levels(&strip, 8).levels {
        let area = level_area(level);
        assert!((area - strip.total_area()).abs() < 1e-12);
        assert_eq!(euler_characteristic(level), 1);
    }
}

fn level_area(level: &Level) -> f64 {
    let area = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| level.positions[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    level.triangles.iter().map(area).sum()
}

#[test]
fn fixed_vertices_are_on_every_level() {
    let mesh = irregular(40, 40, 5);
    let chosen = [7_usize, 200, 841, 842, 1500];
    let mut fixed = vec![false; mesh.positions.len()];
    chosen.iter().for_each(|&v| fixed[v] = true);
    for nesting in [Nesting::Nested, Nesting::NonNested] {
        let options = HierarchyOptions { nesting, ..options(6) };
        let hierarchy = build(&mesh, &fixed, &options).unwrap();
        for (l, level) in hierarchy.levels.iter().enumerate() {
            let origin = hierarchy.finest_vertices(l);
            for &v in &chosen {
                let place = origin.binary_search(&(v as u32)).unwrap();
                assert!(level.fixed[place]);
                assert_eq!(level.positions[place], mesh.positions[v].as_dvec3());
            }
            assert_eq!(level.fixed.iter().filter(|&&fixed| fixed).count(), chosen.len());
        }
    }
}

#[test]
fn a_seam_of_three_sheets_is_left_alone_and_the_sheets_get_coarser() {
    // Three half planes that meet in the y axis.
    let sheet = irregular(24, 24, 6);
    let mut mesh = sheet.clone();
    let seam: Vec<u32> = (0..25).map(|j| 25 * j).collect();
    for turn in [120.0_f32, 240.0] {
        let shift = mesh.positions.len() as u32;
        let (sin, cos) = turn.to_radians().sin_cos();
        mesh.positions.extend(sheet.positions.iter().map(|p| Vec3::new(cos * p.x, p.y, sin * p.x)));
        let weld = |v: u32| if v.is_multiple_of(25) { v } else { v + shift };
        mesh.triangles.extend(sheet.triangles.iter().map(|corners| corners.map(weld)));
    }
    let hierarchy = levels(&mesh, 4);
    assert_eq!(hierarchy.levels.len(), 4);
    for l in 0..4 {
        let origin = hierarchy.finest_vertices(l);
        assert!(seam.iter().all(|v| origin.binary_search(v).is_ok()));
    }
}

#[test]
fn the_same_input_gives_the_same_hierarchy() {
    let mesh = irregular(50, 50, 7);
    assert_eq!(levels(&mesh, 6), levels(&mesh, 6));
}

#[test]
fn bad_requests_are_refused() {
    let mesh = grid(2, 2);
    let fixed = vec![false; 9];
    let with = |levels, removal| build(&mesh, &fixed, &HierarchyOptions { removal, ..options(levels) });
    assert_eq!(with(0, 0.5), Err(HierarchyError::NoLevels));
    for removal in [0.0, 1.0, -0.5, f64::INFINITY] {
        assert_eq!(with(3, removal), Err(HierarchyError::Removal(removal)));
    }
    assert!(matches!(with(3, f64::NAN), Err(HierarchyError::Removal(_))));
    let short = build(&mesh, &fixed[..8], &options(2));
    assert_eq!(short, Err(HierarchyError::FixedCount { fixed: 8, vertices: 9 }));
    let empty = build(&TriMesh::default(), &[], &options(2));
    assert_eq!(empty, Err(HierarchyError::Mesh(MeshError::NoTriangles)));
}
