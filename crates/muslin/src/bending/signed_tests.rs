//! The mirror image: an equilibrium of the plain bend, and none of the signed one.

use glam::DVec3;

use super::placement::RingBend;
use super::signed::{BorderBend, SignedRings, signed_edge_rest};
use super::tests::{PLAIN, SIGNED, border, masses, roof, tent, three};
use crate::mesh::Hinge;
use crate::solver::constraint::Constraint;
use crate::solver::constraint::testing::{project, value};

/// [Kelager2010] §6: the mirror image is an equilibrium of the unsigned constraint.
#[test]
fn the_signed_bend_carries_a_mirrored_tip_back() {
    let (rest, mirrored) = (tent(0.5), tent(-0.6));
    let d = 2.0 * rest[2] - rest[0] - rest[1];
    let unsigned = project::<_, 3, 1>(PLAIN, three(mirrored), [1.0; 3], [d.length()]);
    assert!(unsigned[2].z < 0.0 && value::<_, 3, 1>(PLAIN, unsigned, [d.length()]).abs() < 1e-12);
    // The height is not linear where the bend is askew: a few steps of Newton's method.
    let (mut inner, mut along) = (mirrored, border(mirrored));
    for _ in 0..20 {
        inner = project::<_, 5, 2>(SIGNED, inner, [1.0; 5], [d.length(), 1.0]);
        along = project(BorderBend(SIGNED), along, [1.0; 4], [d.length(), 1.0]);
    }
    assert!(inner[2].z > 0.0 && value::<_, 5, 2>(SIGNED, inner, [d.length(), 1.0]).abs() < 1e-9);
    assert!(along[2].z > 0.0 && value(BorderBend(SIGNED), along, [d.length(), 1.0]).abs() < 1e-9);

    let hinge = Hinge { edge: [2, 3], opposite: [0, 1], triangles: [0, 1] };
    let [length, side] = signed_edge_rest(&roof(0.5), &hinge).map(f64::from);
    assert!(signed_edge_rest(&roof(-0.5), &hinge)[1] == -side as f32);
    let after = project::<_, 4, 2>(SIGNED, roof(-0.6), [1.0; 4], [length, side]);
    assert!(after[2].z > after[0].z, "{after:?}");
}

/// Heights are not linear, so it takes some projections; whatever is held stays where it is, and the momentum of what
/// is free does not change.
#[test]
fn signed_bends_are_satisfied_for_all_masses() {
    fn check<C: Constraint<N, 2>, const N: usize>(kind: C, start: [DVec3; N], rest: [f64; 2]) {
        for w in masses::<N>() {
            let mut x = start;
            // Slowly, where most of it is held.
            for _ in 0..200 {
                x = project(kind, x, w, rest);
            }
            let error = value(kind, x, rest);
            assert!(error.abs() < 1e-9, "{w:?}: {error}");
            let moved: Vec<DVec3> = (0..N).map(|i| x[i] - start[i]).collect();
            assert!((0..N).all(|i| w[i] > 0.0 || moved[i] == DVec3::ZERO), "{w:?}");
            if w.iter().all(|&w| w > 0.0) {
                let momentum: DVec3 = (0..N).map(|i| moved[i] / w[i]).sum();
                assert!(momentum.length() < 1e-9, "{w:?}: {momentum}");
            }
        }
    }
    check::<_, 5>(SIGNED, tent(0.6), [0.8, 1.0]);
    check(BorderBend(SIGNED), border(tent(0.6)), [0.8, 1.0]);
    check::<_, 4>(SIGNED, roof(0.6), [0.8, 1.0]);
}

/// A bend whose angle lies in the surface has no height, and the mirror image asks nothing of it. (A signed |d| asked
/// for twice its length.)
#[test]
fn what_is_bent_in_the_surface_is_left_alone() {
    let rest = [
        DVec3::new(-1.0, 0.5, -0.01),
        DVec3::new(1.0, 0.5, -0.01),
        DVec3::ZERO,
        DVec3::new(0.0, -1.0, 0.0),
        DVec3::new(0.0, 1.0, 0.0),
    ];
    let bend = RingBend { base: [0, 1], tip: 2, across: [3, 4] };
    let rings = SignedRings::new(&rest, &[bend]);
    let mirrored = rest.map(|p| DVec3::new(p.x, p.y, -p.z));
    let error = value::<_, 5, 2>(SIGNED, mirrored, rings.inner_rest[0].map(f64::from));
    assert!((error + 0.04).abs() < 1e-6, "{error}");
    // Without neighbours on the one side, or the other, the side at rest is the same.
    for across in [[2, 4], [3, 2]] {
        let border = SignedRings::new(&rest, &[RingBend { across, ..bend }]);
        assert_eq!(border.inner.len(), 0);
        assert_eq!(border.border_rest[0][1], rings.inner_rest[0][1], "{across:?}");
    }
    let none = SignedRings::new(&rest, &[RingBend { across: [2, 2], ..bend }]);
    assert!(none.inner.is_empty() && none.border.is_empty());
}

/// All that could bend is held: neighbours that only tell the side are not thrown away for it. (They went 1448 m in a
/// step, beside a clamped edge.)
#[test]
fn neighbours_of_what_is_held_stay() {
    let askew = 1e-4;
    let flat = [
        DVec3::NEG_X,
        DVec3::X,
        DVec3::new(0.0, askew, 0.0),
        DVec3::new(0.0, -1.0, 0.0),
        DVec3::new(0.0, 1.0, 0.0),
    ];
    let inner = project::<_, 5, 2>(SIGNED, flat, [0.0, 0.0, 0.0, 1.0, 1.0], [0.3, 1.0]);
    assert!(inner.iter().zip(flat).all(|(after, before)| after.distance(before) < 2.0 * askew), "{inner:?}");
    let along = project(BorderBend(SIGNED), border(flat), [0.0, 0.0, 0.0, 1.0], [0.3, 1.0]);
    assert!(along.iter().zip(border(flat)).all(|(after, before)| after.distance(before) < 2.0 * askew));
}
