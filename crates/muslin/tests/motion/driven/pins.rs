//! Pins that are added, moved and released.

use glam::{DVec3, Vec3};
use muslin::Error;
use muslin::cloth::PinMotion;

use super::{cases, rebuilt, run, sheet};
use muslin::{Settings, Simulation};

/// The upper corners and a vertex of the middle.
const LEFT: u32 = 12 * 13;
const RIGHT: u32 = 13 * 13 - 1;
const MIDDLE: u32 = 6 * 13 + 6;

#[test]
fn a_cloth_with_other_pins_goes_on_as_one_that_was_built_so() {
    for (name, cloth, settings) in cases() {
        let mut driven =
            Simulation::new(cloth.clone().pin(LEFT).pin(RIGHT).build().unwrap(), settings).unwrap();
        run(&mut driven, 6);
        driven.pin_all(&[MIDDLE, 3]).unwrap();
        let mut other = rebuilt(&driven, cloth.clone().pin_all([LEFT, RIGHT, MIDDLE, 3]));
        assert_eq!(driven.cloth().pins(), other.cloth().pins(), "{name}");
        for _ in 0..4 {
            let (a, b) = (driven.step().unwrap(), other.step().unwrap());
            assert_eq!((a.time, a.solver, a.max_speed), (b.time, b.solver, b.max_speed), "{name}");
        }
        assert_eq!(driven.state_hash(), other.state_hash(), "{name}: pinned");
        driven.release_all(&[LEFT, MIDDLE]).unwrap();
        let mut other = rebuilt(&driven, cloth.clone().pin_all([RIGHT, 3]));
        run(&mut driven, 4);
        run(&mut other, 4);
        assert_eq!(driven.state_hash(), other.state_hash(), "{name}: released");
        assert!(driven.snapshot() == other.snapshot(), "{name}: released");
        driven.release_all(&[RIGHT, 3]).unwrap();
        let mut other = rebuilt(&driven, cloth);
        run(&mut driven, 4);
        run(&mut other, 4);
        assert!(driven.snapshot() == other.snapshot(), "{name}: free");
    }
}

/// A grid on a GPU stays on it.
#[cfg(feature = "gpu")]
#[test]
fn a_grid_on_a_gpu_with_other_pins_goes_on_as_one_that_was_built_so() {
    use muslin::gpu::{Gpu, GpuOptions, multilevel};

    let gpu = Gpu::new(&GpuOptions::default()).expect("this test needs a GPU or mesa-vulkan-drivers");
    let (_, cloth, settings) = cases().into_iter().find(|case| case.0.starts_with("multilevel")).unwrap();
    let build = |pins: &[u32]| {
        let cloth = cloth.clone().pin_all(pins.iter().copied()).build().unwrap();
        multilevel(&gpu, cloth, settings.clone()).unwrap()
    };
    let mut driven = build(&[LEFT]);
    run(&mut driven, 3);
    driven.push(40, Vec3::Z * 1e-3).unwrap();
    driven.pin(RIGHT).unwrap();
    let mut other = build(&[LEFT, RIGHT]);
    other.restore(&driven.snapshot()).unwrap();
    run(&mut driven, 3);
    run(&mut other, 3);
    assert!(driven.snapshot() == other.snapshot());
    // It is still there: the CPU's has no times of kernels, but the same is asked of both.
    assert_eq!(driven.grid_profile().unwrap().is_some(), other.grid_profile().unwrap().is_some());
}

