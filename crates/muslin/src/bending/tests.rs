//! Every bending constraint: gradients, projections, momentum, degenerate input, one-sidedness, signs.

use glam::{DVec3, Vec3, Vec4};

use super::dihedral::{DihedralAngle, rest_angle};
use super::signed::BorderBend;
use super::triangle::TriangleBend;
use crate::execution::Execution;
use crate::solver::constraint::testing::{check_gradients, check_momentum, project, single_precision, value};
use crate::solver::constraint::{ConstraintList, Constraints, Passes};

pub(super) const PLAIN: TriangleBend =
    TriangleBend { kappa: 0.0, inequality: false, printed_masses: false, signed: false };
pub(super) const SIGNED: TriangleBend = TriangleBend { signed: true, ..PLAIN };

/// b0, b1, v, p, q: a tent over a base along x.
pub(super) fn tent(height: f64) -> [DVec3; 5] {
    [
        DVec3::new(-1.0, 0.1, 0.0),
        DVec3::new(1.2, 0.0, 0.1),
        DVec3::new(0.1, 0.2, height),
        DVec3::new(0.0, -1.0, 0.2),
        DVec3::new(0.2, 1.1, -0.1),
    ]
}

pub(super) fn three(x: [DVec3; 5]) -> [DVec3; 3] {
    [x[0], x[1], x[2]]
}

/// b0, b1, v, q, as at a border.
pub(super) fn border(x: [DVec3; 5]) -> [DVec3; 4] {
    [x[0], x[1], x[2], x[4]]
}

/// b0, b1, p, q, the edge raised over its tips.
pub(super) fn roof(height: f64) -> [DVec3; 4] {
    let edge = DVec3::Z * height;
    [
        DVec3::new(-1.0, 0.1, 0.0),
        DVec3::new(1.2, 0.0, 0.1),
        DVec3::new(0.0, -1.0, 0.0) + edge,
        DVec3::new(0.2, 1.1, 0.0) + edge,
    ]
}

/// x0, x1, x2, x3, folded by an angle.
fn fold(angle: f64) -> [DVec3; 4] {
    [
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(0.1, 2.0, 0.2),
        DVec3::new(-1.0, 0.7, 0.0),
        DVec3::new(1.5 * angle.cos(), 1.2, -1.5 * angle.sin()),
    ]
}

/// Masses: equal, unequal, each vertex fixed in turn, two fixed.
pub(super) fn masses<const N: usize>() -> Vec<[f64; N]> {
    let unequal: [f64; N] = std::array::from_fn(|i| 0.3 + 0.9 * i as f64);
    let mut all = vec![[1.0; N], unequal];
    for fixed in 0..3 {
        let mut w = unequal;
        w[fixed] = 0.0;
        all.push(w);
        w[(fixed + 1) % 3] = 0.0;
        all.push(w);
    }
    all
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let bent = TriangleBend { kappa: 0.05, ..PLAIN };
    let signed = TriangleBend { kappa: 0.05, ..SIGNED };
    for height in [0.8, 0.1, -0.6] {
        check_gradients::<_, 3, 1>(bent, three(tent(height)), [0.4], 1e-7);
        for side in [1.0, -1.0] {
            check_gradients::<_, 5, 2>(signed, tent(height), [0.4, side], 1e-7);
            check_gradients(BorderBend(signed), border(tent(height)), [0.4, side], 1e-7);
            check_gradients::<_, 4, 2>(signed, roof(height), [0.4, side], 1e-7);
        }
        check_gradients::<_, 4, 2>(bent, roof(height), [0.4, 1.0], 1e-7);
    }
    // The angle itself is a series within 5e-7, its slope within 1e-5 of 1.
    for angle in [0.0, 1e-3, 0.4, 1.5, 1.6, 3.0, 3.13, -0.4, -2.9] {
        check_gradients(DihedralAngle { signed: true }, fold(angle), [0.2], 3e-5);
    }
    for angle in [0.4, 1.6, 3.0, -0.4, -2.9] {
        check_gradients(DihedralAngle { signed: false }, fold(angle), [0.2], 3e-5);
    }
}

