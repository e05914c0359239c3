//! The triangle's step in double precision: its limits, its fixed points, and that it contracts.

use super::*;

const STIFFNESS: MembraneStiffness = MembraneStiffness { weft: 30.0, warp: 100.0, shear: 7.0 };
const WEFT: DVec3 = DVec3::new(0.8, 0.6, 0.0);

/// A triangle that may be anything between equilateral and a splinter, with its masses in kg.
#[derive(Clone, Copy)]
struct Case {
    corners: [DVec3; 3],
    masses: [f64; 3],
    fixed: [bool; 3],
}

const PLAIN: Case = Case {
    corners: [DVec3::ZERO, DVec3::new(0.1, 0.02, 0.0), DVec3::new(0.03, 0.09, 0.0)],
    masses: [0.011, 0.017, 0.013],
    fixed: [false; 3],
};

impl Case {
    /// Inverse masses relative to the mean, as points have them.
    fn mobilities(&self) -> [f64; 3] {
        let mean = self.masses.iter().sum::<f64>() / 3.0;
        [0, 1, 2].map(|i| if self.fixed[i] { 0.0 } else { mean / self.masses[i] })
    }

    /// What a step of `dt` adds to the corners.
    fn correction(&self, x: [DVec3; 3], stiffness: MembraneStiffness, dt: f64) -> [DVec3; 3] {
        let masses = [0, 1, 2].map(|i| self.masses[i] * if self.fixed[i] { HEAVY } else { 1.0 });
        let rest = Rest::new(self.corners, masses, WEFT);
        let response = rest.response(stiffness, dt);
        let g = response.g;
        let membrane = Membrane {
            rest: RestTriangle { l: rest.q2.x, d: rest.q3.x, h: rest.q3.y },
            response: [
                g.x_axis.x,
                g.y_axis.y,
                0.5 * g.z_axis.z,
                g.y_axis.x,
                g.z_axis.x / SQRT_2,
                g.z_axis.y / SQRT_2,
            ],
            lever2: response.lever2.to_array(),
            lever3: response.lever3.to_array(),
            turn: response.turn,
        };
        let moved = membrane.correction(x.map(|x| V3::new(x.x, x.y, x.z)), self.mobilities());
        moved.map(|change| DVec3::new(change.x, change.y, change.z))
    }

    /// The norm, in the metric of the masses, of what a step makes of a small change of the rest shape.
    fn growth(&self, stiffness: MembraneStiffness, dt: f64) -> f64 {
        let size = self.corners[1].distance(self.corners[0]);
        let by = 1e-6
            * self
                .corners
                .iter()
                .flat_map(|&c| self.corners.map(|d| c.distance(d)))
                .filter(|&l| l > 0.0)
                .fold(size, f64::min);
        let free: Vec<usize> = (0..9).filter(|i| !self.fixed[i / 3]).collect();
        let column = |j: usize| {
            let at = |sign: f64| {
                let mut x = self.corners;
                x[j / 3][j % 3] += sign * by;
                let moved = self.correction(x, stiffness, dt);
                [0, 1, 2].map(|i| x[i] + moved[i])
            };
            let (plus, minus) = (at(1.0), at(-1.0));
            let root = |i: usize| self.masses[i / 3].sqrt();
            free.iter()
                .map(|&i| (plus[i / 3][i % 3] - minus[i / 3][i % 3]) / (2.0 * by) * root(i) / root(j))
                .collect::<Vec<f64>>()
        };
        let columns: Vec<Vec<f64>> = free.iter().map(|&j| column(j)).collect();
        // Power iteration on AᵀA.
        let mut v: Vec<f64> = (0..free.len()).map(|i| 1.0 + 0.37 * (i as f64 * 2.1).sin()).collect();
        let mut norm = 0.0;
        for _ in 0..300 {
            let image: Vec<f64> =
                (0..free.len()).map(|i| columns.iter().zip(&v).map(|(c, v)| c[i] * v).sum()).collect();
            let back: Vec<f64> =
                columns.iter().map(|c| c.iter().zip(&image).map(|(a, b)| a * b).sum()).collect();
            norm = back.iter().map(|b| b * b).sum::<f64>().sqrt();
            v = back.iter().map(|b| b / norm).collect();
        }
        norm.sqrt()
    }
}

