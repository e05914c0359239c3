//! Particles that go astray are caught, reported, and do not take the cloth with them.

use glam::Vec3;
use muslin::cloth::{Cloth, TetherChoice};
use muslin::mesh::generate;
use muslin::{Error, Settings, Simulation};

fn sheet(threads: usize) -> Simulation {
    // Tethers would pull the particle back at once.
    let mesh = generate::grid(20, 20, 1.0, 1.0).unwrap();
    let cloth = Cloth::builder(mesh).pin_group("top").tethers(TetherChoice::Off).build().unwrap();
    Simulation::new(cloth, Settings { threads, ..Settings::default() }).unwrap()
}

fn with_wild_particle(simulation: &mut Simulation, vertex: usize) {
    let positions = simulation.positions();
    let mut velocities = simulation.velocities();
    velocities[vertex] = Vec3::new(1e25, 3e30, 0.0);
    simulation.set_state(&positions, &velocities).unwrap();
}

#[test]
fn a_particle_of_absurd_speed_is_held_and_named_and_the_cloth_goes_on() {
    for threads in [1, 2] {
        let mut simulation = sheet(threads);
        simulation.step().unwrap();
        with_wild_particle(&mut simulation, 200);
        let report = simulation.step().unwrap();
        println!("{} particles quarantined", report.quarantined.len());
        assert!(report.quarantined.contains(&200) && report.quarantined.len() < 100);
        for _ in 0..30 {
            assert_eq!(simulation.step().unwrap().quarantined, []);
        }
        assert!(simulation.positions().iter().all(|p| p.is_finite()));
        assert!(simulation.strain().average < 0.02, "{:?}", simulation.strain());
    }
}

#[test]
fn a_cloth_beyond_all_bounds_cannot_go_on_and_stays_as_it_was() {
    let cloth = Cloth::builder(generate::grid(5, 5, 1.0, 1.0).unwrap()).build().unwrap();
    let mut simulation = Simulation::new(cloth, Settings { bounds: 2.0, ..Settings::default() }).unwrap();
    // Not so far that it would be counted from another origin.
    let far: Vec<Vec3> = simulation.positions().iter().map(|p| *p + Vec3::X * 2.5).collect();
    let still = vec![Vec3::ZERO; far.len()];
    simulation.set_state(&far, &still).unwrap();
    let before = simulation.snapshot();
    assert!(matches!(simulation.step(), Err(Error::Diverged { step: 1, .. })));
    assert_eq!(simulation.snapshot(), before);
}
