//! What every constraint must do, for the tests of each kind.

use glam::{DVec3, Vec3, Vec4};

use super::{Constraint, ConstraintList, Constraints, Passes, multiplier_change};
use crate::execution::Execution;
use crate::math::vec3::V3;

fn v3(p: DVec3) -> V3<f64> {
    V3::new(p.x, p.y, p.z)
}

/// C in double precision.
pub(crate) fn value<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    x: [DVec3; N],
    rest: [f64; K],
) -> f64 {
    kind.evaluate(x.map(v3), [1.0; N], rest).value
}

/// One projection with k = 1, in double precision.
pub(crate) fn project<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    x: [DVec3; N],
    w: [f64; N],
    rest: [f64; K],
) -> [DVec3; N] {
    let evaluation = kind.evaluate(x.map(v3), w, rest);
    let change = multiplier_change(&evaluation, 1.0, 0.0, 0.0, kind.one_sided());
    std::array::from_fn(|i| {
        let step = evaluation.gradients[i] * (w[i] * change);
        x[i] + DVec3::new(step.x, step.y, step.z)
    })
}

/// Gradients against central differences of C, and Σ w |g|².
pub(crate) fn check_gradients<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    x: [DVec3; N],
    rest: [f64; K],
    tolerance: f64,
) {
    let w: [f64; N] = std::array::from_fn(|i| 0.5 + i as f64);
    let evaluation = kind.evaluate(x.map(v3), w, rest);
    let mut mobility = 0.0;
    for i in 0..N {
        let g = evaluation.gradients[i];
        let g = DVec3::new(g.x, g.y, g.z);
        mobility += w[i] * g.length_squared();
        for axis in DVec3::AXES {
            let step = 1e-5;
            let moved = |by: f64| {
                let mut x = x;
                x[i] += axis * by;
                value(kind, x, rest)
            };
            let difference = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((difference - g.dot(axis)).abs() < tolerance, "{i} {axis}: {difference} against {g}");
        }
    }
    assert!((mobility / evaluation.mobility - 1.0).abs() < 1e-6, "{mobility} {}", evaluation.mobility);
}

/// A projection of free points keeps their centre of mass and the sum of x × Δx/w: in double precision to 1e-12 of
/// what each point contributes.
pub(crate) fn check_momentum<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    x: [DVec3; N],
    w: [f64; N],
    rest: [f64; K],
) {
    let after = project(kind, x, w, rest);
    let (mut linear, mut angular, mut size) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for i in 0..N {
        let impulse = (after[i] - x[i]) / w[i];
        linear += impulse;
        angular += x[i].cross(impulse);
        size += impulse.length() * (1.0 + x[i].length());
    }
    assert!(size > 0.0, "nothing moved");
    assert!(linear.length() < 1e-12 * size, "{linear} of {size}");
    assert!(angular.length() < 1e-12 * size, "{angular} of {size}");
}

/// Projects a list of one constraint in single precision, as a simulation does.
pub(crate) fn single_precision<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    x: [Vec3; N],
    w: [f32; N],
    rest: [f32; K],
    passes: Passes,
) -> [Vec3; N] {
    let list = ConstraintList {
        vertices: vec![std::array::from_fn(|i| i as u32)],
        rest: vec![rest],
        fractions: vec![1.0],
        compliances: vec![0.0],
    };
    let mut points: Vec<Vec4> = x.iter().zip(w).map(|(x, w)| x.extend(w)).collect();
    Constraints::new(kind, N, list, passes).project(true, &mut points, Execution::default());
    std::array::from_fn(|i| points[i].truncate())
}
