//! Forces, impulses, gravity, material and solver.

use glam::{DVec3, Vec3};
use muslin::cloth::{BendingForm, Material};
use muslin::solver::{Impulses, SolverConfig};
use muslin::{Error, Settings, Simulation};

use super::{cases, rebuilt, run, sheet};

/// The acceleration of the mean of a free cloth.
fn centre(simulation: &Simulation) -> DVec3 {
    let masses = simulation.cloth().masses();
    let moment: DVec3 = simulation.places().iter().zip(&masses).map(|(place, mass)| *place * *mass).sum();
    moment / masses.iter().sum::<f64>()
}

/// Forces in proportion to masses are like gravity: ½ a t², for every substep, and nothing is bent by them.
#[test]
fn a_force_moves_free_cloth_as_newton_says() {
    for (name, cloth, settings) in cases() {
        let settings = Settings { gravity: Vec3::ZERO, ..settings };
        let mut driven = Simulation::new(cloth.build().unwrap(), settings.clone()).unwrap();
        let (from, acceleration) = (centre(&driven), DVec3::new(2.0, 5.0, -3.0));
        let masses = driven.cloth().masses();
        for _ in 0..8 {
            for (v, &mass) in (0..).zip(&masses) {
                driven.add_force(v, 0.25 * mass as f32 * acceleration.as_vec3()).unwrap();
                driven.add_force(v, 0.75 * mass as f32 * acceleration.as_vec3()).unwrap();
            }
            driven.step().unwrap();
        }
        let time = driven.time();
        let way = 0.5 * acceleration * time * time;
        // Forces and velocities are rounded to single precision: a part in 1.7e7 each, a few times.
        let bound = 4e-7 * way.length() + 1e-7;
        let off = (centre(&driven) - from).distance(way);
        assert!(off < bound, "{name}: {off} of {}", way.length());
        // And when the force is over, it goes on as it is.
        let speed = acceleration * time;
        let at = centre(&driven);
        driven.step().unwrap();
        let off = (centre(&driven) - at).distance(speed * settings.time_step);
        assert!(off < 4e-7 * way.length() + 2e-7, "{name}: {off} after the last force");
    }
}

#[test]
fn an_impulse_is_a_change_of_momentum() {
    for (name, cloth, settings) in cases() {
        let mut driven = Simulation::new(cloth.pin(0).build().unwrap(), settings).unwrap();
        run(&mut driven, 3);
        if name.starts_with("multilevel") {
            continue; // its momentum is that of the grid, see below
        }
        let before = driven.momentum().linear;
        let impulse = Vec3::new(1e-3, -2e-3, 5e-4);
        driven.push(40, impulse).unwrap();
        driven.push(0, impulse).unwrap(); // pinned
        let given = driven.momentum().linear - before;
        assert!(
            given.distance(impulse.as_dvec3()) < 1e-7 * impulse.length() as f64 * 10.0,
            "{name}: {given}"
        );
    }
}

/// A push of a vertex of multilevel cloth moves its grid, once.
#[test]
fn a_push_reaches_the_grid_and_survives_a_snapshot_and_other_pins() {
    for (name, cloth, settings) in cases().into_iter().filter(|case| case.0.starts_with("multilevel")) {
        let settings = Settings { gravity: Vec3::ZERO, ..settings };
        let mut driven = Simulation::new(cloth.clone().build().unwrap(), settings).unwrap();
        run(&mut driven, 2);
        let before = driven.momentum().linear;
        (0..169).for_each(|v| driven.push(v, Vec3::X * 1e-4).unwrap());
        let given = driven.momentum().linear - before;
        assert!(given.x > 0.5 * 169.0 * 1e-4, "{name}: {given}");
        let mut other = rebuilt(&driven, cloth.clone());
        let mut third = rebuilt(&driven, cloth.clone());
        third.pin(7).unwrap();
        third.release(7).unwrap();
        for simulation in [&mut driven, &mut other, &mut third] {
            run(simulation, 3);
        }
        assert!(driven.snapshot() == other.snapshot(), "{name}");
        assert!(driven.snapshot() == third.snapshot(), "{name}");
    }
}

/// Free fall under a gravity that turns around: what was gained stays, whatever the step.
#[test]
fn gravity_that_changes_is_felt_from_the_next_step_on() {
    for (name, cloth, settings) in cases() {
        let mut driven = Simulation::new(cloth.build().unwrap(), settings.clone()).unwrap();
        let from = centre(&driven);
        let (first, second) = (settings.gravity.as_dvec3(), DVec3::new(3.0, 4.0, 0.0));
        run(&mut driven, 6);
        driven.set_gravity(second.as_vec3()).unwrap();
        run(&mut driven, 6);
        let t = 0.5 * driven.time();
        let way = 0.5 * first * t * t + first * t * t + 0.5 * second * t * t;
        let off = (centre(&driven) - from).distance(way);
        assert!(off < 4e-7 * way.length() + 2e-7, "{name}: {off} of {}", way.length());
    }
}

