//! What impulses do to one contact and to many, and to a world.

use glam::{DVec3, Vec3, Vec4};
use proptest::prelude::*;

use super::*;
use crate::cloth::{Cloth, Material};
use crate::collision::{Collider, CollisionSettings, Response, Shape};
use crate::mesh::generate;
use crate::{Settings, Simulation, World};

const WEIGHTS: [f64; 4] = [1.0, -0.2, -0.3, -0.5];

/// A point 1 mm above a triangle, falling on it at 5 mm per step and sliding at 3 mm.
fn falling(inverse_masses: [f32; 4]) -> Points {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Z];
    let foot = corners[0] * 0.2 + corners[1] * 0.3 + corners[2] * 0.5;
    let at = |p: Vec3, i: usize| p.extend(inverse_masses[i]);
    let start: Vec<Vec4> = [foot + Vec3::Y * 0.001, corners[0], corners[1], corners[2]]
        .into_iter()
        .zip(0..)
        .map(|(p, i)| at(p, i))
        .collect();
    let mut end = start.clone();
    end[0] += Vec4::new(0.003, -0.005, 0.0, 0.0);
    Points { end, changed: vec![false; 4], recovered: vec![Vec3::ZERO; 4], start, ..Points::default() }
}

fn contact(points: [u32; 4], weights: [f64; 4], motion: f64, friction: f64, all: &Points) -> Contact {
    let still = combine(weights, &all.starts(points)).dot(DVec3::Y);
    Contact {
        bodies: [0, 1],
        has_pushed: false,
        points,
        rigid: None,
        weights,
        normal: DVec3::Y,
        still,
        motion,
        friction: [friction; 2],
        surface_motion: DVec3::ZERO,
        change: DVec3::ZERO,
    }
}

fn motion(points: &Points) -> DVec3 {
    let ids = [0, 1, 2, 3];
    combine(WEIGHTS, &points.ends(ids)) - combine(WEIGHTS, &points.starts(ids))
}

fn momentum(points: &Points) -> DVec3 {
    let moved = points.start.iter().zip(&points.end).filter(|(start, _)| start.w > 0.0);
    moved.map(|(start, end)| (*end - *start).truncate().as_dvec3() / f64::from(start.w)).sum()
}

#[test]
fn one_contact_loses_exactly_its_approaching_motion() {
    for inverse_masses in
        [[1.0; 4], [1.0, 3.0, 0.5, 2.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 1.0], [1.0, 0.0, 1.0, 1.0]]
    {
        for motion_wanted in [0.0, 1e-4] {
            let mut points = falling(inverse_masses);
            let before = (points.end.clone(), momentum(&points), motion(&points));
            let mut contacts = [contact([0, 1, 2, 3], WEIGHTS, motion_wanted, 0.0, &points)];
            assert_eq!(pass(&mut contacts, &mut points, &mut Vec::new()), 1);
            let after = motion(&points);
            // Ends of 1 m are rounded to 6e-8 m.
            assert!((after.y - motion_wanted).abs() < 2e-7, "{inverse_masses:?}: {after}");
            assert!((after.x - before.2.x).abs() < 2e-7, "without friction it slides on");
            if !inverse_masses.contains(&0.0) {
                assert!((momentum(&points) - before.1).length() < 1e-6, "{inverse_masses:?}");
            }
            for (end, before) in points.end.iter().zip(before.0) {
                assert!(end.w > 0.0 || *end == before, "fixed points stay");
            }
        }
    }
}

/// With I = m·v/2, each point moves by 2I/(1 + w₁² + w₂² + w₃²) times its weight over m.
#[test]
fn equal_masses_get_the_scale_of_bridson() {
    let mut points = falling([1.0; 4]);
    let before = points.end.clone();
    let mut contacts = [contact([0, 1, 2, 3], WEIGHTS, 0.0, 0.0, &points)];
    pass(&mut contacts, &mut points, &mut Vec::new());
    let impulse = 2.0 * (0.005 / 2.0) / (1.0 + 0.04 + 0.09 + 0.25);
    for i in 0..4 {
        let moved = f64::from(points.end[i].y - before[i].y);
        assert!((moved - impulse * WEIGHTS[i]).abs() < 1e-7, "{i}: {moved}");
    }
}

