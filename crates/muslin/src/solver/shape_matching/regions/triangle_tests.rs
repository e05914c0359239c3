//! Closed forms against what they must do.

use glam::{DQuat, DVec3, Vec3};

use super::triangle::*;
use crate::diagnostics::strain::principal;
use crate::math::vec3::V3;

const REST: [DVec3; 3] = [DVec3::new(0.1, 0.2, 0.0), DVec3::new(1.3, 0.1, 0.0), DVec3::new(0.4, 0.9, 0.0)];
const INVERSE_MASSES: [f32; 3] = [1.0, 0.4, 2.5];

/// The rest triangle, stretched along two axes, turned somewhere in space and moved.
fn deformed(stretch_x: f64, stretch_y: f64) -> [DVec3; 3] {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0);
    REST.map(|p| turn * DVec3::new(p.x * stretch_x, p.y * stretch_y, 0.0) + DVec3::new(0.3, -0.2, 0.5))
}

fn correct(x: [DVec3; 3], w: [f32; 3], only_stretched: bool) -> [DVec3; 3] {
    let points = x.map(|p| V3::from(p.as_vec3()));
    let goal =
        if only_stretched { Goal::OnlyStretched { alpha: 1.0f32 } } else { Goal::Rigid { alpha: 1.0f32 } };
    let flat = flatten(points[1] - points[0], points[2] - points[0]);
    let changes = triangle_correction(&flat, w, RestTriangle::new(REST), goal);
    std::array::from_fn(|i| x[i] + Vec3::from(changes[i]).as_dvec3())
}

fn close(a: [DVec3; 3], b: [DVec3; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.distance(b) < 1e-6)
}

#[test]
fn a_rigidly_moved_triangle_stays_where_it_is() {
    let x = deformed(1.0, 1.0);
    assert!(close(correct(x, INVERSE_MASSES, false), x));
    assert!(close(correct(x, INVERSE_MASSES, true), x));
}

#[test]
fn full_stiffness_restores_the_rest_shape_and_keeps_the_momenta() {
    for (sx, sy) in [(1.4, 1.1), (0.6, 0.8), (1.5, 0.5)] {
        let x = deformed(sx, sy);
        let y = correct(x, INVERSE_MASSES, false);
        for strain in principal(y, REST) {
            assert!(strain.abs() < 1e-5, "{strain}");
        }
        let change = |i: usize| (y[i] - x[i]) / f64::from(INVERSE_MASSES[i]);
        let linear: DVec3 = (0..3).map(change).sum();
        let angular: DVec3 = (0..3).map(|i| x[i].cross(change(i))).sum();
        assert!(linear.length() < 1e-5 && angular.length() < 1e-5, "{linear} {angular}");
    }
}

#[test]
fn coarse_regions_undo_stretch_and_leave_compression() {
    let x = deformed(0.7, 0.9);
    assert!(close(correct(x, INVERSE_MASSES, true), x));
    let [large, small] = principal(correct(deformed(1.3, 0.8), INVERSE_MASSES, true), REST);
    assert!(large.abs() < 1e-5 && (small + 0.2).abs() < 1e-5, "{large} {small}");
    let [large, small] = principal(correct(deformed(1.3, 1.2), INVERSE_MASSES, true), REST);
    assert!(large.abs() < 1e-5 && small.abs() < 1e-5, "{large} {small}");
}

#[test]
fn fixed_corners_do_not_move_and_the_others_make_up_for_it() {
    let x = deformed(1.4, 1.2);
    let y = correct(x, [0.0, 1.0, 1.0], false);
    assert_eq!(y[0], x[0]);
    assert!(principal(y, REST).iter().all(|s| s.abs() < 1e-4));
    let y = correct(x, [0.0, 1.0, 0.0], false);
    assert_eq!((y[0], y[2]), (x[0], x[2]));
    assert!(y[1].distance(x[1]) > 0.01 && y[1].is_finite());
    assert_eq!(correct(x, [0.0; 3], false), x);
}

#[test]
fn collapsed_triangles_borrow_their_rest_frame() {
    let poses = pose_frames(&REST, &[[0, 1, 2]]);
    for x in [[DVec3::ONE; 3], [DVec3::ZERO, DVec3::X, DVec3::X * 2.0], [DVec3::ZERO, DVec3::ZERO, DVec3::Y]]
    {
        let points = x.map(|p| V3::from(p.as_vec3()));
        let rest = RestTriangle::new(REST);
        let mut flat = flatten(points[1] - points[0], points[2] - points[0]);
        assert!(is_collapsed(&flat, rest));
        repair_frame(&mut flat, rest, poses[0]);
        let (ax, ay) = (Vec3::from(flat.ax), Vec3::from(flat.ay));
        assert!(
            (ax.length() - 1.0).abs() < 1e-5 && (ay.length() - 1.0).abs() < 1e-5 && ax.dot(ay).abs() < 1e-5
        );
    }
}
