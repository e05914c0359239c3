use std::f64::consts::PI;

use glam::{Vec2, Vec3, vec3};

use super::*;
use crate::mesh::TriMesh;
use crate::mesh::validate::validate;

/// The smallest angle of a mesh in degrees.
fn smallest_angle(mesh: &TriMesh) -> f64 {
    let angle = |t: usize, k: usize| {
        let corners = mesh.corners(t);
        let here = corners[k];
        (corners[(k + 1) % 3] - here).angle_between(corners[(k + 2) % 3] - here)
    };
    let angles = (0..mesh.triangles.len()).flat_map(|t| (0..3).map(move |k| angle(t, k)));
    angles.fold(f64::INFINITY, f64::min).to_degrees()
}

fn assert_clean(mesh: &TriMesh, components: usize, boundary_loops: usize) {
    let report = validate(mesh);
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.components, report.boundary_loops), (components, boundary_loops));
    mesh.check().unwrap();
}

/// A flat mesh of the given area whose triangles all face +z, with (x, y) as texture coordinates.
fn assert_flat(mesh: &TriMesh, size: Vec2, area: f64) {
    assert_clean(mesh, 1, 1);
    let (lowest, highest) = mesh.bounds().unwrap();
    assert_eq!(lowest, Vec3::ZERO);
    assert!((highest.truncate() - size).abs().max_element() <= 1e-6 * size.max_element(), "{highest}");
    assert!((mesh.total_area() - area).abs() < 1e-5 * area, "area {}", mesh.total_area());
    for (t, uvs) in mesh.uvs.as_ref().unwrap().iter().enumerate() {
        let [a, b, c] = mesh.corners(t);
        assert!((b - a).cross(c - a).z > 0.0, "triangle {t} faces backwards");
        assert_eq!(uvs.map(|uv| uv.extend(0.0).as_dvec3()), [a, b, c]);
    }
}

fn assert_rectangle_groups(mesh: &TriMesh, size: Vec2) {
    let at = |v: &u32| mesh.positions[*v as usize].truncate();
    let corners: Vec<Vec2> = mesh.groups["corners"].iter().map(at).collect();
    assert_eq!(corners, [Vec2::ZERO, size * Vec2::X, size, size * Vec2::Y]);
    assert!(mesh.groups["top"].iter().all(|v| at(v).y == size.y));
    assert!(mesh.groups["bottom"].iter().all(|v| at(v).y == 0.0));
    assert!(mesh.groups["left"].iter().all(|v| at(v).x == 0.0));
    assert!(mesh.groups["right"].iter().all(|v| at(v).x == size.x));
    let sides: usize = ["top", "bottom", "left", "right"].iter().map(|side| mesh.groups[*side].len()).sum();
    let boundary = &mesh.groups["boundary"];
    assert_eq!((boundary.len(), boundary.len()), (sides - 4, validate(mesh).boundary_edges));
    let walk = boundary.iter().zip(boundary.iter().cycle().skip(1));
    let length: f32 = walk.map(|(a, b)| at(a).distance(at(b))).sum();
    assert!((length - 2.0 * (size.x + size.y)).abs() < 1e-4 * length, "boundary is not in order");
}

#[test]
fn grids_are_flat_clean_and_named() {
    for make in [grid, alternating_grid] {
        let mesh = make(5, 3, 2.5, 0.9).unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (24, 30));
        assert_flat(&mesh, Vec2::new(2.5, 0.9), 2.5 * 0.9);
        assert_rectangle_groups(&mesh, Vec2::new(2.5, 0.9));
    }
    let valence = |mesh: &TriMesh, v: u32| mesh.triangles.iter().filter(|t| t.contains(&v)).count();
    let inner = |mesh: &TriMesh| [6, 7, 11, 12].map(|v| valence(mesh, v));
    assert_eq!(inner(&grid(4, 4, 1.0, 1.0).unwrap()), [6; 4]);
    assert_eq!(inner(&alternating_grid(4, 4, 1.0, 1.0).unwrap()), [8, 4, 4, 8]);
}

#[test]
fn disks_are_round() {
    for rings in [1, 2, 5, 16] {
        let mesh = disk(0.5, rings).unwrap();
        assert_eq!(mesh.triangles.len(), 6 * rings * rings);
        assert_eq!(mesh.groups["boundary"].len(), 6 * rings);
        let sides = (6 * rings) as f64;
        assert_clean(&mesh, 1, 1);
        let area = 0.5 * sides * 0.25 * (2.0 * PI / sides).sin();
        assert!((mesh.total_area() - area).abs() < 1e-6);
        assert!(smallest_angle(&mesh) > 35.0, "{rings} rings: {}°", smallest_angle(&mesh));
        assert!((0..mesh.triangles.len()).all(|t| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(c - a).z > 0.0
        }));
    }
    assert_flat(&disk(2.0, 4).unwrap(), Vec2::splat(4.0), 24.0 * 2.0 * (PI / 12.0).sin());
    assert_eq!(disk(2.0, 4).unwrap().groups["top"].len(), 1);
    assert_eq!(disk(2.0, 3).unwrap().groups["top"].len(), 2);
}

