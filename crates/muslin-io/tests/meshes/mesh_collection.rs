//! Meshes that are found in the world, good and bad, in `data/meshes`, against the table in their README.

use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use muslin::mesh::TriMesh;
use muslin::mesh::repair::{RepairOptions, repair};
use muslin::mesh::validate::{IssueKind, MeshReport, validate};
use muslin_io::{parse_obj, parse_ply, read_mesh};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/meshes")
}

/// A mesh of the table.
fn read(file: &str) -> TriMesh {
    if file == "dragon.ply" {
        return read_mesh(folder().join("../../../../../scenes/dragon/dragon.ply")).unwrap();
    }
    let packed = std::fs::read(folder().join(format!("{file}.gz"))).unwrap();
    let mut content = Vec::new();
    GzDecoder::new(&*packed).read_to_end(&mut content).unwrap();
    if file.ends_with(".ply") { parse_ply(&content).unwrap() } else { parse_obj(&content).unwrap() }
}

/// The table: files and what has to be found in them.
fn table() -> Vec<(String, Row)> {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let rows: Vec<(String, Row)> = readme.lines().filter_map(parse_row).collect();
    assert_eq!(rows.len(), 16);
    rows
}

/// The columns of the README that the validation sees.
#[derive(Debug, PartialEq)]
struct Row {
    vertices: usize,
    triangles: usize,
    components: usize,
    boundary_loops: usize,
    non_manifold: [usize; 2],
    misoriented: usize,
    duplicate_vertices: usize,
    degenerate: usize,
    slivers: usize,
    duplicate_faces: usize,
    has_uvs: bool,
}

fn row(report: &MeshReport, has_uvs: bool) -> Row {
    Row {
        vertices: report.vertices,
        triangles: report.triangles,
        components: report.components,
        boundary_loops: report.boundary_loops,
        non_manifold: [report.count(IssueKind::NonManifoldEdge), report.count(IssueKind::NonManifoldVertex)],
        misoriented: report.count(IssueKind::InconsistentOrientation),
        duplicate_vertices: report.surplus_vertices(),
        degenerate: report.count(IssueKind::DegenerateTriangle),
        slivers: report.count(IssueKind::SliverTriangle),
        duplicate_faces: report.count(IssueKind::DuplicateTriangle),
        has_uvs,
    }
}

/// Parses a row of the table in the README.
fn parse_row(line: &str) -> Option<(String, Row)> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let number = |k: usize| cells.get(k)?.split([' ', '/']).next()?.parse::<usize>().ok();
    let row = Row {
        vertices: number(2)?,
        triangles: number(3)?,
        components: number(4)?,
        boundary_loops: number(5)?,
        non_manifold: [number(7)?, cells.get(7)?.split('/').nth(1)?.parse().ok()?],
        misoriented: number(8)?,
        duplicate_vertices: number(9)?,
        degenerate: number(10)?,
        slivers: number(11)?,
        duplicate_faces: number(12)?,
        has_uvs: cells.get(13)?.starts_with("yes"),
    };
    Some((cells[1].to_owned(), row))
}

/// The table counts in the double precision of the text files. We keep single precision, in which
/// some vertices of two files fall together and some triangles become as good as lines.
fn in_single_precision(file: &str, row: &mut Row) {
    match file {
        "offset1_slivers.obj" => {
            assert_eq!((row.duplicate_vertices, row.degenerate, row.slivers), (2, 0, 616));
            (row.duplicate_vertices, row.degenerate, row.slivers) = (32, 42, 593);
        }
        "openscad-nonmanifold-crash.obj" => {
            assert_eq!((row.duplicate_vertices, row.degenerate, row.slivers), (59, 1, 102));
            (row.duplicate_vertices, row.degenerate, row.slivers) = (60, 2, 101);
        }
        _ => {}
    }
}

