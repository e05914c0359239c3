//! Goals, momentum, and what a region does not resist.

use glam::{DVec3, Vec3};

use super::Region;

const REST: [DVec3; 3] = [DVec3::ZERO, DVec3::new(0.03, 0.0, 0.0), DVec3::new(0.01, 0.02, 0.005)];
const BENT: [Vec3; 3] =
    [Vec3::new(1.001, 2.0, 0.002), Vec3::new(1.04, 2.01, 0.0), Vec3::new(1.0, 2.021, 0.013)];
const MASSES: [[f64; 3]; 3] = [[1.0; 3], [1.0, 2.5, 0.3], [4.0, 1.0, 1.0]];

fn add<const N: usize>(x: [Vec3; N], changes: [Vec3; N]) -> [Vec3; N] {
    std::array::from_fn(|i| x[i] + changes[i])
}

fn centre<const N: usize>(x: [Vec3; N], shares: [f32; N]) -> DVec3 {
    x.iter().zip(shares).map(|(x, share)| x.as_dvec3() * f64::from(share)).sum()
}

/// The largest relative error of the distances to the centre.
fn error<const N: usize>(region: &Region<N>, x: [Vec3; N]) -> f64 {
    let centre = centre(x, region.shares);
    let off = |i: usize| {
        let rest = f64::from(region.distances[i]);
        if rest == 0.0 { 0.0 } else { (x[i].as_dvec3().distance(centre) / rest - 1.0).abs() }
    };
    (0..N).map(off).fold(0.0, f64::max)
}

#[test]
fn an_edge_has_its_length_after_one_projection() {
    for (masses, free) in [
        ([1.0, 1.0], [true; 2]),
        ([1.0, 7.0], [true; 2]),
        ([f64::INFINITY, 1.0], [false, true]),
        ([2.0, f64::INFINITY], [true, false]),
    ] {
        let region = Region::new([REST[0], REST[1]], masses);
        let before = [BENT[0], BENT[1]];
        let after = add(before, region.correction(before, free));
        assert!((after[0].distance(after[1]) - 0.03).abs() < 1e-6, "{masses:?}: {after:?}");
        for i in 0..2 {
            assert!(free[i] || after[i] == before[i]);
        }
    }
}

/// The goal itself is at the rest distance from the old centre; moving all goals by T keeps the centre.
#[test]
fn goals_are_at_the_rest_distances_from_the_centre() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let centre = centre(BENT, region.shares);
        let goals = add(BENT, region.correction(BENT, [true; 3])).map(|goal| goal.as_dvec3());
        // T is the same for all three: it is known from what the first lacks.
        let radial = |i: usize| {
            let spoke = BENT[i].as_dvec3() - centre;
            centre + spoke.normalize() * f64::from(region.distances[i])
        };
        let shift = goals[0] - radial(0);
        for (i, goal) in goals.into_iter().enumerate() {
            assert!((goal - shift - radial(i)).length() < 1e-6, "{masses:?}");
        }
    }
}

#[test]
fn a_triangle_that_kept_its_proportions_is_right_after_one_projection() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let grown = REST.map(|x| (1.3 * x).as_vec3() + Vec3::new(0.5, 0.0, 1.0));
        let after = add(grown, region.correction(grown, [true; 3]));
        assert!(error(&region, after) < 1e-5, "{masses:?}: {}", error(&region, after));
    }
}

#[test]
fn with_fixed_corners_the_others_are_right_after_one_projection() {
    for fixed in [[true, false, false], [false, true, true]] {
        let region = Region::new(REST, fixed.map(|fixed| if fixed { f64::INFINITY } else { 1.0 }));
        let changes = region.correction(BENT, fixed.map(|fixed| !fixed));
        let after = add(BENT, changes);
        let centre = centre(after, region.shares);
        for i in 0..3 {
            let distance = after[i].as_dvec3().distance(centre);
            let off = (distance - f64::from(region.distances[i])).abs();
            assert!(if fixed[i] { changes[i] == Vec3::ZERO } else { off < 1e-6 }, "{fixed:?}, {i}: {off}");
        }
    }
}

/// Σ µ Δ = 0 and Σ µ r × Δ = 0, to the rounding of positions of 2 m.
#[test]
fn a_region_keeps_linear_and_angular_momentum() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let changes = region.correction(BENT, [true; 3]).map(|change| change.as_dvec3());
        let share = |i: usize| f64::from(region.shares[i]);
        let linear: DVec3 = (0..3).map(|i| changes[i] * share(i)).sum();
        let centre = centre(BENT, region.shares);
        let angular: DVec3 = (0..3).map(|i| (BENT[i].as_dvec3() - centre).cross(changes[i]) * share(i)).sum();
        assert!(changes[0].length() > 1e-3, "there is something to do");
        assert!(linear.length() < 1e-9, "{masses:?}: {linear}");
        assert!(angular.length() < 2e-8 * 0.03, "{masses:?}: {angular}");
    }
}

/// Errata 1 says that a shear that keeps the distances is not resisted. Of a free triangle there is none: sheared
/// by a tenth, it finds its way back.
#[test]
fn a_sheared_free_triangle_comes_back_to_its_shape() {
    for masses in MASSES {
        let region = Region::new(REST, masses);
        let mut x = REST.map(|x| DVec3::new(x.x + 0.1 * x.y, x.y, x.z).as_vec3());
        assert!(error(&region, x) > 0.01, "a shear changes the distances");
        for _ in 0..200 {
            x = add(x, region.correction(x, [true; 3]));
        }
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (now, rest) = (x[i].distance(x[j]), REST[i].distance(REST[j]) as f32);
            assert!((now / rest - 1.0).abs() < 1e-4, "{masses:?}, side {i}{j}: {now} {rest}");
        }
    }
}

/// With a fixed corner there is: the angle at it may be anything.
#[test]
fn a_shear_around_a_fixed_corner_meets_no_resistance() {
    let region = Region::new(REST, [f64::INFINITY, 1.0, 1.0]);
    let turn = glam::Quat::from_rotation_z(0.7);
    let x = REST.map(|x| x.as_vec3());
    let opened = [x[0], x[1], turn * x[2]];
    for change in region.correction(opened, [false, true, true]) {
        assert!(change.length() < 1e-8, "{change}");
    }
}

#[test]
fn points_without_a_direction_are_left_alone_and_nothing_is_lost() {
    let region = Region::new(REST, [1.0; 3]);
    let nowhere = region.correction([Vec3::ONE; 3], [true; 3]);
    assert_eq!(nowhere, [Vec3::ZERO; 3]);
    // The first corner lies in the centre of the two others.
    let line = region.correction([Vec3::ZERO, Vec3::X, -Vec3::X], [true; 3]);
    assert!(line.iter().all(|change| change.is_finite()), "{line:?}");
}
