//! Points of a cloth that are drawn to places.

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::Cloth;
use muslin::mesh::TriMesh;
use muslin::solver::SolverConfig;
use muslin::{Error, Feature, Hold, Settings, Simulation};

use super::{cases, rebuilt, run, sheet};

/// Three vertices of equal mass.
fn triangle() -> Cloth {
    let corner = |turn: f32| Vec3::new((turn * 2.094_395).cos(), 0.0, (turn * 2.094_395).sin()) * 0.1;
    let mesh = TriMesh::new(vec![corner(0.0), corner(1.0), corner(2.0)], vec![[0, 1, 2]]);
    Cloth::builder(mesh).build().unwrap()
}

fn mean(simulation: &Simulation) -> DVec3 {
    let masses = simulation.cloth().masses();
    let moment: DVec3 = simulation.places().iter().zip(&masses).map(|(place, mass)| *place * *mass).sum();
    moment / masses.iter().sum::<f64>()
}

/// Held in its middle, a triangle is a weight on a spring under implicit Euler: x (1 + ω² h²) = x0 + v h + g h² + ω² h² P, step by
/// step, for every stiffness and step.
#[test]
fn a_triangle_held_in_its_middle_is_a_weight_on_a_spring() {
    for (name, _, settings) in cases() {
        if name.starts_with("multilevel") || name.starts_with("denim") {
            continue;
        }
        for stiffness in [0.01, 1.0, 100.0, 1e6, 1e12] {
            let cloth = triangle();
            let mass = cloth.total_mass();
            let mut driven = Simulation::new(cloth, settings.clone()).unwrap();
            let place = DVec3::new(0.0, 0.01, 0.004);
            let weights = [1.0 / 3.0; 3];
            driven.hold(Hold { vertices: [0, 1, 2], weights, place, stiffness }).unwrap();
            let h = settings.time_step / f64::from(settings.substeps);
            let (mut x, mut v) = (mean(&driven), DVec3::ZERO);
            let exact = matches!(settings.solver, SolverConfig::Impulses(_));
            let gravity = settings.gravity.as_dvec3();
            let spring = f64::from(stiffness) / mass * h * h;
            let mut first = !exact;
            for _ in 0..20 {
                driven.step().unwrap();
                for _ in 0..settings.substeps {
                    // Gravity as steps have it: exact for what falls.
                    let gained = if first { 0.5 * h * gravity } else { h * gravity };
                    first = false;
                    let aim = match exact {
                        true => x + v * h + 0.5 * h * h * gravity,
                        false => x + (v + gained) * h,
                    };
                    let next = (aim + spring * place) / (1.0 + spring);
                    v = if exact { (next - x) / h + 0.5 * h * gravity } else { (next - x) / h };
                    x = next;
                }
                // Rounding of places to single precision, which is a velocity for as long as the spring lets it be.
                let bound = 60.0 * 6e-9 * (1.0 + driven.steps() as f64) + 1e-7;
                let off = mean(&driven).distance(x);
                assert!(off < bound, "{name}, {stiffness} N/m: {off} after {} steps", driven.steps());
            }
        }
    }
}