#[test]
fn every_row_of_the_readme_is_seen() {
    for (file, mut expected) in table() {
        in_single_precision(&file, &mut expected);
        let mesh = read(&file);
        let report = validate(&mesh);
        assert_eq!(row(&report, mesh.uvs.is_some()), expected, "{file}: {report}");
        let isolated = report.count(IssueKind::IsolatedVertex);
        assert_eq!(report.is_usable(), expected.degenerate + isolated == 0, "{file}");
    }
}

#[test]
fn every_mesh_can_be_repaired() {
    for (file, _) in table() {
        let mesh = read(&file);
        for split_non_manifold in [false, true] {
            let options = RepairOptions { split_non_manifold, ..RepairOptions::default() };
            let (repaired, report) = repair(&mesh, &options).unwrap();
            let after = validate(&repaired);
            assert!(after.is_usable(), "{file}: {after}");
            let left = |kinds: &[IssueKind]| kinds.iter().map(|&kind| after.count(kind)).sum::<usize>();
            assert_eq!(left(&[IssueKind::DuplicateTriangle, IssueKind::IsolatedVertex]), 0, "{file}");
            if split_non_manifold {
                assert_eq!(left(&[IssueKind::NonManifoldEdge, IssueKind::NonManifoldVertex]), 0, "{file}");
                assert!(report.non_orientable.is_empty(), "{file}: {report}");
                assert_eq!(left(&[IssueKind::InconsistentOrientation]), 0, "{file}");
            } else {
                assert_eq!(left(&[IssueKind::DuplicateVertices]), 0, "{file}");
            }
            assert_eq!(repair(&repaired, &options).unwrap().0, repaired, "{file}: not idempotent");
        }
    }
}

#[test]
fn welding_closes_the_unwelded_scan() {
    let mesh = read("busted_unwelded.ply");
    let (repaired, report) = repair(&mesh, &RepairOptions::default()).unwrap();
    assert_eq!((report.welded_vertices, repaired.positions.len()), (9693, 1941));
    let after = validate(&repaired);
    assert_eq!((after.components, after.boundary_loops, after.edges), (1, 0, 5817));
}

#[test]
fn the_dragon_can_be_closed() {
    let mesh = read("dragon.ply");
    let (repaired, _) = repair(&mesh, &RepairOptions::default()).unwrap();
    let before = validate(&repaired);
    assert_eq!((before.boundary_edges, before.count(IssueKind::NonManifoldEdge)), (9, 6));
    let options = RepairOptions { close: true, ..RepairOptions::default() };
    let (repaired, report) = repair(&mesh, &options).unwrap();
    assert_eq!((report.dropped_duplicates, report.dropped_flaps, report.filled_holes), (5, 5, 0));
    let after = validate(&repaired);
    let kinds =
        [IssueKind::NonManifoldEdge, IssueKind::NonManifoldVertex, IssueKind::InconsistentOrientation];
    assert!(after.closed && kinds.iter().all(|&kind| after.count(kind) == 0), "{after}");
    assert_eq!(repair(&repaired, &options).unwrap().0, repaired, "not idempotent");
}

/// A vertex on a seam has a place in each of the panels that are sewn together there.
#[test]
fn vertices_on_seams_lie_in_several_panels() {
    for (file, most) in [("skirt.obj", 2), ("shirt.obj", 6), ("suit_makehuman_casual04.obj", 4)] {
        let mesh = read(file);
        let uvs = mesh.uvs.as_ref().unwrap();
        let mut places = vec![Vec::new(); mesh.positions.len()];
        for (&vertex, uv) in mesh.triangles.as_flattened().iter().zip(uvs.as_flattened()) {
            let places = &mut places[vertex as usize];
            if !places.contains(uv) {
                places.push(*uv);
            }
        }
        assert_eq!(places.iter().map(Vec::len).max(), Some(most), "{file}");
        assert!(places.iter().filter(|places| places.len() > 1).count() > 30, "{file}");
    }
}
