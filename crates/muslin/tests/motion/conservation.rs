//! Energy and momentum: what the solver must not make or lose.

use glam::{Affine3A, Vec3};
use muslin::cloth::{Cloth, Damping, Material, TetherChoice, fabric};
use muslin::hierarchy::{HierarchyOptions, Nesting};
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig};
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
            // M g times half the height: the unit in which energies of hanging cloth are compared.
            let unit = simulation.cloth().total_mass() * 9.81 * 2.5;
            let start = simulation.energy().total();
            let (mut highest, mut lowest, mut rise) = (f64::MIN, 0.0f64, 0.0f64);
            for _ in 0..(10.0 / time_step) as usize {
                simulation.step().unwrap();
                let gain = (simulation.energy().total() - start) / unit;
                highest = highest.max(gain);
                // Stretched cloth gives back what it stored: that much and no more may return.
                lowest = lowest.min(gain);
                rise = rise.max(gain - lowest);
            }
            let end = (simulation.energy().total() - start) / unit;
            println!("{tethers:?} {time_step}: highest {highest:.5}, end {end:.3}, rise {rise:.4}");
            assert!(rise < 0.02, "{tethers:?} at {time_step} s: energy rose by {rise} M g 2.5 m after a low");
            assert!(highest < 2e-3, "{tethers:?} at {time_step} s: energy rose by {highest} M g 2.5 m");
        }
    }
}

#[test]
fn a_free_cloth_keeps_its_momentum() {
    let plain = Material { bending: 1e-5, ..Material::default() };
    let denim = fabric("denim").unwrap().material();
    for (form, nesting, material) in [
        (ShapeMatching::default(), Nesting::Nested, plain),
        (ShapeMatching::default(), Nesting::NonNested, plain),
        (ShapeMatching::default(), Nesting::Nested, denim),
        (ShapeMatching::averaged(), Nesting::Nested, plain),
    ] {
        let mesh = generate::delaunay_rectangle(1.0, 1.0, 2_000, 3).unwrap();
        let cloth = Cloth::builder(mesh).material(material).build().unwrap();
        let hierarchy = HierarchyOptions { nesting, ..HierarchyOptions::default() };
        let solver = ShapeMatching { hierarchy, ..form.clone() };
        let solver = SolverConfig::ShapeMatching(solver);
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
        let scale = simulation.cloth().total_mass();
        for _ in 0..500 {
            simulation.step().unwrap();
        }
        let drift = (simulation.momentum().linear - before.linear).length() / scale;
        let turn = (simulation.momentum().angular - before.angular).length() / scale;
        // Rounding a position of 1 m costs 2⁻²⁴ m; over a step that is a velocity. It happens in about
        // 20 passes a step and adds up like a random walk, averaged over the particles. An estimate, so
        // a few times as much still counts as rounding; a solver that leaks is orders above it.
        let particles = positions.len() as f64;
        let rounding = 2f64.powi(-24) / 0.005 * (500.0 * 20.0 / particles).sqrt();
        println!(
            "{form:?} {nesting:?}: drift {drift:.2e} m/s, angular {turn:.2e} m²/s, rounding {rounding:.2e} m/s"
        );
        assert!(drift < 6.0 * rounding, "{form:?}: {drift} against {rounding}");
    }
}

/// A region whose pinned corner is as good as infinitely heavy must still find its rotation: with
/// numbers that cancel, a grid pinned along its edge deformed by itself.
#[test]
fn a_pinned_cloth_at_rest_without_gravity_stays() {
    for form in [ShapeMatching::default(), ShapeMatching::paper(), ShapeMatching::averaged()] {
        for group in ["top", "bottom", "left", "right", "corners"] {
            let mesh = generate::grid(30, 30, 1.0, 1.0).unwrap();
            let cloth = Cloth::builder(mesh).material(undamped()).pin_group(group).tethers(TetherChoice::Off);
            let solver = SolverConfig::ShapeMatching(form.clone());
            let settings = Settings { gravity: Vec3::ZERO, solver, ..Settings::default() };
            let mut simulation = Simulation::new(cloth.build().unwrap(), settings).unwrap();
            for _ in 0..60 {
                simulation.step().unwrap();
            }
            let strain = simulation.strain().max_edge;
            assert!(strain < 1e-4, "{form:?}, pinned {group}: an edge is strained by {strain}");
        }
    }
}