#[test]
fn another_material_is_that_of_a_cloth_that_was_built_with_it() {
    let material = Material { density: 0.4, bending: 1e-4, ..Material::default() };
    for (name, cloth, settings) in cases() {
        if name.starts_with("denim") {
            continue; // the same as the first
        }
        let mut driven = Simulation::new(cloth.clone().pin(5).build().unwrap(), settings).unwrap();
        run(&mut driven, 3);
        driven.set_material(material).unwrap();
        let mut other = rebuilt(&driven, cloth.pin(5).material(material));
        run(&mut driven, 3);
        run(&mut other, 3);
        assert!(driven.snapshot() == other.snapshot(), "{name}");
        assert_eq!(driven.cloth().total_mass(), other.cloth().total_mass(), "{name}");
    }
}

#[test]
fn another_solver_goes_on_where_the_last_one_was() {
    let first = Settings { time_step: 0.005, substeps: 1, threads: 1, ..Settings::default() };
    let mut driven = Simulation::new(sheet().pin(5).build().unwrap(), first.clone()).unwrap();
    run(&mut driven, 3);
    let (places, fall) = (driven.places(), 0.5 * 9.81 * 0.005);
    let before = driven.velocities();
    let impulses = SolverConfig::Impulses(Impulses { tolerance: 0.05, ..Impulses::default() });
    driven.set_solver(impulses.clone()).unwrap();
    assert_eq!(driven.places(), places);
    // Those of the end of the step in place of its middle.
    for (v, (now, then)) in driven.velocities().iter().zip(&before).enumerate() {
        let gained = if v == 5 { 0.0 } else { fall };
        assert!((*now - *then + Vec3::Y * gained).length() < 1e-6, "vertex {v}");
    }
    let mut other =
        Simulation::new(sheet().pin(5).build().unwrap(), Settings { solver: impulses, ..first }).unwrap();
    other.restore(&driven.snapshot()).unwrap();
    run(&mut driven, 3);
    run(&mut other, 3);
    assert!(driven.snapshot() == other.snapshot());
}

/// The step says what cannot be, nothing has changed, and something else can be asked for.
#[test]
fn a_step_that_cannot_be_prepared_changes_nothing() {
    let settings = Settings { time_step: 0.05, substeps: 1, threads: 1, ..Settings::default() };
    let mut driven = Simulation::new(sheet().pin(5).build().unwrap(), settings).unwrap();
    run(&mut driven, 2);
    let (before, mass) = (driven.snapshot(), driven.cloth().total_mass());
    let good = *driven.cloth().material();
    let wild = Material { bending: 1.0, density: 0.1, bending_form: BendingForm::Explicit, ..good };
    driven.set_material(wild).unwrap();
    driven.add_force(3, Vec3::X).unwrap();
    assert!(matches!(driven.step(), Err(Error::UnstableBending(_))));
    assert!(driven.step().is_err());
    assert!(driven.snapshot() == before && driven.cloth().total_mass() == mass);
    driven.set_material(good).unwrap();
    let mut other = rebuilt(&driven, sheet().pin(5));
    other.add_force(3, Vec3::X).unwrap();
    run(&mut driven, 2);
    run(&mut other, 2);
    assert!(driven.snapshot() == other.snapshot());
}

#[test]
fn forces_that_cannot_be_are_refused() {
    let mut driven = Simulation::new(sheet().build().unwrap(), Settings::default()).unwrap();
    let no_vertex = Error::NoSuchVertex { vertex: 500, vertices: 169 };
    assert_eq!(driven.add_force(500, Vec3::X), Err(no_vertex.clone()));
    assert_eq!(driven.push(500, Vec3::X), Err(no_vertex));
    let error = driven.add_force(4, Vec3::new(0.0, f32::NAN, 0.0)).unwrap_err();
    assert_eq!(error.to_string(), "the force at vertex 4: it is not finite");
    assert!(driven.push(4, Vec3::INFINITY).is_err());
    assert!(driven.set_gravity(Vec3::NAN).is_err());
    assert_eq!(driven.settings(), &Settings::default());
    assert!(driven.set_material(Material { density: -1.0, ..Material::default() }).is_err());
}