/// What a hold gives in a substep is k h (P − p), at every moment and however few iterations a solver takes: with gravity that is all
/// that changes the momentum of free cloth. So at rest it hangs M g/k below.
#[test]
fn a_hold_gives_the_momentum_that_its_spring_says() {
    for (name, cloth, settings) in cases() {
        // The paper's variant is as printed, which keeps no momentum.
        if name.starts_with("multilevel") || name.starts_with("the paper's") {
            continue;
        }
        let h = settings.time_step / f64::from(settings.substeps);
        let settings = Settings { time_step: h, substeps: 1, ..settings };
        let gravity = settings.gravity.as_dvec3();
        for (vertices, weights) in [([156; 3], [1.0, 0.0, 0.0]), ([80, 81, 93], [0.5, 0.2, 0.3])] {
            for stiffness in [10.0, 1e4f32] {
                let mut driven = Simulation::new(cloth.clone().build().unwrap(), settings.clone()).unwrap();
                // Where it is with what rounding has taken from its place.
                let held = |driven: &Simulation| {
                    let (places, taken) = (driven.places(), driven.snapshot().remainders);
                    let place =
                        |v: usize| places[v] + taken.get(v).map_or(DVec3::ZERO, |rest| rest.as_dvec3());
                    (0..3).map(|i| place(vertices[i] as usize) * f64::from(weights[i])).sum::<DVec3>()
                };
                let place = held(&driven);
                driven.hold(Hold { vertices, weights, place, stiffness }).unwrap();
                driven.step().unwrap();
                let (mass, k) = (driven.cloth().total_mass(), f64::from(stiffness));
                // Velocities of up to some m/s are rounded some times in a step, and so is what was taken of places.
                let rounding = k * h * 3e-9 + mass * 1e-6;
                for _ in 0..60 {
                    let before = driven.momentum().linear;
                    driven.step().unwrap();
                    let given = driven.momentum().linear - before - mass * gravity * h;
                    let wanted = k * h * (place - held(&driven));
                    let off = given.distance(wanted);
                    assert!(
                        off < rounding,
                        "{name}, {stiffness} N/m: {given} in place of {wanted}, {rounding}"
                    );
                }
            }
        }
    }
}

/// A stiff hold carries cloth through all levels: it stays below the per cent that hanging cloth without tethers has
/// (`strain.rs`).
#[test]
fn cloth_on_a_stiff_hold_is_stretched_by_less_than_a_per_cent() {
    let settings = Settings { threads: 1, ..Settings::default() };
    let corner = 12 * 13;
    let mut driven = Simulation::new(sheet().build().unwrap(), settings).unwrap();
    driven.hold(Hold::vertex(corner, driven.places()[corner as usize], 1e6)).unwrap();
    for _ in 0..240 {
        driven.step().unwrap();
        let strain = driven.strain().average;
        assert!(strain < 0.01, "{strain} at {} s", driven.time());
    }
}

#[test]
fn a_hold_that_is_moved_and_let_go() {
    for (name, cloth, settings) in cases().into_iter().filter(|case| !case.0.starts_with("multilevel")) {
        let far = DVec3::new(4096.0, -160.0, 1e5);
        let settings = Settings { gravity: Vec3::ZERO, ..settings };
        let mut driven = Simulation::new(cloth.clone().build().unwrap(), settings.clone()).unwrap();
        let mut other = Simulation::new(cloth.build().unwrap(), settings.clone()).unwrap();
        other.teleport(DQuat::IDENTITY, far).unwrap();
        let place = driven.places()[80];
        let (id, same) = (
            driven.hold(Hold::vertex(80, place, 100.0)).unwrap(),
            other.hold(Hold::vertex(80, place + far, 100.0)).unwrap(),
        );
        for step in 1..=8 {
            let way = DVec3::new(0.01, 0.02, -0.03) * f64::from(step);
            driven.move_hold(id, place + way).unwrap();
            other.move_hold(same, place + way + far).unwrap();
            driven.step().unwrap();
            other.step().unwrap();
        }
        // Far away a place is known to 1e-11 m only, and the least difference is rounded to the last digit.
        let (here, there) = (driven.velocities(), other.velocities());
        let apart = here.iter().zip(&there).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let fastest = here.iter().map(|v| v.length()).fold(0.0, f32::max);
        assert!(apart < 1e-2 * fastest, "{name}: {apart} of {fastest} m/s");
        assert!(driven.momentum().linear.length() > 0.0, "{name}");
        driven.let_go(id).unwrap();
        assert_eq!(driven.let_go(id), Err(Error::NoSuchHold { hold: 0 }), "{name}");
        assert_eq!(driven.move_hold(id, place), Err(Error::NoSuchHold { hold: 0 }), "{name}");
        let mut free = rebuilt(&driven, driven_cloth(&name));
        run(&mut driven, 3);
        run(&mut free, 3);
        assert!(driven.snapshot() == free.snapshot(), "{name}: let go");
    }
}

