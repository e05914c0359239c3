//! Coverage and links against brute force over all triangles.

use glam::{DVec2, dvec2};

use super::{check, lattice};
use crate::math::proximity::closest_in_triangle;
use crate::mesh::{TriMesh, generate};
use crate::solver::multilevel::charts::Charts;
use crate::solver::multilevel::lattice::{Lattice, NEIGHBOURS};
use crate::solver::multilevel::test_meshes::{curvy_with_holes, cut_out};

/// By how much a triangle and an upright box overlap at least along the axis that separates them best: below zero if
/// they are apart (separating axes; independent of the clipping that is tested).
fn overlap(corners: [DVec2; 3], centre: DVec2, half: f64) -> f64 {
    let sides = (0..3).map(|k| (corners[(k + 1) % 3] - corners[k]).perp().normalize());
    let axes = sides.chain([DVec2::X, DVec2::Y]);
    let along = |axis: DVec2| {
        let project = corners.map(|p| (p - centre).dot(axis));
        let (low, high) =
            (project[0].min(project[1]).min(project[2]), project[0].max(project[1]).max(project[2]));
        let reach = half * (axis.x.abs() + axis.y.abs());
        (high + reach).min(reach - low)
    };
    axes.map(along).fold(f64::INFINITY, f64::min)
}

fn compare(mesh: &TriMesh, charts: &Charts, lattice: &Lattice) -> [usize; 2] {
    let mut kinds = [0, 0];
    for texel in 0..lattice.coverage.len() as u32 {
        let centre = lattice.centre(texel);
        let (mut holds, mut deepest) = (false, f64::NEG_INFINITY);
        for t in 0..mesh.triangles.len() as u32 {
            let corners = lattice.corners(charts, t);
            let point = lattice.origins[0] + lattice.spacing * centre;
            holds |= charts.barycentric(t, point).iter().all(|&w| w >= 0.0);
            deepest = deepest.max(overlap(corners, centre, 0.5));
        }
        let covered = lattice.coverage[texel as usize] > 0.0;
        assert!(covered || !holds, "a centre in a triangle must be covered");
        assert!(!covered || deepest > -1e-9, "covered but apart by {deepest}");
        // An overlap of depth d has an area of d²/2 about; the threshold is 1e-4.
        assert!(covered || deepest < 0.05, "not covered but deep by {deepest}");
        kinds[usize::from(covered && !holds)] += usize::from(covered);
    }
    kinds
}

#[test]
fn coverage_is_that_of_brute_force() {
    for (seed, triangles, spacing) in [(1, 300, 0.031), (2, 500, 0.05), (3, 150, 0.017), (4, 900, 0.04)] {
        let mesh = curvy_with_holes(triangles, seed);
        let (charts, lattice) = lattice(&mesh, spacing);
        check(&lattice);
        let [inner, border] = compare(&mesh, &charts, &lattice);
        assert!(inner > 100 && border > 30, "{inner} {border}");
    }
}

#[test]
fn owners_hold_their_centres_or_are_the_nearest_in_the_cell() {
    let mesh = curvy_with_holes(400, 9);
    let (charts, lattice) = lattice(&mesh, 0.021);
    for sample in &lattice.samples {
        let sum: f32 = sample.weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-6 && sample.weights.iter().all(|w| w.abs() <= 4.0));
        let centre = lattice.centre(sample.texel);
        assert!(overlap(lattice.corners(&charts, sample.triangle), centre, 0.5) > -1e-9);
        let point = lattice.origins[0] + lattice.spacing * centre;
        let first = (0..mesh.triangles.len() as u32)
            .find(|&t| charts.barycentric(t, point).iter().all(|&w| w >= 0.0));
        assert!(first.is_none_or(|first| first == sample.triangle));
        let distance = |t: u32| {
            let corners = charts.uvs[t as usize].map(|uv| uv.extend(0.0));
            closest_in_triangle(point.extend(0.0), corners).distance_sq.sqrt()
        };
        let entered = |&t: &u32| overlap(lattice.corners(&charts, t), centre, 0.5) > 1e-3;
        let nearest =
            (0..mesh.triangles.len() as u32).filter(entered).map(distance).fold(f64::INFINITY, f64::min);
        assert!(distance(sample.triangle) <= nearest + 1e-12);
    }
}

