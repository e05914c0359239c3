//! All of a cloth at another place.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3, Vec3};
use muslin::cloth::PinMotion;
use muslin::{Error, Settings, Simulation};

use super::{cases, run};

/// What is moved by whole kilometres keeps its bits, and so does everything after it.
#[test]
fn whole_kilometres_change_nothing_but_the_place() {
    for (name, cloth, settings) in cases() {
        let mut driven = Simulation::new(cloth.pin(5).build().unwrap(), settings).unwrap();
        run(&mut driven, 4);
        let mut other = Simulation::new(driven.cloth().clone(), driven.settings().clone()).unwrap();
        other.restore(&driven.snapshot()).unwrap();
        let away = DVec3::new(4000.0, -1000.0, 1e6);
        other.teleport(DQuat::IDENTITY, away).unwrap();
        run(&mut driven, 4);
        run(&mut other, 4);
        assert_eq!(driven.velocities(), other.velocities(), "{name}");
        for (here, there) in driven.places().iter().zip(other.places()) {
            assert_eq!(*here + away, there, "{name}");
        }
        other.teleport(DQuat::IDENTITY, -away).unwrap();
        assert!(driven.snapshot() == other.snapshot(), "{name}");
    }
}

#[test]
fn velocities_are_turned_and_places_are_where_they_should_be() {
    for (name, cloth, settings) in cases() {
        let mut driven = Simulation::new(cloth.pin(5).build().unwrap(), settings).unwrap();
        run(&mut driven, 4);
        let (places, velocities) = (driven.places(), driven.velocities());
        let (turn, way) = (DQuat::from_rotation_z(FRAC_PI_2), DVec3::new(7.0, 1234.5, -0.25));
        driven.teleport(turn, way).unwrap();
        for (v, place) in places.iter().enumerate() {
            let wanted = turn * *place + way;
            // Positions in single precision, within 4 m of the origin.
            assert!(driven.places()[v].distance(wanted) < 3.0 * 2.4e-7, "{name}: vertex {v}");
            let wanted = turn * velocities[v].as_dvec3();
            let off = driven.velocities()[v].as_dvec3().distance(wanted);
            assert!(off < 2e-7 * wanted.length() + 1e-12, "{name}: vertex {v}");
        }
        let mut between = vec![[0.0; 3]; places.len()];
        driven.positions_between_into(0.0, &mut between).unwrap();
        assert_eq!(between, driven.positions().iter().map(|p| p.to_array()).collect::<Vec<_>>(), "{name}");
        assert_eq!(driven.cloth().pins()[0].motion, PinMotion::Fixed);
        let pinned = driven.places()[5];
        run(&mut driven, 3);
        assert_eq!(driven.places()[5], pinned, "{name}");
    }
}

#[test]
fn what_is_no_rotation_is_refused() {
    let (_, cloth, _) = cases().swap_remove(0);
    let mut driven = Simulation::new(cloth.build().unwrap(), Settings::default()).unwrap();
    let before = driven.snapshot();
    for (rotation, translation) in [
        (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.5), DVec3::ZERO),
        (DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0), DVec3::ZERO),
        (DQuat::IDENTITY, DVec3::new(0.0, f64::INFINITY, 0.0)),
    ] {
        assert!(matches!(driven.teleport(rotation, translation), Err(Error::State { what: "teleport", .. })));
    }
    assert!(driven.snapshot() == before);
    assert_eq!(driven.velocities()[0], Vec3::ZERO);
}