#[test]
fn friction_takes_at_most_its_share_of_the_push_and_never_turns_back() {
    for (friction, left) in [(0.0, 0.003), (0.2, 0.002), (0.5, 0.0005), (0.7, 0.0)] {
        let mut points = falling([1.0, 2.0, 0.0, 1.0]);
        let mut contacts = [contact([0, 1, 2, 3], WEIGHTS, 0.0, friction, &points)];
        pass(&mut contacts, &mut points, &mut Vec::new());
        assert!((motion(&points).x - left).abs() < 2e-7, "{friction}: {}", motion(&points));
    }
}

#[test]
fn the_wanted_motion_follows_equations_25_to_28() {
    let response = ImpulseResponse { separation: 0.1 };
    for (approach, overlap, spring, expected) in [
        (-0.5, 0.0, 1.0, 0.0),      // I_c alone
        (-0.5, 0.02, 0.01, 0.0002), // the spring
        (-0.5, 0.02, 9.0, 0.002),   // the spring, capped
        (0.001, 0.02, 9.0, 0.002),  // leaves already: only what the cap allows
        (0.5, 0.02, 9.0, 0.5),      // leaves faster than the cap: left alone
    ] {
        let wanted = wanted_motion(approach, overlap, spring, &response);
        assert!((wanted - expected).abs() < 1e-9, "{approach} {overlap} {spring}: {wanted}");
    }
}

proptest! {
    /// No impulse ever pulls.
    #[test]
    fn what_leaves_is_never_held_back(
        approach in -1.0..1.0f64, overlap in 0.0..1.0f64, spring in 0.0..10.0f64, separation in 0.0..1.0f32,
    ) {
        let wanted = wanted_motion(approach, overlap, spring, &ImpulseResponse { separation });
        prop_assert!(wanted >= approach && wanted >= 0.0);
        prop_assert!(wanted <= approach.max(f64::from(separation) * overlap) + 1e-15);
    }

    /// Contacts that share points, with any masses: every pass keeps the momentum.
    #[test]
    fn many_contacts_keep_the_momentum(
        masses in prop::collection::vec(0.1f32..10.0, 12),
        moves in prop::collection::vec((-0.01f32..0.01, -0.01f32..0.01, -0.01f32..0.01), 12),
        chosen in prop::collection::vec((0u32..3, 3u32..6, 6u32..9, 9u32..12, 0.0..1.0f64), 1..20),
    ) {
        let start: Vec<Vec4> = masses.iter().enumerate().map(|(i, m)| Vec4::new(0.01 * i as f32, 0.0, 0.0, 1.0 / m)).collect();
        let end: Vec<Vec4> = start.iter().zip(&moves).map(|(p, m)| *p + Vec4::new(m.0, m.1, m.2, 0.0)).collect();
        let mut points =
            Points { start, end, changed: vec![false; 12], recovered: vec![Vec3::ZERO; 12], ..Points::default() };
        let mut contacts: Vec<Contact> = chosen
            .iter()
            .map(|&(a, b, c, d, s)| contact([a, b, c, d], [1.0, -s, (s - 1.0) * 0.3, (s - 1.0) * 0.7], 0.0, 0.3, &points))
            .collect();
        let before = momentum(&points);
        for _ in 0..3 {
            pass(&mut contacts, &mut points, &mut Vec::new());
        }
        prop_assert!((momentum(&points) - before).length() < 1e-5, "{} {}", momentum(&points), before);
    }
}

