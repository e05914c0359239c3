//! The lattice of shapes whose texels can be counted, and of irregular ones against brute force.

mod cuts;
mod exactness;
mod oracle;

use super::*;
use crate::mesh::{TriMesh, generate};
use crate::solver::multilevel::charts::{ChartOptions, Charts, Parameterisation};
use crate::solver::multilevel::test_meshes::{charts, cut_out, side_by_side, with_flat_uvs};

fn lattice(mesh: &TriMesh, spacing: f64) -> (Charts, Lattice) {
    let charts = charts(mesh);
    let lattice = Lattice::new(&charts, &mesh.triangles, spacing).unwrap();
    (charts, lattice)
}

/// What every lattice must fulfil: links both ways, only between covered texels, samples ascending.
fn check(lattice: &Lattice) {
    let [columns, rows] = lattice.size;
    for texel in 0..columns * rows {
        let covered = lattice.coverage[texel] > 0.0;
        assert!(covered || lattice.links[texel] == 0);
        assert!(!covered || (0.05..=1.0).contains(&lattice.coverage[texel]));
        for (k, [right, up]) in NEIGHBOURS.into_iter().enumerate() {
            if lattice.links[texel] >> k & 1 == 1 {
                let other = texel.wrapping_add_signed(up * columns as isize + right);
                assert!(lattice.coverage[other] > 0.0 && lattice.links[other] >> OPPOSITE[k] & 1 == 1);
            }
        }
    }
    assert!(lattice.samples.is_sorted_by(|a, b| a.texel < b.texel));
    assert_eq!(lattice.samples.len(), lattice.coverage.iter().filter(|&&share| share > 0.0).count());
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let mesh = generate::tube(0.3, 0.5, 30, 7).unwrap();
    let options = ChartOptions { parameterisation: Parameterisation::Flatten, most_distortion: 0.1 };
    let build = || {
        let charts = Charts::new(&mesh, &options).unwrap();
        let lattice = Lattice::new(&charts, &mesh.triangles, 0.013).unwrap();
        let stencils = vertex_stencils(&charts, &lattice, mesh.positions.len()).unwrap();
        (charts.uvs, lattice.links, lattice.samples, lattice.coverage, stencils)
    };
    assert!(build() == build());
}

#[test]
fn opposite_directions_are_opposite() {
    for k in 0..8 {
        let ([a, b], [c, d]) = (NEIGHBOURS[k], NEIGHBOURS[OPPOSITE[k]]);
        assert_eq!([a + c, b + d], [0, 0]);
    }
}

#[test]
fn a_rectangle_has_particles_on_its_outline() {
    for mesh in
        [generate::grid(7, 3, 1.0, 0.5).unwrap(), generate::delaunay_rectangle(1.0, 0.5, 200, 1).unwrap()]
    {
        let (_, lattice) = lattice(&mesh, 0.01);
        check(&lattice);
        assert_eq!((lattice.size, lattice.samples.len()), ([101, 51], 101 * 51));
        assert!(lattice.origins[0].length() < 1e-12);
        let at = |column: usize, row: usize| row * 101 + column;
        for (texel, share) in [(at(0, 0), 0.25), (at(100, 50), 0.25), (at(50, 0), 0.5), (at(100, 20), 0.5)] {
            assert!((lattice.coverage[texel] - share).abs() < 1e-5, "{}", lattice.coverage[texel]);
        }
        assert!((lattice.coverage[at(50, 20)], lattice.links[at(50, 20)]) == (1.0, 0xff));
        // Right, above and the diagonal between; on the lower side five.
        assert_eq!((lattice.links[at(0, 0)], lattice.links[at(50, 0)]), (0b1_0011, 0b11_0111));
        let total: f64 = lattice.coverage.iter().map(|&share| f64::from(share)).sum();
        assert!((total * 1e-4 - 0.5).abs() < 1e-5);
    }
}

#[test]
fn coverage_adds_up_to_the_area_of_curved_shapes() {
    let disk = generate::disk(0.5, 9).unwrap();
    let annulus = cut_out(&disk, |p| p.distance(dvec2(0.5, 0.5)) > 0.2);
    let angle = cut_out(&generate::grid(4, 4, 1.0, 1.0).unwrap(), |p| p.x < 0.5 || p.y < 0.5);
    for mesh in [disk, annulus, angle] {
        let (_, lattice) = lattice(&mesh, 0.0137);
        check(&lattice);
        let total: f64 = lattice.coverage.iter().map(|&share| f64::from(share)).sum();
        // Shares below 5 % are raised to that.
        assert!((total * 0.0137 * 0.0137 / mesh.total_area() - 1.0).abs() < 3e-3);
    }
}

