use glam::{DVec3, Vec3, Vec4};

use super::length::Distance;
use super::testing::{check_gradients, check_momentum, project, single_precision, value};
use super::*;

const ENDS: [DVec3; 2] = [DVec3::new(0.3, -0.2, 0.9), DVec3::new(1.1, 0.4, -0.3)];

#[test]
fn a_distance_is_reached_in_one_projection_for_all_masses() {
    check_gradients(Distance, ENDS, [0.7], 1e-8);
    for w in [[1.0, 1.0], [0.2, 3.0], [0.0, 1.0], [1.0, 0.0]] {
        let after = project(Distance, ENDS, w, [0.7]);
        assert!(value(Distance, after, [0.7]).abs() < 1e-12, "{w:?}");
        (0..2).filter(|&i| w[i] == 0.0).for_each(|i| assert_eq!(after[i], ENDS[i]));
    }
    check_momentum(Distance, ENDS, [0.4, 2.0], [0.7]);
}

#[test]
fn points_in_one_place_and_held_ones_stay_where_they_are() {
    for passes in [Passes::GaussSeidel, Passes::Jacobi { over_relaxation: 1.0 }] {
        let same = [Vec3::ONE; 2];
        assert_eq!(single_precision(Distance, same, [1.0, 1.0], [0.5], passes), same);
        let held = [Vec3::ZERO, Vec3::X];
        assert_eq!(single_precision(Distance, held, [0.0, 0.0], [0.5], passes), held);
    }
}

/// [Kelager2010] eq. 6: what is left of an isolated constraint's error is 1 − k, whatever the number of iterations.
#[test]
fn the_fraction_is_the_same_for_any_number_of_iterations() {
    for k in [0.0f32, 0.1, 0.5, 0.9, 1.0] {
        for iterations in [1, 2, 16, 100] {
            let fraction = fraction_per_iteration(k, iterations);
            let enforcement = Enforcement { iterations, dt: 0.01, mean_mass: 1.0 };
            let list =
                ConstraintList::uniform(vec![[0, 1]], vec![[1.0]], Stiffness::Fraction(k), enforcement);
            assert_eq!(list.fractions, [fraction]);
            for passes in [Passes::GaussSeidel, Passes::Jacobi { over_relaxation: 1.0 }] {
                let mut points = vec![Vec4::new(0.0, 0.0, 0.0, 1.0), Vec4::new(2.0, 0.0, 0.0, 0.5)];
                let mut constraints = Constraints::new(Distance, 2, list.clone(), passes);
                for round in 0..iterations {
                    constraints.project(round == 0, &mut points, Execution::default());
                }
                let left = points[1].x - points[0].x - 1.0;
                assert!((left - (1.0 - k)).abs() < 2e-6, "{k} in {iterations}: {left}");
            }
        }
    }
}

/// XPBD: any number of iterations gives the implicit Euler step of the spring, λ = −C0/(Σ w + α).
#[test]
fn a_compliance_is_the_same_for_any_number_of_iterations() {
    let (stretch, compliance) = (1.0f32, 0.25f32);
    let enforcement = Enforcement { iterations: 7, dt: 0.5, mean_mass: 2.0 };
    let list =
        ConstraintList::uniform(vec![[0, 1]], vec![[1.0]], Stiffness::Compliance(compliance), enforcement);
    // α = 0.25 · 2/0.25 = 2 in relative units, against Σ w = 2.
    assert_eq!((list.fractions[0], list.compliances[0]), (1.0, 2.0));
    let expected = stretch * 2.0 / (2.0 + 2.0);
    for passes in [Passes::GaussSeidel, Passes::Jacobi { over_relaxation: 1.0 }] {
        for iterations in [1, 2, 50] {
            let mut points = vec![Vec4::new(0.0, 0.0, 0.0, 1.0), Vec4::new(1.0 + stretch, 0.0, 0.0, 1.0)];
            let mut constraints = Constraints::new(Distance, 2, list.clone(), passes);
            // The second step must not remember the first.
            for _ in 0..2 {
                points[0] = Vec4::new(0.0, 0.0, 0.0, 1.0);
                points[1] = Vec4::new(1.0 + stretch, 0.0, 0.0, 1.0);
                for round in 0..iterations {
                    constraints.project(round == 0, &mut points, Execution::default());
                }
                let left = points[1].x - points[0].x - 1.0;
                assert!((left - expected).abs() < 1e-6, "{passes:?}, {iterations}: {left}");
            }
        }
    }
}

#[test]
fn gauss_seidel_and_jacobi_have_the_same_fixed_point() {
    let edges: Vec<[u32; 2]> = (0..9).map(|i| [i, i + 1]).collect();
    let end = |passes| {
        let list = ConstraintList {
            rest: vec![[0.1]; edges.len()],
            fractions: vec![1.0; edges.len()],
            compliances: vec![0.5; edges.len()],
            vertices: edges.clone(),
        };
        let mut points: Vec<Vec4> =
            (0..10).map(|i| Vec4::new(0.12 * i as f32, 0.0, 0.0, if i == 0 { 0.0 } else { 1.0 })).collect();
        let mut constraints = Constraints::new(Distance, 10, list, passes);
        for round in 0..2000 {
            constraints.project(round == 0, &mut points, Execution::default());
        }
        points[9].x
    };
    let (swept, averaged) = (end(Passes::GaussSeidel), end(Passes::Jacobi { over_relaxation: 1.5 }));
    assert!((swept - averaged).abs() < 1e-5, "{swept} {averaged}");
    assert!(swept > 0.9 && swept < 1.08);
}