/// Shapes from equilateral to a splinter of 1 : 1000, equal and unequal masses, with and without fixed corners.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for height in [0.9, 0.1, 0.01, 0.001] {
        for along in [0.5, 0.02, 1.4] {
            for masses in [[1.0, 1.0, 1.0], [1.0, 0.01, 3.0], [0.05, 2.0, 0.3]] {
                for fixed in [[false; 3], [true, false, false], [false, true, true]] {
                    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(along, height, 0.0)].map(|c| 0.02 * c);
                    cases.push(Case { corners, masses: masses.map(|m| 1e-5 * m), fixed });
                }
            }
        }
    }
    cases
}

#[test]
fn a_step_contracts_in_the_metric_of_the_masses_whatever_the_triangle_s_shape() {
    let soft = MembraneStiffness { weft: 1014.0, warp: 0.0, shear: 41.0 };
    for case in cases() {
        for stiffness in [STIFFNESS, soft, STIFFNESS.scaled([1e3; 3])] {
            for dt in [0.02, 1.0 / 300.0, 1e-4] {
                let growth = case.growth(stiffness, dt);
                // Finite differences of rounded sums; the old step had norms up to 8.5.
                assert!(growth < 1.0 + 1e-4, "{growth} {:?} {:?} {dt}", case.corners, case.masses);
            }
        }
    }
}

#[test]
fn the_rest_shape_is_a_fixed_point_wherever_it_is_turned() {
    let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.1, 2.0);
    for case in cases() {
        let moved = case.correction(case.corners.map(|x| turn * x + DVec3::ONE), STIFFNESS, 0.01);
        // Double precision a metre from the origin, over a height of 20 µm.
        assert!(moved.iter().all(|c| c.length() < 1e-12), "{moved:?}");
    }
}

#[test]
fn small_steps_give_the_gradient_of_the_energy() {
    // The rotation of F J and that of F differ at second order in the strain, and so does the force.
    for strain in [1e-3, 1e-2, 1e-1] {
        let off =
            [DVec3::new(0.01, 0.0, 0.02), DVec3::new(0.03, -0.01, -0.01), DVec3::new(-0.01, 0.03, 0.05)];
        let turn = glam::DQuat::from_rotation_x(0.7);
        let deformed = [0, 1, 2].map(|i| turn * (PLAIN.corners[i] + strain * off[i]));
        let dt = 1e-6;
        let moved = PLAIN.correction(deformed, STIFFNESS, dt);
        let mut largest = 0.0f64;
        let mut worst = 0.0f64;
        for corner in 0..3 {
            for axis in 0..3 {
                let shifted = |by: f64| {
                    let mut x = deformed;
                    x[corner][axis] += by;
                    strain_energy(PLAIN.corners, x, WEFT, STIFFNESS)
                };
                let force = -(shifted(1e-7) - shifted(-1e-7)) / 2e-7;
                let expected = dt * dt * force / PLAIN.masses[corner];
                largest = largest.max(expected.abs());
                worst = worst.max((moved[corner][axis] - expected).abs());
            }
        }
        assert!(worst < 2.0 * strain * largest, "{strain}: {worst} {largest}");
    }
}

#[test]
fn momentum_and_angular_momentum_stay_at_any_deformation() {
    let x = [DVec3::new(0.01, 0.0, 0.02), DVec3::new(0.23, 0.01, -0.01), DVec3::new(0.02, 0.12, 0.05)];
    for dt in [1e-4, 1e-2, 1.0] {
        let moved = PLAIN.correction(x, STIFFNESS, dt);
        let impulse: DVec3 = (0..3).map(|i| PLAIN.masses[i] * moved[i]).sum();
        let angular: DVec3 = (0..3).map(|i| PLAIN.masses[i] * x[i].cross(moved[i])).sum();
        let scale: f64 = (0..3).map(|i| PLAIN.masses[i] * moved[i].length() * 0.1).sum();
        assert!(
            impulse.length() < 1e-9 * scale && angular.length() < 1e-6 * scale,
            "{impulse} {angular} {scale}"
        );
    }
}