/// The volume inside a closed mesh; positive if the normals point outwards.
fn volume(mesh: &TriMesh) -> f64 {
    let signed = |t| {
        let [a, b, c] = mesh.corners(t);
        a.dot(b.cross(c)) / 6.0
    };
    (0..mesh.triangles.len()).map(signed).sum()
}

#[test]
fn spheres_and_boxes_are_closed_and_face_outwards() {
    for subdivisions in 0..5 {
        let mesh = sphere(2.0, subdivisions).unwrap();
        assert_eq!(mesh.triangles.len(), 20 << (2 * subdivisions));
        assert_clean(&mesh, 1, 0);
        assert!(mesh.positions.iter().all(|p| (p.length() - 2.0).abs() < 1e-6));
        assert!(volume(&mesh) > 20.0 && volume(&mesh) < 4.0 / 3.0 * PI * 8.0);
    }
    for subdivisions in 1..6 {
        let mesh = cuboid(vec3(1.0, 2.0, 3.0), subdivisions).unwrap();
        assert_eq!(mesh.positions.len(), 6 * subdivisions * subdivisions + 2);
        assert_clean(&mesh, 1, 0);
        assert!((volume(&mesh) - 6.0).abs() < 1e-5);
        assert_eq!(mesh.bounds(), Some((vec3(-0.5, -1.0, -1.5), vec3(0.5, 1.0, 1.5))));
    }
}

#[test]
fn tubes_are_open_and_face_outwards() {
    let mesh = tube(0.5, 2.0, 12, 7).unwrap();
    assert_clean(&mesh, 1, 2);
    assert_eq!((mesh.groups["top"].len(), mesh.groups["bottom"].len()), (12, 12));
    assert!(mesh.groups["top"].iter().all(|&v| mesh.positions[v as usize].y == 2.0));
    let uvs = mesh.uvs.as_ref().unwrap();
    for (t, uv) in uvs.iter().enumerate() {
        let [a, b, c] = mesh.corners(t);
        let centre = (a + b + c) / 3.0;
        let outwards = glam::dvec3(centre.x, 0.0, centre.z);
        assert!((b - a).cross(c - a).dot(outwards) > 0.0);
        // The unrolled triangle has the arc in place of the chord.
        let flat_area = 0.5 * (uv[1] - uv[0]).perp_dot(uv[2] - uv[0]).abs();
        assert!((f64::from(flat_area) / mesh.area(t) - 1.0).abs() < 0.02);
    }
}

#[test]
fn panels_of_a_tube_that_widens_keep_lengths_and_have_seams_between_them() {
    for (radii, panels) in
        [([0.5, 0.15], 4), ([0.15, 0.5], 4), ([0.3, 0.3], 3), ([0.5, 0.5 - 1e-7], 1), ([0.6, 0.1], 1)]
    {
        let mesh = panelled_tube(radii, 0.6, [48, 10], panels).unwrap();
        assert_clean(&mesh, 1, 2);
        let uvs = mesh.uvs.as_ref().unwrap();
        let mut sides = std::collections::HashMap::<_, Vec<_>>::new();
        for (corners, uv) in mesh.triangles.iter().zip(uvs) {
            assert!((uv[1] - uv[0]).perp_dot(uv[2] - uv[0]) < 0.0, "u runs with the segments, v upwards");
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]];
                let [from, to] = [uv[k], uv[(k + 1) % 3]];
                let [p, q] = [a, b].map(|v| mesh.positions[v as usize]);
                let ratio = from.distance(to) / p.distance(q);
                assert!((ratio - 1.0).abs() < 0.005, "{radii:?} {ratio}");
                sides.entry([a.min(b), a.max(b)]).or_default().push(if a < b {
                    [from, to]
                } else {
                    [to, from]
                });
            }
        }
        let seams = sides.values().filter(|sides| sides.len() == 2 && sides[0] != sides[1]).count();
        assert_eq!(seams, 10 * panels, "{radii:?}");
    }
    let text = |result: Result<TriMesh, GenerateError>| result.unwrap_err().to_string();
    assert_eq!(
        text(panelled_tube([1.0; 2], 1.0, [10, 1], 4)),
        "4 equal panels need a multiple of 4 segments, not 10"
    );
    assert!(text(panelled_tube([1.0; 2], 1.0, [10, 1], 0)).starts_with("panels is 0"));
    assert!(text(panelled_tube([1.0, 0.0], 1.0, [10, 1], 1)).starts_with("top_radius is 0"));
}