/// Whether the owners of two texels hang together, by flooding points of a fine raster inside the box around their
/// cells; `None` where an owner has no such point in its cell.
fn flooded(mesh: &TriMesh, charts: &Charts, lattice: &Lattice, texels: [u32; 2]) -> Option<bool> {
    const FINE: usize = 48;
    let [from, to] = texels.map(|texel| lattice.centre(texel));
    let (low, high) = (from.min(to) - 0.5, from.max(to) + 0.5);
    let at = |i: usize, j: usize| low + (high - low) * dvec2(i as f64 + 0.5, j as f64 + 0.5) / FINE as f64;
    let near = (0..mesh.triangles.len() as u32).filter(|&t| {
        overlap(lattice.corners(charts, t), 0.5 * (low + high), 0.5 * (high - low).max_element()) > 0.0
    });
    let near: Vec<u32> = near.collect();
    let covered = |p: DVec2| {
        let point = lattice.origins[0] + lattice.spacing * p;
        near.iter().any(|&t| charts.barycentric(t, point).iter().all(|&w| w >= 0.0))
    };
    let inside: Vec<bool> = (0..FINE * FINE).map(|k| covered(at(k % FINE, k / FINE))).collect();
    let in_cell = |k: &usize, centre: DVec2| (at(k % FINE, k / FINE) - centre).abs().max_element() < 0.5;
    let owned = |texel: u32| {
        let owner = lattice.triangle_of(texel);
        let place = |k: &usize| lattice.origins[0] + lattice.spacing * at(k % FINE, k / FINE);
        let own = |k: &usize| charts.barycentric(owner, place(k)).iter().all(|&w| w >= 0.0);
        (0..FINE * FINE).find(|k| in_cell(k, lattice.centre(texel)) && own(k))
    };
    let (start, goal) = (owned(texels[0])?, owned(texels[1])?);
    let mut seen = vec![false; FINE * FINE];
    let mut stack = vec![start];
    while let Some(k) = stack.pop() {
        if std::mem::replace(&mut seen[k], true) {
            continue;
        }
        let (i, j) = (k % FINE, k / FINE);
        for (x, y) in [(i + 1, j), (i.wrapping_sub(1), j), (i, j + 1), (i, j.wrapping_sub(1))] {
            if x < FINE && y < FINE && inside[y * FINE + x] && !seen[y * FINE + x] {
                stack.push(y * FINE + x);
            }
        }
    }
    Some(seen[goal])
}

#[test]
fn links_are_those_of_flooding_a_comb() {
    // Teeth with gaps of less than a step, slanted so that gaps fall everywhere between centres.
    let whole = generate::grid(60, 20, 3.0, 1.0).unwrap();
    let mut mesh = cut_out(&whole, |p| p.y > 0.7 || (p.x / 0.25).fract() > 0.25);
    mesh.positions.iter_mut().for_each(|p| p.x += 0.3 * p.y);
    let mesh = super::with_flat_uvs(mesh);
    // In multiples of 0.09 a vertex lies on a cell's border: a triangle that only touched the cell once owned it.
    for spacing in [0.0907, 0.0813, 0.09] {
        let (charts, lattice) = lattice(&mesh, spacing);
        check(&lattice);
        let columns = lattice.size[0];
        let (mut apart, mut unknown) = (0, 0);
        for sample in &lattice.samples {
            for (k, [right, up]) in NEIGHBOURS.into_iter().enumerate() {
                let (column, row) = (sample.texel as usize % columns, sample.texel as usize / columns);
                let (column, row) = (column.wrapping_add_signed(right), row.wrapping_add_signed(up));
                let other = row.wrapping_mul(columns).wrapping_add(column);
                if column >= columns || row >= lattice.size[1] || lattice.coverage[other] == 0.0 {
                    continue;
                }
                let linked = lattice.links[sample.texel as usize] >> k & 1 == 1;
                match flooded(&mesh, &charts, &lattice, [sample.texel, other as u32]) {
                    None => unknown += 1,
                    Some(flooded) => assert_eq!(flooded, linked, "{spacing}: {} and {other}", sample.texel),
                }
                apart += usize::from(!linked);
            }
        }
        assert!(apart > 50 && unknown < 100, "{spacing}: {apart} apart, {unknown} unknown");
    }
}
