//! Cuts, gaps and holes keep texels apart.

use super::{check, lattice};
use crate::mesh::generate;
use crate::solver::multilevel::lattice::{Lattice, NEIGHBOURS, vertex_stencils};
use crate::solver::multilevel::test_meshes::{cut_out, slit};

/// The links that cross the upright line x = 0.5 below and above y = 0.5, in metres, of a square of 1 m.
fn crossings(lattice: &Lattice) -> [usize; 2] {
    let columns = lattice.size[0];
    let metres = |texel: u32| lattice.origins[0] + lattice.spacing * lattice.centre(texel);
    let mut count = [0, 0];
    for sample in &lattice.samples {
        for (k, [right, up]) in NEIGHBOURS.into_iter().enumerate() {
            if lattice.links[sample.texel as usize] >> k & 1 == 0 || right <= 0 {
                continue;
            }
            let other = (sample.texel as usize).wrapping_add_signed(up * columns as isize + right);
            let (a, b) = (metres(sample.texel), metres(other as u32));
            if (a.x < 0.5) != (b.x < 0.5) {
                count[usize::from(a.y.max(b.y) > 0.5 - 0.51 * lattice.spacing)] += 1;
            }
        }
    }
    count
}

#[test]
fn no_link_crosses_a_slit_of_no_width() {
    // Two triangles beside the slit that are neighbours beyond its end must not connect its banks; that needs cells
    // of the mesh much larger than texels (2), and much smaller ones must work as well (40).
    for cells in [2, 8, 40] {
        for spacing in [0.0213, 0.031, 0.0171] {
            let (_, lattice) = lattice(&slit(cells), spacing);
            check(&lattice);
            let [below, above] = crossings(&lattice);
            assert_eq!(below, 0, "{cells} {spacing}");
            assert!(above > 3 * (0.5 / spacing) as usize - 6, "{above}");
        }
    }
}

#[test]
fn a_slit_through_centres_leaves_them_to_one_bank() {
    let mesh = slit(8);
    let (charts, lattice) = lattice(&mesh, 0.05);
    check(&lattice);
    let columns = lattice.size[0];
    for row in 1..10 {
        let texel = row * columns + 1 + 10;
        let links = [lattice.links[texel] & 1, lattice.links[texel] >> 2 & 1];
        assert!(links == [1, 0] || links == [0, 1], "row {row}: {links:?}");
    }
    let stencils = vertex_stencils(&charts, &lattice, mesh.positions.len()).unwrap();
    assert!((0..mesh.positions.len()).all(|v| stencils.row(v).len() == 1));
    // The banks read from different texels.
    let bank = |v: usize| stencils.row(v)[0].texel as usize % columns;
    let low = mesh.positions.iter().position(|p| p.x == 0.5 && p.y == 0.0).unwrap();
    let other = mesh.positions.iter().rposition(|p| p.x == 0.5 && p.y == 0.0).unwrap();
    assert!(low != other && bank(low) != bank(other), "{} {}", bank(low), bank(other));
}

#[test]
fn a_thin_gap_and_a_hole_separate() {
    // A gap of 0.02 m between two halves that hang together above, and texels 0.05 m apart.
    let whole = generate::grid(50, 20, 1.0, 1.0).unwrap();
    let mesh = cut_out(&whole, |p| p.y > 0.5 || !(0.48..0.5).contains(&p.x));
    let (charts, lattice) = lattice(&mesh, 0.047);
    check(&lattice);
    let [below, above] = crossings(&lattice);
    assert!(below == 0 && above > 10, "{below} {above}");
    assert!(vertex_stencils(&charts, &lattice, mesh.positions.len()).is_ok());
}
