//! Tests of what goes between the levels.

use glam::{DVec3, Vec3};

use super::surface_search::vertex_normals;
use super::test_meshes::{grid, irregular, join, sphere, torus, tube};
use super::*;
use crate::math::proximity::closest_in_triangle;
use crate::mesh::TriMesh;

fn levels(mesh: &TriMesh, count: usize, nesting: Nesting) -> Hierarchy {
    let options = HierarchyOptions { levels: count, nesting, ..HierarchyOptions::default() };
    build(mesh, &vec![false; mesh.positions.len()], &options).unwrap()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

fn facing(level: &Level, corners: [u32; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|v| level.positions[v as usize]);
    (b - a).cross(c - a)
}

#[test]
fn weights_are_convex_and_rows_sum_to_one() {
    for mesh in [irregular(40, 40, 1), torus(40, 20), tube(32, 32, 0.2, 1.0, 1.0)] {
        for nesting in [Nesting::Nested, Nesting::NonNested] {
            for transfer in &levels(&mesh, 5, nesting).transfers {
                for row in &transfer.prolongation {
                    assert!(row.weights.iter().all(|&w| w >= 0.0));
                    assert!((row.weights.iter().sum::<f32>() - 1.0).abs() <= f32::EPSILON);
                }
                for row in transfer.restriction.iter() {
                    assert!((row.iter().map(|&(_, w)| w).sum::<f32>() - 1.0).abs() < 1e-6);
                }
            }
        }
    }
}

#[test]
fn survivors_of_a_nested_hierarchy_follow_only_themselves() {
    let hierarchy = levels(&torus(40, 20), 4, Nesting::Nested);
    for (transfer, coarse) in hierarchy.transfers.iter().zip(&hierarchy.levels) {
        for (vertex, &finer) in coarse.finer_vertex.iter().enumerate() {
            let row = transfer.prolongation[finer as usize];
            assert_eq!((row.vertices[0], row.weights), (vertex as u32, [1.0, 0.0, 0.0]));
        }
    }
}

#[test]
fn affine_data_on_flat_cloth_is_prolongated_exactly() {
    let field = |p: &DVec3| DVec3::new(1.0 + p.x - 2.0 * p.y, 3.0 * p.y, 0.5 - p.x);
    for mesh in [grid(50, 40), irregular(50, 40, 2)] {
        for nesting in [Nesting::Nested, Nesting::NonNested] {
            let hierarchy = levels(&mesh, 6, nesting);
            for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
                let [coarse, fine] = pair else { unreachable!() };
                let values: Vec<DVec3> = coarse.positions.iter().map(field).collect();
                let expected: Vec<DVec3> = fine.positions.iter().map(field).collect();
                assert!(farthest(&transfer.prolongate(&values), &expected) < 2e-6);
            }
        }
    }
}

#[test]
fn constants_survive_both_ways() {
    let hierarchy = levels(&sphere(24, 16), 4, Nesting::Nested);
    for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
        let down = transfer.restrict(&vec![7.0; pair[1].positions.len()]);
        let up = transfer.prolongate(&vec![7.0; pair[0].positions.len()]);
        assert!(down.iter().chain(&up).all(|value| (value - 7.0).abs() < 1e-5));
    }
}

#[test]
fn masses_add_up_on_every_level() {
    let hierarchy = levels(&irregular(40, 40, 3), 6, Nesting::Nested);
    let mut masses: Vec<f64> = (0..41 * 41).map(|v| 1e-3 * f64::from(1 + v % 5)).collect();
    let total: f64 = masses.iter().sum();
    for transfer in hierarchy.transfers.iter().rev() {
        masses = transfer.coarse_masses(&masses);
        assert!((masses.iter().sum::<f64>() - total).abs() < 1e-12 * total);
        assert!(masses.iter().all(|&mass| mass > 0.0));
    }
}