/// The cloth of a case.
fn driven_cloth(name: &str) -> muslin::cloth::ClothBuilder {
    cases().into_iter().find(|case| case.0 == name).unwrap().1
}

#[test]
fn holds_that_cannot_be_are_refused() {
    let mut driven = Simulation::new(sheet().build().unwrap(), Settings::default()).unwrap();
    let good = Hold { vertices: [1, 2, 3], weights: [0.2, 0.3, 0.5], place: DVec3::ZERO, stiffness: 1.0 };
    let said = |hold: Hold, driven: &mut Simulation| driven.hold(hold).unwrap_err().to_string();
    for (hold, wanted) in [
        (Hold { vertices: [1, 2, 169], ..good }, "there is no vertex 169: there are only 169 vertices"),
        (Hold { weights: [0.5, f32::NAN, 0.5], ..good }, "the weight of a hold at vertex 2: "),
        (Hold { weights: [0.8, 0.7, -0.5], ..good }, "the weight of a hold at vertex 3: "),
        (Hold { weights: [0.5, 0.5, 0.5], ..good }, "the weights of a hold at vertex 1: their sum is not 1"),
        (Hold { stiffness: 0.0, ..good }, "the stiffness of a hold at vertex 1: "),
        (Hold { stiffness: f32::INFINITY, ..good }, "the stiffness of a hold at vertex 1: "),
        (Hold { place: DVec3::NAN, ..good }, "the place of a hold at vertex 1: it is not finite"),
    ] {
        let text = said(hold, &mut driven);
        assert!(text.starts_with(wanted), "{text}");
    }
    let id = driven.hold(good).unwrap();
    assert!(driven.move_hold(id, DVec3::INFINITY).is_err());
    let (_, cloth, settings) = cases().into_iter().find(|case| case.0.starts_with("multilevel")).unwrap();
    let mut grid = Simulation::new(cloth.build().unwrap(), settings.clone()).unwrap();
    assert!(matches!(grid.hold(good), Err(Error::Unsupported { feature: Feature::Hold, .. })));
    // Nor can a held cloth become multilevel.
    driven.set_solver(settings.solver).unwrap();
    assert!(matches!(driven.step(), Err(Error::Unsupported { feature: Feature::Hold, .. })));
    driven.let_go(id).unwrap();
    driven.step().unwrap();
    assert!(driven.grid_layout().is_some());
}

/// The same bits for any number of threads, with everything at once.
#[test]
fn what_is_driven_has_the_same_bits_for_any_number_of_threads() {
    for (name, cloth, settings) in cases() {
        let hash = |threads: usize| {
            let settings = Settings { threads, ..settings.clone() };
            let mut driven = Simulation::new(cloth.clone().pin(5).build().unwrap(), settings).unwrap();
            let hold =
                Hold { vertices: [80, 81, 93], weights: [0.5, 0.2, 0.3], place: DVec3::Y, stiffness: 50.0 };
            let id = driven.hold(hold).ok();
            for step in 0..6 {
                driven.move_pin(5, DVec3::new(0.2, 0.01 * f64::from(step), 0.0)).unwrap();
                if let Some(id) = id {
                    driven.move_hold(id, DVec3::new(0.2, 0.3, 0.02 * f64::from(step))).unwrap();
                }
                (0..169).for_each(|v| driven.add_force(v, Vec3::Z * 1e-3).unwrap());
                driven.push(40, Vec3::X * 1e-4).unwrap();
                if step == 3 {
                    driven.pin(100).unwrap();
                }
                driven.step().unwrap();
            }
            driven.state_hash()
        };
        let one = hash(1);
        for threads in [2, 3, 7] {
            assert_eq!(hash(threads), one, "{name}, {threads} threads");
        }
    }
}