/// A square of 0.4 m, level, a little above a collider; at the end of `steps` steps.
fn drop(collider: Shape, threads: usize, steps: usize) -> World {
    let mut mesh = generate::grid(20, 20, 0.4, 0.4).unwrap();
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x - 0.2, 0.21, p.y - 0.2));
    let cloth =
        Cloth::builder(mesh).material(Material { density: 0.3, ..Material::default() }).build().unwrap();
    let settings = Settings { threads, substeps: 8, ..Settings::default() };
    let cloth = Simulation::new(cloth, settings).unwrap();
    let collision = CollisionSettings {
        response: Response::Impulses(ImpulseResponse::default()),
        ..CollisionSettings::default()
    };
    let colliders = vec![Collider::new("below", collider)];
    let mut world = World::new(vec![("cloth".into(), cloth)], colliders, collision).unwrap();
    for _ in 0..steps {
        world.step().unwrap();
    }
    world
}

#[test]
fn cloth_comes_to_lie_on_a_plane_and_on_a_ball() {
    let world = drop(Shape::Plane { point: Vec3::ZERO, normal: Vec3::Y }, 1, 90);
    let lowest = world.cloths()[0].1.positions().iter().fold(f32::MAX, |low, p| low.min(p.y));
    assert!((0.0..0.004).contains(&lowest), "{lowest}");
    let world = drop(Shape::Sphere { center: Vec3::ZERO, radius: 0.2 }, 1, 90);
    let positions = world.cloths()[0].1.positions();
    let nearest = positions.iter().fold(f32::MAX, |near, p| near.min(p.length()));
    let top = positions.iter().fold(0.0, |top: f32, p| top.max(p.y));
    assert!((0.2..0.204).contains(&nearest) && top > 0.19, "{nearest} {top}");
}

/// Two sheets of unlike weight fly against each other in empty space.
#[test]
fn two_cloths_that_meet_keep_their_momentum_and_do_not_pass() {
    let sheet = |height: f32, side: f32, speed: f32| {
        let mut mesh = generate::delaunay_rectangle(side, side, 300, 5).unwrap();
        mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x - side / 2.0, height, p.y - side / 2.0));
        let material = Material { density: 0.2 + height, ..Material::default() };
        let cloth = Cloth::builder(mesh).material(material).build().unwrap();
        let settings = Settings { gravity: Vec3::ZERO, substeps: 16, threads: 1, ..Settings::default() };
        let mut simulation = Simulation::new(cloth, settings).unwrap();
        let positions = simulation.positions();
        simulation.set_state(&positions, &vec![Vec3::Y * speed; positions.len()]).unwrap();
        simulation
    };
    let cloths = vec![("low".into(), sheet(0.0, 0.4, 0.5)), ("high".into(), sheet(0.02, 0.3, -0.5))];
    let response = Response::Impulses(ImpulseResponse::default());
    let settings = CollisionSettings { response, ..CollisionSettings::default() };
    let mut world = World::new(cloths, Vec::new(), settings).unwrap();
    let momentum =
        |world: &World| -> DVec3 { world.cloths().iter().map(|(_, cloth)| cloth.momentum().linear).sum() };
    let mass: f64 = world.cloths().iter().map(|(_, cloth)| cloth.cloth().total_mass()).sum();
    let (before, mut contacts) = (momentum(&world), 0);
    for _ in 0..30 {
        contacts += world.step().unwrap().collisions.contacts;
        assert!(world.find_intersections().is_empty());
    }
    assert!(contacts > 100, "they have met: {contacts}");
    // Ends of 0.4 m are rounded to 3e-8 m, which is 3e-5 m/s in a substep, of which there are 480.
    let drift = (momentum(&world) - before).length() / mass;
    assert!(drift < 1e-4, "{drift}");
}

#[test]
fn threads_do_not_change_the_bits() {
    let hash = |threads| {
        drop(Shape::Sphere { center: Vec3::ZERO, radius: 0.2 }, threads, 40).cloths()[0].1.state_hash()
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(7));
}

#[test]
fn what_the_impulses_cannot_do_is_refused() {
    for (response, level) in [(ImpulseResponse { separation: 1.5 }, 0), (ImpulseResponse::default(), 1)] {
        let settings = CollisionSettings {
            response: Response::Impulses(response),
            level,
            ..CollisionSettings::default()
        };
        assert!(settings.check().is_err(), "{response:?} on level {level}");
    }
}
