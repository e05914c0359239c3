use super::*;
use crate::cloth::Material;
use crate::mesh::{TriMesh, generate};

const STIFFNESS: [f64; 3] = [800.0, 500.0, 60.0];

fn cloth(mesh: TriMesh) -> Cloth {
    let [weft, warp, shear] = STIFFNESS.map(|value| value as f32);
    let material = Material { stretch: Stretch::Physical { weft, warp, shear }, ..Material::default() };
    Cloth::builder(mesh).material(material).build().unwrap()
}

const ENFORCEMENT: Enforcement = Enforcement { iterations: 4, dt: 0.01, mean_mass: 0.5 };

/// Σ ½ k (l − l0)² of the list, under a small uniform strain [ε_u, ε_v, γ].
fn energy(cloth: &Cloth, list: &ConstraintList<2, 1>, [u, v, shear]: [f64; 3]) -> f64 {
    let moved =
        |p: DVec3| DVec3::new(p.x * (1.0 + u) + 0.5 * shear * p.y, p.y * (1.0 + v) + 0.5 * shear * p.x, 0.0);
    let spring = |(i, &[a, b]): (usize, &[u32; 2])| {
        let [x, y] = [a, b].map(|v| cloth.rest[v as usize]);
        let longer = moved(x).distance(moved(y)) - x.distance(y);
        let compliance = f64::from(list.compliances[i]) * 1e-4 / 0.5;
        0.5 * longer * longer / compliance
    };
    list.vertices.iter().enumerate().map(spring).sum()
}

#[test]
fn springs_store_what_the_cloth_does() {
    for diagonals in [Diagonals::One, Diagonals::Both] {
        let cloth = cloth(generate::grid(6, 4, 0.9, 0.8).unwrap());
        let options = PositionBased { diagonals, ..PositionBased::default() };
        let list = stretch_list(&cloth, &options, ENFORCEMENT);
        let area = 0.9 * 0.8;
        for (strain, stiffness) in [
            ([1e-4, 0.0, 0.0], STIFFNESS[0]),
            ([0.0, 1e-4, 0.0], STIFFNESS[1]),
            ([0.0, 0.0, 1e-4], STIFFNESS[2]),
        ] {
            let ratio = energy(&cloth, &list, strain) / (0.5 * area * stiffness * 1e-8);
            assert!((ratio - 1.0).abs() < 2e-3, "{diagonals:?} {strain:?}: {ratio}");
        }
    }
}

/// Irregular triangles cannot all be matched; what comes out stays near.
#[test]
fn springs_of_irregular_cloth_are_of_the_right_order() {
    let cloth = cloth(generate::delaunay_rectangle(1.0, 1.0, 2_000, 3).unwrap());
    let list = stretch_list(&cloth, &PositionBased::default(), ENFORCEMENT);
    for (strain, stiffness) in
        [([1e-4, 0.0, 0.0], STIFFNESS[0]), ([0.0, 1e-4, 0.0], STIFFNESS[1]), ([0.0, 0.0, 1e-4], STIFFNESS[2])]
    {
        let ratio = energy(&cloth, &list, strain) / (0.5 * stiffness * 1e-8);
        println!("{strain:?}: {ratio}");
        // So soft a shear cannot be had from springs in all directions.
        let most = if strain[2] > 0.0 { 3.0 } else { 1.3 };
        assert!((0.8..most).contains(&ratio), "{strain:?}: {ratio}");
    }
}

#[test]
fn diagonals_are_left_out_or_doubled() {
    let mesh = generate::grid(3, 2, 1.0, 1.0).unwrap();
    let cloth = Cloth::builder(mesh).build().unwrap();
    let count = |diagonals| {
        let options = PositionBased { diagonals, ..PositionBased::default() };
        stretch_list(&cloth, &options, ENFORCEMENT).vertices.len()
    };
    assert_eq!([Diagonals::None, Diagonals::One, Diagonals::Both].map(count), [17, 23, 29]);
}

#[test]
fn no_shear_stiffness_means_no_diagonal_and_options_come_before_the_material() {
    let mesh = generate::grid(3, 2, 1.0, 1.0).unwrap();
    let stretch = Stretch::Physical { weft: 100.0, warp: 100.0, shear: 0.0 };
    let cloth = Cloth::builder(mesh).material(Material { stretch, ..Material::default() }).build().unwrap();
    assert_eq!(stretch_list(&cloth, &PositionBased::default(), ENFORCEMENT).vertices.len(), 17);
    let options = PositionBased { stretch: Some(Stiffness::Compliance(2.0)), ..PositionBased::default() };
    let list = stretch_list(&cloth, &options, ENFORCEMENT);
    assert_eq!((list.vertices.len(), list.compliances[0]), (23, (2.0 * 0.5 / 1e-4) as f32));
}