#[test]
fn the_angle_is_that_of_atan2() {
    for i in -314..=314 {
        let x = fold(f64::from(i) * 0.01);
        let ours = value(DihedralAngle { signed: true }, x, [0.0]);
        assert!((ours - f64::from(rest_angle(x))).abs() < 1e-6, "{i}: {ours}");
    }
    // A fold keeps its sign, and the printed angle does not.
    let signed = |angle: f64| value(DihedralAngle { signed: true }, fold(angle), [0.0]);
    let printed = |angle: f64| value(DihedralAngle { signed: false }, fold(angle), [0.0]);
    assert!(signed(0.7) * signed(-0.7) < 0.0 && printed(0.7) > 0.0 && printed(-0.7) > 0.0);
}

#[test]
fn one_projection_satisfies_a_triangle_bend_for_all_masses() {
    let bent = TriangleBend { kappa: 0.05, ..PLAIN };
    for height in [0.8, 0.1] {
        for w in masses::<3>() {
            let after = project::<_, 3, 1>(bent, three(tent(height)), w, [0.4]);
            assert!(value::<_, 3, 1>(bent, after, [0.4]).abs() < 1e-12, "{w:?}");
        }
        for w in masses::<4>() {
            let after = project::<_, 4, 2>(bent, roof(height), w, [0.4, 0.0]);
            assert!(value::<_, 4, 2>(bent, after, [0.4, 0.0]).abs() < 1e-12, "{w:?}");
        }
    }
}

/// Errata 1: a third too far with both base vertices fixed, a third too little with the tip fixed.
#[test]
fn the_printed_masses_are_exact_only_where_they_are_equal() {
    let printed = TriangleBend { printed_masses: true, ..PLAIN };
    let x = three(tent(0.8));
    let before = value::<_, 3, 1>(printed, x, [0.4]);
    for (w, left) in [([1.0; 3], 0.0), ([0.0, 0.0, 1.0], -1.0 / 3.0), ([1.0, 1.0, 0.0], 1.0 / 3.0)] {
        let after = value::<_, 3, 1>(printed, project::<_, 3, 1>(printed, x, w, [0.4]), [0.4]);
        assert!((after / before - left).abs() < 1e-12, "{w:?}: {}", after / before);
    }
}

#[test]
fn newton_steps_bring_a_fold_to_its_angle_for_all_masses() {
    for (start, rest) in [(0.9, 0.2), (-0.3, 0.4), (1e-4, 0.0), (2.5, 1.0)] {
        for w in masses::<4>().into_iter().filter(|w| w[2] > 0.0 || w[3] > 0.0) {
            let kind = DihedralAngle { signed: true };
            let mut x = fold(start);
            for _ in 0..30 {
                x = project(kind, x, w, [rest]);
            }
            let left = value(kind, x, [rest]);
            assert!(left.abs() < 1e-6, "from {start} to {rest} with {w:?}: {left}");
        }
    }
}

#[test]
fn projections_keep_linear_and_angular_momentum() {
    let w: [f64; 5] = [0.4, 2.0, 1.3, 0.7, 1.0];
    let four = [w[0], w[1], w[2], w[3]];
    check_momentum::<_, 3, 1>(PLAIN, three(tent(0.8)), [w[0], w[1], w[2]], [0.4]);
    check_momentum::<_, 3, 1>(
        TriangleBend { printed_masses: true, ..PLAIN },
        three(tent(0.8)),
        [w[0], w[1], w[2]],
        [0.4],
    );
    check_momentum::<_, 5, 2>(SIGNED, tent(-0.8), w, [0.4, 1.0]);
    check_momentum(BorderBend(SIGNED), border(tent(-0.8)), four, [0.4, 1.0]);
    check_momentum::<_, 4, 2>(PLAIN, roof(0.8), four, [0.4, 1.0]);
    check_momentum::<_, 4, 2>(SIGNED, roof(-0.8), four, [0.4, 1.0]);
    check_momentum(DihedralAngle { signed: true }, fold(0.9), four, [0.2]);
    check_momentum(DihedralAngle { signed: false }, fold(-0.9), four, [0.2]);
}

