//! Charts of meshes whose flat shape is known.

use glam::{Affine3A, Quat, Vec2, Vec3};

use super::*;
use crate::mesh::generate;
use crate::solver::multilevel::test_meshes::{side_by_side, with_flat_uvs};

fn options(parameterisation: Parameterisation) -> ChartOptions {
    ChartOptions { parameterisation, ..ChartOptions::default() }
}

fn without_uvs(mut mesh: TriMesh) -> TriMesh {
    mesh.uvs = None;
    mesh
}

#[test]
fn uvs_in_metres_are_the_chart() {
    let mesh = generate::grid(4, 3, 1.0, 0.6).unwrap();
    let charts = Charts::new(&mesh, &ChartOptions::default()).unwrap();
    assert_eq!((charts.patch_count, charts.place_vertex.len()), (1, 20));
    assert!(charts.distortion.largest < 1e-6);
    let given = mesh.uvs.unwrap();
    assert!(charts.uvs.iter().zip(&given).all(|(a, b)| (0..3).all(|k| a[k] == b[k].as_dvec2())));
}

#[test]
fn distortion_is_that_of_the_worst_triangle_and_the_mean_over_the_area() {
    let mut mesh = generate::grid(1, 1, 1.0, 1.0).unwrap();
    // The second triangle alone is drawn 20 % wider; it becomes a panel of its own.
    mesh.uvs.as_mut().unwrap()[1].iter_mut().for_each(|uv| uv.x = 3.0 + 1.2 * uv.x);
    let charts =
        Charts::new(&mesh, &ChartOptions { parameterisation: Parameterisation::Uvs, most_distortion: 0.3 });
    let charts = charts.unwrap();
    assert_eq!(charts.patch_count, 2);
    assert!((charts.distortion.largest - 0.2).abs() < 1e-6 && (charts.distortion.average - 0.1).abs() < 1e-6);
    let refused = Charts::new(&mesh, &options(Parameterisation::Uvs)).unwrap_err();
    assert!(matches!(refused, ChartError::Distorted { triangle: 1, limit: 0.1, .. }), "{refused}");
    // What is flat needs no texture coordinates.
    assert!(Charts::new(&mesh, &ChartOptions::default()).unwrap().distortion.largest < 1e-6);
}

#[test]
fn a_flat_shape_lies_along_the_weft_however_it_is_turned() {
    let flat = without_uvs(generate::disk(0.5, 4).unwrap());
    for (turn, weft) in [(Quat::from_rotation_x(0.7), Vec3::X), (Quat::from_rotation_y(1.57), Vec3::Z)] {
        let mesh = flat.transformed(Affine3A::from_rotation_translation(turn, Vec3::new(3.0, -1.0, 2.0)));
        let charts = Charts::new(&mesh, &ChartOptions::default()).unwrap();
        assert!(charts.distortion.largest < 1e-5);
        for (t, uv) in charts.uvs.iter().enumerate() {
            let [a, b, c] = mesh.corners(t);
            assert!((uv[1].x - uv[0].x - (b - a).dot(weft.as_dvec3())).abs() < 1e-3);
            assert!((uv[1] - uv[0]).perp_dot(uv[2] - uv[0]) > 0.0, "counter-clockwise");
            assert!((uv[1].distance(uv[2]) - b.distance(c)).abs() < 1e-6);
        }
    }
    // A single triangle: the middle of its box lies outside its plane.
    let corner = TriMesh::new(vec![Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 1, 2]]);
    assert!(Charts::new(&corner, &options(Parameterisation::Flat)).is_ok());
}

#[test]
fn what_is_bent_or_folded_is_not_flat() {
    let tube = generate::tube(0.2, 0.5, 12, 3).unwrap();
    let refused = Charts::new(&tube, &options(Parameterisation::Flat)).unwrap_err();
    assert!(matches!(refused, ChartError::NotFlat { .. }));
    let mut folded = generate::grid(2, 1, 1.0, 1.0).unwrap();
    folded.positions.iter_mut().filter(|p| p.x > 0.5).for_each(|p| p.x = 0.0);
    let refused = Charts::new(&folded, &options(Parameterisation::Flat)).unwrap_err();
    assert!(matches!(refused, ChartError::NotFlat { .. }), "{refused}");
}

#[test]
fn an_unrolled_tube_is_one_patch_with_two_places_at_its_seam() {
    let charts = Charts::new(&generate::tube(0.2, 0.5, 48, 5).unwrap(), &ChartOptions::default()).unwrap();
    assert_eq!((charts.patch_count, charts.place_vertex.len()), (1, 49 * 6));
    // Chords are shorter than the arcs they stand for by (π/48)²/6.
    let expected = (std::f64::consts::PI / 48.0).powi(2) / 6.0;
    assert!((charts.distortion.largest - expected).abs() < 0.1 * expected);
    assert!(charts.rim_places().iter().filter(|&&rim| rim).count() == 2 * 49 + 2 * 4);
}

