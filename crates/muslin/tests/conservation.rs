//! Energy and momentum: what the solver must not make or lose.

use glam::{Affine3A, Vec3};
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig, Variant};
use muslin::{Settings, Simulation};

fn undamped() -> Material {
    Material { bending: 0.0, damping: Damping::None, ..Material::default() }
}

/// A 5 m cloth held along one edge, starting flat and level, so that it swings down and through.
fn swing(triangles: usize, time_step: f64, tethers: TetherChoice) -> Simulation {
    let flat = Affine3A::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let mesh = generate::delaunay_rectangle(5.0, 5.0, triangles, 3).unwrap().transformed(flat);
    let cloth = Cloth::builder(mesh).material(undamped()).pin_group("top").tethers(tethers).build().unwrap();
    Simulation::new(cloth, Settings { time_step, substeps: 1, ..Settings::default() }).unwrap()
}

#[test]
fn an_undamped_swing_never_gains_energy() {
    for tethers in [TetherChoice::Off, TetherChoice::Auto] {
        for time_step in [0.02, 0.005, 0.00125] {
            let mut simulation = swing(2_000, time_step, tethers);
            // M g times half the height: the unit of REFERENCE.md.
            let unit = simulation.cloth().total_mass() * 9.81 * 2.5;
            let start = simulation.energy().total();
            let mut highest = f64::MIN;
            for _ in 0..(10.0 / time_step) as usize {
                simulation.step().unwrap();
                highest = highest.max((simulation.energy().total() - start) / unit);
            }
            let end = (simulation.energy().total() - start) / unit;
            println!("{tethers:?} {time_step}: highest {highest:.5}, end {end:.3}");
            assert!(highest < 2e-3, "{tethers:?} at {time_step} s: energy rose by {highest} M g 2.5 m");
        }
    }
}

#[test]
fn a_free_cloth_keeps_its_momentum() {
    for variant in [Variant::FullApproximation, Variant::Gather] {
        let mesh = generate::delaunay_rectangle(1.0, 1.0, 2_000, 3).unwrap();
        let cloth =
            Cloth::builder(mesh).material(Material { bending: 1e-5, ..Material::default() }).build().unwrap();
        let solver = SolverConfig::ShapeMatching(ShapeMatching { variant, ..ShapeMatching::default() });
        let settings =
            Settings { time_step: 0.005, substeps: 1, gravity: Vec3::ZERO, solver, ..Settings::default() };
        let mut simulation = Simulation::new(cloth, settings).unwrap();
        let positions = simulation.positions();
        // A spin with a wave on it, so that every region has something to do.
        let velocity =
            |p: &Vec3| Vec3::new(0.3, 0.1, 0.2) + Vec3::new(p.y - 0.5, 0.5 - p.x, (9.0 * p.x).sin());
        let velocities: Vec<Vec3> = positions.iter().map(velocity).collect();
        simulation.set_state(&positions, &velocities).unwrap();
        let before = simulation.momentum();
        let scale = simulation.cloth().total_mass() * 1.0;
        for _ in 0..500 {
            simulation.step().unwrap();
        }
        let drift = (simulation.momentum().linear - before.linear).length() / scale;
        let turn = (simulation.momentum().angular - before.angular).length() / scale;
        // Rounding a position of 1 m costs 2⁻²⁴ m; over a step that is a velocity. It happens in about
        // 20 passes a step and adds up like a random walk, averaged over the particles.
        let particles = positions.len() as f64;
        let rounding = 2f64.powi(-24) / 0.005 * (500.0 * 20.0 / particles).sqrt();
        println!("{variant:?}: drift {drift:.2e} m/s, angular {turn:.2e} m²/s, rounding {rounding:.2e} m/s");
        assert!(drift < 3.0 * rounding, "{variant:?}: {drift} against {rounding}");
    }
}
