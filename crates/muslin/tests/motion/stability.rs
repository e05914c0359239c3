//! [Bender2013] §6, stability: scrambled and collapsed cloth recovers; no step size breaks it.

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::hierarchy::HierarchyOptions;
use muslin::mesh::generate;
use muslin::solver::{ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};
use muslin_testing::Noise;

/// Places in a cube of 5 m.
fn scattered(count: usize, seed: u64) -> Vec<Vec3> {
    let mut noise = Noise::new(seed);
    (0..count).map(|_| 2.5 * (noise.vector() + Vec3::ONE)).collect()
}

/// A free cloth of 5 m × 5 m, five levels, steps of 5 ms, no gravity.
fn free_cloth(triangles: usize, form: ShapeMatching, time_step: f64, gravity: Vec3) -> Simulation {
    let mesh = generate::delaunay_rectangle(5.0, 5.0, triangles, 7).unwrap();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let cloth = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off).build().unwrap();
    let hierarchy = HierarchyOptions { levels: 5, ..HierarchyOptions::default() };
    let solver = SolverConfig::ShapeMatching(ShapeMatching { hierarchy, ..form });
    let settings = Settings { time_step, substeps: 1, gravity, solver, ..Settings::default() };
    Simulation::new(cloth, settings).unwrap()
}

/// So many steps may pass before the strain is below 5 %; it must stay there for `steady` more. Returns the step from which
/// it is.
fn steps_to_recover(simulation: &mut Simulation, start: &[Vec3], steady: usize) -> usize {
    const MOST: usize = 100;
    simulation.set_state(start, &vec![Vec3::ZERO; start.len()]).unwrap();
    let mut recovered = None;
    for step in 1..=MOST + steady {
        let report = simulation.step().unwrap();
        assert!(report.max_speed.is_finite());
        // Measuring costs as much as a step; every fifth will do.
        if step % 5 == 0 {
            let average = simulation.strain().average;
            assert!(average.is_finite());
            recovered = if average < 0.05 { recovered.or(Some(step)) } else { None };
            match recovered {
                Some(since) if step - since >= steady => return since,
                None if step >= MOST => break,
                _ => {}
            }
        }
    }
    panic!("average strain still {} after {MOST} steps", simulation.strain().average)
}

#[test]
fn random_positions_recover_for_a_hundred_seeds() {
    let mut simulation = free_cloth(20_000, ShapeMatching::default(), 0.005, Vec3::ZERO);
    let mut slowest = 0;
    for seed in 0..100 {
        let start = scattered(simulation.positions().len(), seed);
        slowest = slowest.max(steps_to_recover(&mut simulation, &start, 20));
    }
    println!("slowest recovery from random positions: {slowest} steps");
}

#[test]
fn all_vertices_in_one_point_recover() {
    for form in [ShapeMatching::default(), ShapeMatching::paper(), ShapeMatching::averaged()] {
        let mut simulation = free_cloth(20_000, form.clone(), 0.005, Vec3::ZERO);
        let start = vec![Vec3::ONE; simulation.positions().len()];
        println!("{form:?}: {} steps", steps_to_recover(&mut simulation, &start, 90));
    }
}

#[test]
fn random_positions_recover_in_every_variant() {
    for form in [ShapeMatching::paper(), ShapeMatching::averaged()] {
        let mut simulation = free_cloth(20_000, form.clone(), 0.005, Vec3::ZERO);
        let start = scattered(simulation.positions().len(), 5);
        println!("{form:?}: {} steps", steps_to_recover(&mut simulation, &start, 90));
    }
}

#[test]
fn no_step_size_breaks_the_cloth() {
    for form in [ShapeMatching::default(), ShapeMatching::paper(), ShapeMatching::averaged()] {
        for time_step in [1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1] {
            let mesh = generate::delaunay_rectangle(1.0, 1.0, 1_000, 7).unwrap();
            let cloth = Cloth::builder(mesh).pin_group("corners").build().unwrap();
            let solver = SolverConfig::ShapeMatching(form.clone());
            let settings = Settings { time_step, substeps: 1, solver, ..Settings::default() };
            let mut simulation = Simulation::new(cloth, settings).unwrap();
            // A kick, so that every part moves.
            let positions = simulation.positions();
            let kick: Vec<Vec3> =
                positions.iter().map(|p| Vec3::new(p.y, -p.x, 3.0 * (7.0 * p.x).sin())).collect();
            simulation.set_state(&positions, &kick).unwrap();
            for _ in 0..300 {
                simulation.step().unwrap_or_else(|e| panic!("{form:?} at {time_step} s: {e}"));
            }
            let strain = simulation.strain().average;
            println!("{form:?} {time_step}: {strain}");
            assert!(strain.is_finite() && simulation.positions().iter().all(|p| p.is_finite()));
        }
    }
}

#[test]
fn physical_materials_survive_every_step_size_too() {
    for fabric in muslin::cloth::FABRICS {
        for time_step in [1e-5, 1e-3, 0.02, 0.1] {
            let mesh = generate::delaunay_rectangle(1.0, 1.0, 1_000, 7).unwrap();
            let cloth = Cloth::builder(mesh).material(fabric.material()).pin_group("top").build().unwrap();
            let settings = Settings { time_step, substeps: 1, ..Settings::default() };
            let mut simulation = Simulation::new(cloth, settings).unwrap();
            for _ in 0..300 {
                simulation.step().unwrap_or_else(|e| panic!("{} at {time_step} s: {e}", fabric.name));
            }
            assert!(
                simulation.strain().average < 0.5,
                "{} at {time_step} s: {:?}",
                fabric.name,
                simulation.strain()
            );
        }
    }
}