#[test]
fn sizes_between_multiples_start_at_the_lowest_corner() {
    let (_, lattice) = lattice(&generate::grid(3, 3, 1.0, 1.0).unwrap(), 0.3);
    check(&lattice);
    // Centres at 0, 0.3, 0.6, 0.9; the cell of the last reaches 1.05.
    assert_eq!((lattice.size, lattice.samples.len()), ([4, 4], 16));
    let last = lattice.coverage[3 * 4];
    assert!((f64::from(last) - (0.25 / 0.3) * 0.5).abs() < 1e-6, "{last}");
}

#[test]
fn patches_keep_their_distance() {
    let square = generate::grid(2, 2, 1.0, 0.4).unwrap();
    let disk = with_flat_uvs(generate::disk(0.3, 4).unwrap());
    let mesh = side_by_side(&side_by_side(&square, &disk), &side_by_side(&disk, &square));
    let (charts, lattice) = lattice(&mesh, 0.02);
    check(&lattice);
    assert_eq!(charts.patch_count, 4);
    let columns = lattice.size[0];
    let patch = |sample: &Sample| charts.patch_of[sample.triangle as usize];
    let mut of_texel = vec![None; lattice.coverage.len()];
    lattice.samples.iter().for_each(|sample| of_texel[sample.texel as usize] = Some(patch(sample)));
    for sample in &lattice.samples {
        let (column, row) = (sample.texel as usize % columns, sample.texel as usize / columns);
        for other_row in row.saturating_sub(4)..(row + 5).min(lattice.size[1]) {
            for other in column.saturating_sub(4)..(column + 5).min(columns) {
                let near = of_texel[other_row * columns + other];
                assert!(near.is_none_or(|near| near == patch(sample)));
            }
        }
    }
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let mesh = generate::grid(2, 2, 1.0, 1.0).unwrap();
    let charts = charts(&mesh);
    let refused = |spacing: f64| Lattice::new(&charts, &mesh.triangles, spacing).unwrap_err();
    for spacing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(spacing), LatticeError::Spacing(_)));
    }
    for spacing in [1e-4, 1e-9, 1e-300] {
        assert!(matches!(refused(spacing), LatticeError::TooLarge { .. }));
    }
    // A strip that winds over itself: a square annulus cut open and continued.
    let options = ChartOptions { parameterisation: Parameterisation::Uvs, most_distortion: 1e9 };
    let mut strip = generate::grid(12, 1, 12.0, 1.0).unwrap();
    for uv in strip.uvs.as_mut().unwrap().iter_mut().flatten() {
        let angle = uv.x * 0.7;
        *uv = (1.0 + uv.y) * glam::Vec2::new(-angle.cos(), angle.sin());
    }
    let charts = Charts::new(&strip, &options).unwrap();
    let refused = Lattice::new(&charts, &strip.triangles, 0.05).unwrap_err();
    assert!(matches!(refused, LatticeError::Overlap { patch: 0, .. }), "{refused}");
}

#[test]
fn a_panel_narrower_than_two_particles_is_too_coarse() {
    let mesh = generate::grid(10, 1, 1.0, 0.02).unwrap();
    let (charts, lattice) = lattice(&mesh, 0.05);
    let refused = vertex_stencils(&charts, &lattice, mesh.positions.len()).unwrap_err();
    assert!(matches!(refused, LatticeError::TooCoarse { patch: 0, .. }), "{refused}");
}

#[test]
fn millions_of_texels_take_seconds() {
    let mesh = generate::delaunay_rectangle(1.0, 1.0, 10_000, 5).unwrap();
    let charts = charts(&mesh);
    let start = std::time::Instant::now();
    let lattice = Lattice::new(&charts, &mesh.triangles, 0.0005).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    println!("{} texels in {seconds:.2} s", lattice.samples.len());
    assert_eq!(lattice.samples.len(), 2001 * 2001);
    assert!(seconds < 30.0);
}
