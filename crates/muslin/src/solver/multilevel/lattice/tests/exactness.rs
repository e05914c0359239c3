//! Samples and stencils reproduce affine data, however irregular the mesh.

use glam::{DVec2, Vec3, Vec4, vec3};

use super::lattice;
use crate::mesh::{TriMesh, generate};
use crate::solver::multilevel::lattice::{Stencil, Walk, vertex_stencils};
use crate::solver::multilevel::round_trip::round_trip;
use crate::solver::multilevel::test_meshes::{curvy_with_holes, cut_out, slit};

/// Affine in the chart.
fn affine(p: DVec2) -> Vec3 {
    vec3((0.7 * p.x - 0.2 * p.y) as f32, (0.3 * p.x + p.y) as f32 + 1.0, (p.x - 2.0 * p.y) as f32)
}

fn shapes() -> Vec<(TriMesh, f64)> {
    let disk = generate::disk(0.5, 7).unwrap();
    let annulus = cut_out(&disk, |p| p.distance(DVec2::splat(0.5)) > 0.2);
    let angle = cut_out(&generate::grid(4, 4, 1.0, 1.0).unwrap(), |p| p.x < 0.5 || p.y < 0.5);
    vec![
        (generate::grid(3, 5, 1.0, 0.7).unwrap(), 0.043),
        (disk, 0.029),
        (annulus, 0.031),
        (angle, 0.0417),
        (slit(8), 0.05),
        (slit(8), 0.033),
        (curvy_with_holes(600, 1), 0.013),
        (curvy_with_holes(2500, 2), 0.03),
    ]
}

#[test]
fn affine_data_survives_sampling_and_projection() {
    for (mesh, spacing) in shapes() {
        let (charts, lattice) = lattice(&mesh, spacing);
        let data: Vec<Vec3> = mesh.positions.iter().map(|p| affine(p.truncate().as_dvec2())).collect();
        let values = lattice.sample(&data);
        for sample in &lattice.samples {
            let exact = affine(lattice.origins[0] + lattice.spacing * lattice.centre(sample.texel));
            let error = values[sample.texel as usize].truncate().distance(exact);
            assert!(error < 3e-6, "{error} with {:?}", sample.weights);
        }
        let stencils = vertex_stencils(&charts, &lattice, mesh.positions.len()).unwrap();
        let errors = round_trip(&charts, &lattice, &stencils, &data);
        assert!(errors.border_largest < 1e-6 && errors.inner_largest < 1e-6, "{errors:?}");
    }
}

#[test]
fn any_point_of_the_cloth_has_a_stencil() {
    for (mesh, spacing) in shapes() {
        let (charts, lattice) = lattice(&mesh, spacing);
        let mut walk = Walk::new(&charts);
        let metres = |texel: u32| affine(lattice.origins[0] + lattice.spacing * lattice.centre(texel));
        let values: Vec<Vec4> = (0..lattice.coverage.len() as u32).map(|t| metres(t).extend(0.0)).collect();
        for t in 0..mesh.triangles.len() as u32 {
            for weights in [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.2, 0.3, 0.5], [0.98, 0.01, 0.01]] {
                let point = charts.point(t, weights);
                let stencil = lattice.stencil(&mut walk, t, point).unwrap();
                let value = stencil.read(lattice.size[0], &values).truncate();
                assert!(value.distance(affine(point)) < 2e-6);
                let sum: f32 = stencil.weights().iter().sum();
                assert!((sum - 1.0).abs() < 1e-5);
                for step in [0, 1, lattice.size[0], lattice.size[0] + 1] {
                    assert!(lattice.coverage[stencil.texel as usize + step] > 0.0);
                }
            }
        }
    }
}

#[test]
fn weights_and_reading_are_the_same_thing() {
    let stencil = Stencil { texel: 1, fractions: [-1.25, 2.5], lift: 0.0 };
    let values: Vec<Vec4> = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0].map(Vec4::splat).to_vec();
    let [a, b, c, d] = stencil.weights();
    let expected = a * 1.0 + b * 4.0 + c * 5.0 + d * 9.0;
    assert!((stencil.read(3, &values).x - expected).abs() < 1e-4);
    // t0 + f (t1 − t0) by hand: 1 − 1.25·3 = −2.75; 5 − 1.25·4 = 0; −2.75 + 2.5·2.75 = 4.125.
    assert!((expected - 4.125).abs() < 1e-5);
}

#[test]
fn slivers_at_the_outline_do_not_explode() {
    // A square whose lower side has a strip of triangles a thousandth of a step high.
    let mut mesh = generate::grid(10, 2, 1.0, 1.0).unwrap();
    mesh.positions.iter_mut().filter(|p| p.y == 0.5).for_each(|p| p.y = 2e-5);
    let mesh = super::with_flat_uvs(mesh);
    let mut shifted = mesh.clone();
    // So that centres of the lowest cells lie below the mesh.
    shifted.positions.push(vec3(0.0, -0.008, 0.0));
    let strip = shifted.positions.len() as u32 - 1;
    shifted.triangles.push([0, strip, 1]);
    let shifted = super::with_flat_uvs(TriMesh::new(shifted.positions, shifted.triangles));
    for mesh in [mesh, shifted] {
        let (_, lattice) = lattice(&mesh, 0.02);
        let most = lattice.samples.iter().flat_map(|s| s.weights).fold(0.0f32, |most, w| most.max(w.abs()));
        assert!(most <= 4.0, "{most}");
    }
}