#[test]
fn a_moved_pin_is_there_at_the_end_of_the_step_and_stays() {
    for (name, cloth, settings) in cases() {
        for away in [DVec3::ZERO, DVec3::new(-4096.0, 160.0, 1e5)] {
            let mut driven =
                Simulation::new(cloth.clone().pin(LEFT).build().unwrap(), settings.clone()).unwrap();
            driven.teleport(glam::DQuat::IDENTITY, away).unwrap();
            let from = driven.places()[LEFT as usize];
            let speed = DVec3::new(0.1, -0.2, 0.3);
            for step in 1..=5 {
                let to = from + speed * settings.time_step * f64::from(step);
                driven.move_pin(LEFT, to).unwrap();
                driven.step().unwrap();
                // Single precision within 4 m of the origin.
                let off = driven.places()[LEFT as usize].distance(to);
                assert!(off < 3.0 * 2.4e-7, "{name} at {away}: {off}");
                // The same on the last substep alone.
                let rounding = 2.0 * 4.2e-7 / (settings.time_step / f64::from(settings.substeps));
                let velocity = driven.velocities()[LEFT as usize].as_dvec3();
                assert!(velocity.distance(speed) < rounding, "{name} at {away}: {velocity}");
            }
            let stays = driven.places()[LEFT as usize];
            run(&mut driven, 2);
            assert_eq!(driven.places()[LEFT as usize], stays, "{name} at {away}");
            assert_eq!(driven.velocities()[LEFT as usize], Vec3::ZERO, "{name} at {away}");
        }
    }
}

/// A cloth whose pins all move with one velocity is thrown by them: a parabola, exact for every step. (Not of multilevel
/// cloth, whose particles are others.)
#[test]
fn released_it_goes_on_with_the_velocity_of_its_pins() {
    for (name, cloth, settings) in cases() {
        if name.starts_with("multilevel") {
            continue;
        }
        let all: Vec<u32> = (0..13 * 13).collect();
        let mut driven =
            Simulation::new(cloth.pin_all(all.iter().copied()).build().unwrap(), settings.clone()).unwrap();
        let (from, speed) = (driven.places(), DVec3::new(1.0, 2.0, -0.5));
        let step = settings.time_step;
        for number in 1..=3 {
            for &v in &all {
                driven.move_pin(v, from[v as usize] + speed * step * f64::from(number)).unwrap();
            }
            driven.step().unwrap();
        }
        let (from, time) = (driven.places(), driven.time());
        driven.release_all(&all).unwrap();
        run(&mut driven, 10);
        let time = driven.time() - time;
        let way = speed * time + 0.5 * DVec3::new(0.0, -9.81, 0.0) * time * time;
        let masses = driven.cloth().masses();
        let centre = |places: &[DVec3]| {
            let sum: DVec3 = places.iter().zip(&masses).map(|(place, mass)| *place * *mass).sum();
            sum / masses.iter().sum::<f64>()
        };
        // The velocity is that of places which are rounded to 6e-8 m, over a substep.
        let rounding = 6e-8 / (step / f64::from(settings.substeps)) * time + 1e-7;
        let off = centre(&driven.places()).distance(centre(&from) + way);
        assert!(off < 2.0 * rounding, "{name}: {off} m off, of {rounding}");
    }
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut driven = Simulation::new(sheet().pin(LEFT).build().unwrap(), Settings::default()).unwrap();
    let no_vertex = Error::NoSuchVertex { vertex: 169, vertices: 169 };
    assert_eq!(driven.pin_all(&[3, 169]), Err(no_vertex.clone()));
    assert_eq!(driven.release_all(&[LEFT, 169]), Err(no_vertex.clone()));
    assert_eq!(driven.move_pin(169, DVec3::ZERO), Err(no_vertex));
    assert_eq!(driven.move_pin(3, DVec3::ZERO), Err(Error::NotPinned { vertex: 3 }));
    assert_eq!(driven.release_all(&[LEFT, 3]), Err(Error::NotPinned { vertex: 3 }));
    assert_eq!(driven.set_pin_motion(3, PinMotion::Fixed), Err(Error::NotPinned { vertex: 3 }));
    let not_finite = driven.move_pin(LEFT, DVec3::NAN).unwrap_err().to_string();
    assert_eq!(not_finite, format!("the place of the pin at vertex {LEFT}: it is not finite"));
    assert!(matches!(
        driven.set_pin_motion(LEFT, PinMotion::Keyframes(Vec::new())),
        Err(Error::PinMotion { vertex: LEFT, .. })
    ));
    assert!(driven.is_pinned(LEFT) && !driven.is_pinned(3) && !driven.is_pinned(169));
    assert_eq!(driven.cloth().pins().len(), 1);
    assert_eq!(driven.cloth().pins()[0].motion, PinMotion::Fixed);
}