#[test]
fn a_mirrored_panel_is_turned_round_and_a_folded_one_refused() {
    let mut mesh = generate::grid(3, 3, 1.0, 1.0).unwrap();
    mesh.uvs.as_mut().unwrap().iter_mut().flatten().for_each(|uv| uv.y = -uv.y);
    let charts = Charts::new(&mesh, &options(Parameterisation::Uvs)).unwrap();
    assert!(charts.uvs.iter().all(|[a, b, c]| (*b - *a).perp_dot(*c - *a) > 0.0));
    assert!(charts.distortion.largest < 1e-6);
    mesh.uvs.as_mut().unwrap().iter_mut().flatten().for_each(|uv| uv.x = (uv.x - 0.5).abs());
    let refused = Charts::new(&mesh, &options(Parameterisation::Uvs)).unwrap_err();
    assert!(matches!(refused, ChartError::Mirrored { .. } | ChartError::NoArea { .. }), "{refused}");
    mesh.uvs.as_mut().unwrap()[4] = [Vec2::ONE; 3];
    let refused = Charts::new(&mesh, &options(Parameterisation::Uvs)).unwrap_err();
    assert!(matches!(refused, ChartError::NoArea { .. }), "{refused}");
    mesh.uvs.as_mut().unwrap()[4][1].x = f32::NAN;
    let refused = Charts::new(&mesh, &options(Parameterisation::Uvs)).unwrap_err();
    assert_eq!(refused, ChartError::NotFinite { triangle: 4 });
}

#[test]
fn flattening_unrolls_a_bent_sheet_exactly() {
    let mut mesh = without_uvs(generate::delaunay_rectangle(1.0, 0.7, 400, 3).unwrap());
    let flat = mesh.positions.clone();
    // Vertices of a sheet bent along a polygon: each lies on a facet 0.05 m wide, so lengths in facets are kept only
    // where a triangle lies in one; a finely bent cylinder is developable up to its chords.
    let radius = 1.0;
    for p in &mut mesh.positions {
        *p = Vec3::new(radius * (p.x / radius).sin(), p.y, radius * (1.0 - (p.x / radius).cos()));
    }
    let charts = Charts::new(&mesh, &options(Parameterisation::Flatten)).unwrap();
    assert!(charts.distortion.largest < 2e-3, "{:?}", charts.distortion);
    assert!(charts.distortion.average < 1e-4, "{:?}", charts.distortion);
    // u runs along x at the middle, so corners lie as far apart as in the sheet.
    for (t, corners) in mesh.triangles.iter().enumerate() {
        let before = (flat[corners[1] as usize] - flat[corners[0] as usize]).truncate().as_dvec2();
        let after = charts.uvs[t][1] - charts.uvs[t][0];
        assert!(before.distance(after) < 2e-3, "{before} {after}");
    }
}

#[test]
fn flattening_a_shallow_cap_costs_what_its_curvature_demands() {
    let mut mesh = without_uvs(generate::disk(0.5, 12).unwrap());
    for p in &mut mesh.positions {
        let (x, y) = (p.x - 0.5, p.y - 0.5);
        p.z = 0.3 * (x * x + y * y);
    }
    let charts = Charts::new(&mesh, &options(Parameterisation::Flatten)).unwrap();
    // K A/(16π)-like: curvature 0.36, a disk of radius r: radial shortening r²K/16 ≈ 0.6 %.
    assert!((0.001..0.02).contains(&charts.distortion.largest), "{:?}", charts.distortion);
    assert!(charts.uvs.iter().all(|[a, b, c]| (*b - *a).perp_dot(*c - *a) > 0.0));
    let total: f64 = charts.uvs.iter().map(|[a, b, c]| 0.5 * (*b - *a).perp_dot(*c - *a)).sum();
    assert!((total / mesh.total_area() - 1.0).abs() < 0.01);
}

#[test]
fn closed_and_strongly_curved_shapes_are_refused() {
    let ball = without_uvs(generate::sphere(0.5, 2).unwrap());
    let refused = Charts::new(&ball, &ChartOptions::default()).unwrap_err();
    assert!(matches!(refused, ChartError::NotADisk { .. }) && refused.to_string().contains("cut open"));
    let tube = without_uvs(generate::tube(0.2, 0.5, 24, 6).unwrap());
    let refused = Charts::new(&tube, &ChartOptions::default()).unwrap_err();
    assert!(matches!(refused, ChartError::Distorted { .. } | ChartError::Flipped { .. }), "{refused}");
}

#[test]
fn a_tube_is_flattened_along_the_cuts_of_its_texture() {
    let mut tube = generate::tube(0.2, 0.5, 24, 6).unwrap();
    tube.uvs.as_mut().unwrap().iter_mut().flatten().for_each(|uv| *uv *= 5.0);
    let charts = Charts::new(&tube, &ChartOptions::default()).unwrap();
    assert!(charts.patch_count == 1 && charts.distortion.largest < 1e-5, "{:?}", charts.distortion);
}

#[test]
fn patches_are_numbered_by_their_first_triangle() {
    let square = generate::grid(2, 2, 1.0, 1.0).unwrap();
    let mesh = side_by_side(&square, &with_flat_uvs(generate::disk(0.3, 3).unwrap()));
    let charts = Charts::new(&mesh, &ChartOptions::default()).unwrap();
    assert_eq!(charts.patch_count, 2);
    assert!(charts.patch_of[..8].iter().all(|&p| p == 0) && charts.patch_of[8..].iter().all(|&p| p == 1));
}
