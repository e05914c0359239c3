//! Cloths under radial matching: momentum, the two updates, threads.

use glam::Vec3;

use crate::cloth::{Cloth, Damping, Material, TetherChoice, fabric};
use crate::mesh::generate;
use crate::solver::{RadialMatching, RadialRegions, RadialUpdate, SolverConfig};
use crate::{Error, Settings, Simulation};

fn simulation(config: RadialMatching, columns: usize, pinned: bool, settings: Settings) -> Simulation {
    let mesh = generate::grid(columns, columns, 0.1, 0.1).unwrap();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let mut builder = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off);
    if pinned {
        builder = builder.pin_group("top");
    }
    let solver = SolverConfig::RadialMatching(config);
    let settings = Settings { time_step: 1e-3, substeps: 1, solver, ..settings };
    Simulation::new(builder.build().unwrap(), settings).unwrap()
}

/// A deformed start: every region has something to do.
fn deform(simulation: &mut Simulation) {
    let positions: Vec<Vec3> =
        simulation.positions().iter().map(|p| Vec3::new(1.05 * p.x, p.y + 0.1 * p.x, p.x * p.y)).collect();
    let velocities = vec![Vec3::ZERO; positions.len()];
    simulation.set_state(&positions, &velocities).unwrap();
}

#[test]
fn a_free_cloth_keeps_its_momentum_with_every_kind_of_region_and_update() {
    for regions in [RadialRegions::Triangles, RadialRegions::Edges, RadialRegions::Both] {
        for update in [RadialUpdate::Impulses, RadialUpdate::Positions] {
            let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
            let mut simulation = simulation(RadialMatching { regions, update }, 9, false, settings);
            deform(&mut simulation);
            let mass = simulation.cloth().total_mass();
            let mut speed = 0.0f64;
            for _ in 0..100 {
                simulation.step().unwrap();
                speed = speed.max((2.0 * simulation.energy().kinetic / mass).sqrt());
            }
            let momentum = simulation.momentum();
            let (linear, angular) = (momentum.linear.length() / mass, momentum.angular.length() / mass);
            println!("{regions:?} {update:?}: {linear:.1e} m/s, {angular:.1e} m²/s, fastest {speed:.2} m/s");
            // Shares, 1/|R| and positions are rounded to 6e-8 of themselves, in each of a hundred steps.
            assert!(speed > 0.1, "{regions:?} {update:?}: it moves");
            assert!(linear < 1e-4 * speed, "{regions:?} {update:?}: {linear} {speed}");
            // Corrections are free of torque where they are measured: with positions that is x*, not the start.
            let bound = if update == RadialUpdate::Impulses { 1e-4 } else { 1e-2 };
            assert!(angular < bound * speed * 0.1, "{regions:?} {update:?}: {angular} {speed}");
        }
    }
}

/// The identity of the module's text: an impulse Δ(x*)/h before the integration is a correction of x*.
#[test]
fn impulses_measured_at_the_prediction_are_corrections_of_positions() {
    let config = |update| RadialMatching { regions: RadialRegions::Triangles, update };
    let mut positions = simulation(config(RadialUpdate::Positions), 5, true, Settings::default());
    deform(&mut positions);
    // The prediction by hand (from rest a first step falls by ½ g h²), and Δ(x*) from a step of impulses that starts there.
    let (start, gravity, h) = (positions.positions(), Settings::default().gravity, 1e-3);
    let still = vec![Vec3::ZERO; start.len()];
    let pins: Vec<u32> = positions.cloth().pinned_vertices().collect();
    let fixed = |v: usize| pins.contains(&(v as u32));
    let predicted: Vec<Vec3> = (0..start.len())
        .map(|v| if fixed(v) { start[v] } else { start[v] + 0.5 * gravity * h * h })
        .collect();
    let weightless = Settings { gravity: Vec3::ZERO, ..Settings::default() };
    let mut impulses = simulation(config(RadialUpdate::Impulses), 5, true, weightless);
    impulses.set_state(&predicted, &still).unwrap();
    impulses.step().unwrap();
    positions.step().unwrap();
    for (a, b) in positions.positions().iter().zip(impulses.positions()) {
        assert!((*a - b).length() < 2e-8, "{a} {b}");
    }
}

/// One edge on a pin, pulled to twice its length: impulses swing for ever, positions are right at once.
#[test]
fn impulses_oscillate_where_positions_do_not() {
    let longest = |update| {
        let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
        let config = RadialMatching { regions: RadialRegions::Edges, update };
        let mut simulation = simulation(config, 1, true, settings);
        let stretched: Vec<Vec3> =
            simulation.positions().iter().map(|p| Vec3::new(p.x, 0.1 + 1.1 * (p.y - 0.1), 0.0)).collect();
        simulation.set_state(&stretched, &[Vec3::ZERO; 4]).unwrap();
        let mut largest = 0.0f64;
        for step in 0..400 {
            simulation.step().unwrap();
            if step >= 350 {
                largest = largest.max(simulation.strain().max_edge);
            }
        }
        largest
    };
    let (impulses, positions) = (longest(RadialUpdate::Impulses), longest(RadialUpdate::Positions));
    assert!(impulses > 0.02 && positions < 1e-3, "{impulses} {positions}");
}

#[test]
fn threads_do_not_change_the_bits() {
    for update in [RadialUpdate::Impulses, RadialUpdate::Positions] {
        let hash = |threads| {
            let settings = Settings { threads, ..Settings::default() };
            let config = RadialMatching { regions: RadialRegions::Both, update };
            let mut simulation = simulation(config, 70, true, settings);
            deform(&mut simulation);
            for _ in 0..50 {
                simulation.step().unwrap();
            }
            simulation.state_hash()
        };
        assert_eq!(hash(1), hash(2), "{update:?}");
        assert_eq!(hash(1), hash(7), "{update:?}");
    }
}

#[test]
fn physical_stiffness_is_refused() {
    let mesh = generate::grid(2, 2, 1.0, 1.0).unwrap();
    let cloth = Cloth::builder(mesh).material(fabric("silk").unwrap().material()).build().unwrap();
    let solver = SolverConfig::RadialMatching(RadialMatching::default());
    let error = Simulation::new(cloth, Settings { solver, ..Settings::default() }).err();
    assert!(matches!(error, Some(Error::Unsupported { .. })), "{error:?}");
}