#[test]
fn delaunay_rectangles_have_exactly_the_triangles_asked_for() {
    for triangles in (2..120).chain([499, 500, 1000, 1001, 4097]) {
        for (width, height) in [(1.0, 1.0), (3.0, 1.0), (0.2, 1.3), (100.0, 0.5)] {
            let mesh = delaunay_rectangle(width, height, triangles, 1).unwrap();
            assert_eq!(mesh.triangles.len(), triangles);
            assert_flat(&mesh, Vec2::new(width, height), f64::from(width) * f64::from(height));
            assert_rectangle_groups(&mesh, Vec2::new(width, height));
            if triangles >= 499 && width < 50.0 {
                assert!(smallest_angle(&mesh) > 20.0, "{triangles}: {}°", smallest_angle(&mesh));
            }
        }
    }
}

#[test]
fn delaunay_rectangles_are_reproducible_and_irregular() {
    let mesh = |seed| delaunay_rectangle(1.0, 1.0, 20_648, seed).unwrap();
    let (first, second) = (mesh(1), mesh(2));
    assert_eq!(first, mesh(1));
    assert_ne!(first, second);
    for mesh in [first, second] {
        assert!(smallest_angle(&mesh) > 20.0, "{}°", smallest_angle(&mesh));
        let mean = mesh.total_area() / mesh.triangles.len() as f64;
        let spread = (0..mesh.triangles.len()).map(|t| (mesh.area(t) / mean - 1.0).powi(2)).sum::<f64>();
        let deviation = (spread / mesh.triangles.len() as f64).sqrt();
        assert!((0.02..0.4).contains(&deviation), "relative deviation of the areas {deviation}");
    }
}

#[test]
fn bad_arguments_are_named() {
    let text = |result: Result<TriMesh, GenerateError>| result.unwrap_err().to_string();
    assert_eq!(text(grid(0, 1, 1.0, 1.0)), "columns is 0; it must be between 1 and 1048576");
    assert_eq!(text(grid(1, 1, -1.0, 1.0)), "width is -1 m; it must be between 1e-9 and 1e9 m");
    assert!(text(alternating_grid(1, 1, 1.0, f32::NAN)).starts_with("height is NaN"));
    assert!(text(grid(1 << 20, 1 << 20, 1.0, 1.0)).starts_with("columns and rows ask for"));
    assert!(text(delaunay_rectangle(1.0, 1.0, 1, 0)).starts_with("triangles is 1"));
    assert!(text(delaunay_rectangle(1.0, 1.0, usize::MAX, 0)).starts_with("triangles is"));
    assert!(text(disk(f32::INFINITY, 3)).starts_with("radius is inf"));
    assert!(text(disk(1.0, usize::MAX)).starts_with("rings is"));
    assert!(text(tube(1.0, 1.0, 2, 3)).starts_with("segments is 2"));
    assert!(text(sphere(0.0, 3)).starts_with("radius is 0"));
    assert!(text(sphere(1.0, 11)).starts_with("subdivisions is 11"));
    assert!(text(cuboid(vec3(1.0, 0.0, 1.0), 3)).starts_with("size.y is 0"));
    assert!(text(cuboid(Vec3::ONE, 1 << 20)).starts_with("subdivisions ask for"));
}

#[test]
fn a_plant_stands_on_the_ground_with_its_leaves_out() {
    let mesh = plant(1.0, 5, 6).unwrap();
    mesh.check().unwrap();
    // The leaves' first edges have three triangles; nothing else is wrong.
    let issues = validate(&mesh).issues;
    assert!(issues.len() <= 15 && !issues.is_empty(), "{issues:?}");
    assert_eq!((mesh.groups["bottom"].len(), mesh.groups["tips"].len()), (6, 5));
    for &tip in &mesh.groups["tips"] {
        let tip = mesh.positions[tip as usize];
        assert!(tip.y > 0.3 && vec3(tip.x, 0.0, tip.z).length() > 0.3, "{tip}");
    }
    assert!((0..mesh.triangles.len()).all(|t| mesh.area(t) > 1e-7));
    assert_eq!(mesh.triangles.len(), 2 * 6 * 12 + 5 * (3 + 4 * 4 + 2));
    assert!(plant(1.0, 0, 6).is_err() && plant(1.0, 5, 1).is_err() && plant(f32::NAN, 5, 6).is_err());
    assert_eq!(plant(1.0, 40, 3).unwrap().groups["tips"].len(), 40);
}