/// The walk over the surface finds what a search through all triangles finds.
#[test]
fn the_nearest_triangle_is_the_nearest_of_all() {
    let bumpy = {
        let mut mesh = irregular(48, 48, 4);
        mesh.positions.iter_mut().for_each(|p| p.z = 0.05 * (9.0 * p.x).sin() * (7.0 * p.y).cos());
        mesh
    };
    let shapes = [irregular(48, 48, 5), bumpy, torus(60, 30), sphere(40, 30), tube(32, 48, 0.3, 1.5, 0.5)];
    for mesh in shapes {
        for nesting in [Nesting::Nested, Nesting::NonNested] {
            let hierarchy = levels(&mesh, 5, nesting);
            for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
                compare_with_all(transfer, &pair[0], &pair[1]);
            }
        }
    }
}

fn compare_with_all(transfer: &Transfer, coarse: &Level, fine: &Level) {
    let normals = vertex_normals(&fine.positions, &fine.triangles);
    let found = transfer.prolongate(&coarse.positions);
    for (vertex, &point) in fine.positions.iter().enumerate() {
        let same_side = coarse.triangles.iter().filter(|&&t| facing(coarse, t).dot(normals[vertex]) >= 0.0);
        let distance = |corners: &[u32; 3]| {
            closest_in_triangle(point, corners.map(|v| coarse.positions[v as usize])).distance_sq.sqrt()
        };
        let nearest = same_side.map(distance).fold(f64::INFINITY, f64::min);
        let ours = found[vertex].distance(point);
        assert!((ours - nearest).abs() < 1e-6, "vertex {vertex}: {ours} instead of {nearest}");
    }
}

#[test]
fn layers_and_the_sides_of_a_flat_tube_are_not_mixed() {
    // Two cloths 0.1 mm apart, and a tube pressed flat until its sides are 0.3 mm apart.
    let stack = join(irregular(40, 40, 6), &irregular(40, 40, 7), Vec3::new(0.002, 0.003, 1e-4));
    for nesting in [Nesting::Nested, Nesting::NonNested] {
        let hierarchy = levels(&stack, 5, nesting);
        for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
            for (row, point) in transfer.prolongation.iter().zip(&pair[1].positions) {
                let other = row.vertices.map(|v| pair[0].positions[v as usize].z);
                assert!(other.iter().all(|z| (z - point.z).abs() < 5e-5));
            }
        }
    }
    let hierarchy = levels(&tube(128, 64, 0.3, 1.0, 0.0005), 5, Nesting::Nested);
    for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
        let normals = vertex_normals(&pair[1].positions, &pair[1].triangles);
        for (vertex, row) in transfer.prolongation.iter().enumerate() {
            if row.vertices[0] == row.vertices[1] || pair[1].positions[vertex].x.abs() > 0.25 {
                continue; // a survivor, or the fold itself
            }
            assert!(facing(&pair[0], row.vertices).dot(normals[vertex]) > 0.0);
        }
    }
}

#[test]
fn restricting_the_rest_shape_of_a_non_nested_hierarchy_gives_the_coarse_rest_shape() {
    for mesh in [irregular(40, 40, 8), torus(40, 20), tube(32, 32, 0.2, 1.0, 1.0)] {
        let hierarchy = levels(&mesh, 5, Nesting::NonNested);
        assert_eq!(hierarchy.levels.len(), 5);
        let mut moved = 0.0;
        for (transfer, pair) in hierarchy.transfers.iter().zip(hierarchy.levels.windows(2)) {
            assert_eq!(transfer.restrict(&pair[1].positions), pair[0].positions);
            let origin: Vec<DVec3> =
                pair[0].finer_vertex.iter().map(|&v| pair[1].positions[v as usize]).collect();
            moved += farthest(&origin, &pair[0].positions);
        }
        assert!(moved > 0.01);
    }
}

#[test]
fn the_outline_of_a_non_nested_square_does_not_shrink() {
    let mesh = irregular(40, 40, 9);
    let reports = quality(&levels(&mesh, 6, Nesting::NonNested));
    assert!(reports.iter().all(|r| (r.area - mesh.total_area()).abs() < 1e-6 && r.flipped == 0));
}