/// Kelager: “Degenerated triangles are valid for our triangle bending constraints.”
#[test]
fn degenerate_triangles_are_valid_input() {
    let line = [Vec3::NEG_X, Vec3::X, Vec3::ZERO];
    let passes = [Passes::GaussSeidel, Passes::Jacobi { over_relaxation: 1.0 }];
    for passes in passes {
        // Straight at rest and now: nothing to do.
        assert_eq!(single_precision::<_, 3, 1>(PLAIN, line, [1.0; 3], [0.0], passes), line);
        // Bent at rest, straight now: no direction, so nothing either; the signed one knows the way.
        assert_eq!(single_precision::<_, 3, 1>(PLAIN, line, [1.0; 3], [0.3], passes), line);
        let five = [Vec3::NEG_X, Vec3::X, Vec3::ZERO, Vec3::NEG_Y, Vec3::Y];
        for side in [1.0, -1.0f32] {
            let after = single_precision::<_, 5, 2>(SIGNED, five, [1.0; 5], [0.3, side], passes);
            assert!((after[2].z - side * 0.1).abs() < 1e-6, "{after:?}");
            assert_eq!((after[3], after[4]), (five[3], five[4]));
        }
        // All in one point.
        let point = [Vec3::ONE; 3];
        assert_eq!(single_precision::<_, 3, 1>(PLAIN, point, [1.0; 3], [0.3], passes), point);
        // Bent now, straight at rest: flat afterwards.
        let bent = [Vec3::NEG_X, Vec3::X, Vec3::Z * 0.4];
        let after = single_precision::<_, 3, 1>(PLAIN, bent, [1.0; 3], [0.0], passes);
        assert!((2.0 * after[2] - after[0] - after[1]).length() < 1e-6);
        // Triangles without area have no dihedral angle.
        for x in [
            [Vec3::ZERO, Vec3::Y, Vec3::Y * 0.5, Vec3::X],
            [Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::Y * 2.0],
            [Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::Y],
            [Vec3::ONE; 4],
        ] {
            let after = single_precision(DihedralAngle { signed: true }, x, [1.0; 4], [0.5], passes);
            assert_eq!(after, x);
        }
        // A closed fold opens.
        let shut = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 0.5, 0.0), Vec3::new(1.0, 0.5, 1e-6)];
        let after = single_precision(DihedralAngle { signed: true }, shut, [1.0; 4], [0.0], passes);
        assert!(after.iter().all(|p| p.is_finite()) && (after[2] - after[3]).length() > 0.1);
    }
}

#[test]
fn an_inequality_pushes_one_way_only() {
    let kind = TriangleBend { inequality: true, ..PLAIN };
    let (more, less) = (three(tent(0.8)), three(tent(0.05)));
    assert_eq!(project::<_, 3, 1>(kind, more, [1.0; 3], [0.4]), more);
    let after = project::<_, 3, 1>(kind, less, [1.0; 3], [0.4]);
    assert!(value::<_, 3, 1>(kind, after, [0.4]).abs() < 1e-12);
    // With a compliance, the push of an earlier iteration may be taken back, but never becomes a pull.
    let list = ConstraintList {
        vertices: vec![[0, 1, 2]],
        rest: vec![[0.4]],
        fractions: vec![1.0],
        compliances: vec![1.0],
    };
    let mut constraints = Constraints::<_, 3, 1>::new(kind, 3, list, Passes::GaussSeidel);
    let mut points: Vec<Vec4> = less.iter().map(|p| p.as_vec3().extend(1.0)).collect();
    constraints.project(true, &mut points, Execution::default());
    let tall: Vec<Vec4> = three(tent(2.0)).iter().map(|p| p.as_vec3().extend(1.0)).collect();
    let mut points = tall.clone();
    constraints.project(false, &mut points, Execution::default());
    assert_ne!(points, tall, "the push is taken back");
    let mut again = tall.clone();
    constraints.project(false, &mut again, Execution::default());
    assert_eq!(again, tall, "there is nothing left to take back");
}
