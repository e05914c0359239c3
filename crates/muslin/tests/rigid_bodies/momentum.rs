//! What bodies, and cloth that they hit, keep of their momentum where nothing else acts.

use glam::{DVec3, Vec3};
use muslin::cloth::{Cloth, Damping, Material};
use muslin::collision::{CollisionSettings, ImpulseResponse, Response};
use muslin::forces::wind::Wind;
use muslin::rigid::{Mass, MovingBody, RigidBody, RigidShape};
use muslin::solver::SolverConfig;
use muslin::{Settings, Simulation, World};

use super::{ball, four_shapes, run, sheet, solvers, world};

#[test]
fn a_tumbling_body_keeps_its_angular_momentum() {
    let settings = Settings { gravity: Vec3::ZERO, threads: 1, ..Settings::default() };
    let cloth = Cloth::builder(sheet(2)).build().unwrap();
    let cloth = Simulation::new(cloth, settings).unwrap();
    let mut body =
        RigidBody::new("box", RigidShape::Box { size: Vec3::new(0.1, 0.2, 0.4) }).at(DVec3::Y * 9.0);
    // About the middle axis, where it is unstable.
    body.angular_velocity = DVec3::new(0.01, 8.0, 0.02);
    let mut world = world(cloth, vec![], vec![body]);
    let (momentum, energy) = (world.bodies()[0].state().angular_momentum, world.energy().kinetic);
    let mut least = 1.0f64;
    for _ in 0..600 {
        world.step().unwrap();
        least = least.min((world.bodies()[0].state().rotation * DVec3::Y).y);
    }
    assert_eq!(world.bodies()[0].state().angular_momentum, momentum);
    let now = world.energy().kinetic;
    println!("energy {energy} then {now}, turned over to {least}");
    assert!((now / energy - 1.0).abs() < 0.01);
    assert!(least < -0.9, "it should turn over: {least}");
}

/// Cloth and bodies in free flight that hit each other; nothing is held.
fn collision_in_space(
    solver: SolverConfig,
    change: impl Fn(Settings) -> Settings,
) -> (Simulation, Vec<RigidBody>) {
    let damping = Damping::None;
    let material = Material { bending: 1e-5, damping, ..Material::default() };
    let cloth = Cloth::builder(sheet(12)).material(material).build().unwrap();
    let settings = Settings { solver, gravity: Vec3::ZERO, threads: 1, ..Settings::default() };
    let cloth = Simulation::new(cloth, change(settings)).unwrap();
    let mut ball = ball(0.1, 0.2, 0.15);
    (ball.velocity, ball.angular_velocity) = (DVec3::new(0.3, -1.0, 0.1), DVec3::new(2.0, 1.0, -3.0));
    let mut cuboid = RigidBody::new("box", RigidShape::Box { size: Vec3::new(0.1, 0.2, 0.3) });
    (cuboid.position, cuboid.mass) = (DVec3::new(0.3, -0.25, -0.2), Mass::Total(0.15));
    (cuboid.velocity, cuboid.angular_velocity) = (DVec3::new(-0.1, 0.9, 0.2), DVec3::new(-1.0, 2.0, 0.5));
    (cloth, vec![ball, cuboid])
}

/// How much of the momentum is lost or gained, linear and angular, relative to the sizes of what adds up to it: parts
/// that fly far away have large angular momenta about the origin, of which each digit counts.
fn drift_in_space(solver: SolverConfig, steps: usize, settings: CollisionSettings) -> [f64; 2] {
    drift_of(solver, steps, settings, |settings| settings)
}

fn drift_of(
    solver: SolverConfig,
    steps: usize,
    settings: CollisionSettings,
    change: impl Fn(Settings) -> Settings,
) -> [f64; 2] {
    let (cloth, bodies) = collision_in_space(solver, change);
    let mut world = World::with_bodies(vec![("cloth".into(), cloth)], vec![], bodies, settings).unwrap();
    let (before, own) = (world.momentum(), world.bodies()[0].momentum());
    let mut contacts = 0;
    for _ in 0..steps {
        contacts += world.step().unwrap().collisions.contacts;
    }
    let change = world.momentum() - before;
    let exchanged = world.bodies()[0].momentum() - own;
    assert!(contacts > 20 && exchanged.linear.length() > 0.01, "they should hit: {contacts}, {exchanged:?}");
    let cloth = &world.cloths()[0].1;
    let place = cloth.positions()[0].as_dvec3().length();
    let mut parts = vec![(place, cloth.momentum().linear.length())];
    let of_body = |body: &MovingBody| (body.center().length(), body.momentum().linear.length());
    parts.extend(world.bodies().iter().map(of_body));
    let linear: f64 = parts.iter().map(|(_, momentum)| momentum).sum();
    let angular: f64 = parts.iter().map(|(place, momentum)| place * momentum).sum();
    [change.linear.length() / linear, change.angular.length() / (angular + before.angular.length())]
}

#[test]
fn cloth_and_bodies_in_space_keep_their_momentum() {
    for (name, solver) in solvers() {
        let impulses = CollisionSettings {
            response: Response::Impulses(ImpulseResponse::default()),
            ..CollisionSettings::default()
        };
        for (what, settings) in [("contacts", CollisionSettings::default()), ("impulses", impulses)] {
            let [linear, angular] = drift_in_space(solver.clone(), 1_000, settings);
            println!("{name}, {what}, 1,000 steps: linear {linear:.1e}, angular {angular:.1e}");
            assert!(linear < 1e-6 && angular < 1e-6, "{name}, {what}: {linear}, {angular}");
        }
    }
}

/// Air is a source of momentum that is counted, and no reason to let the rest slip: air as thin as none changes nothing.
#[test]
fn thin_air_lets_momentum_be_kept() {
    for (name, solver) in solvers() {
        let [linear, angular] = drift_of(solver, 300, CollisionSettings::default(), |cloth| Settings {
            wind: Some(Wind { air_density: 1e-9, ..Wind::default() }),
            ..cloth
        });
        println!("{name} in thin air, 300 steps: linear {linear:.1e}, angular {angular:.1e}");
        assert!(linear < 1e-6 && angular < 1e-6, "{name}: {linear}, {angular}");
    }
}

/// `cargo test -p muslin --features rigid-bodies --test rigid_bodies -- --nocapture` prints the figures.
#[test]
fn momentum_over_ten_thousand_steps() {
    for (name, solver) in solvers() {
        let [linear, angular] = drift_in_space(solver, 10_000, CollisionSettings::default());
        println!("{name}, 10,000 steps: linear {linear:.1e}, angular {angular:.1e}");
        assert!(linear < 1e-6 && angular < 1e-6, "{name}: {linear}, {angular}");
    }
}

#[test]
fn bodies_hitting_each_other_keep_their_momentum() {
    let settings = Settings { gravity: Vec3::ZERO, threads: 1, ..Settings::default() };
    let cloth = Simulation::new(Cloth::builder(sheet(2)).build().unwrap(), settings).unwrap();
    let mut bodies = four_shapes();
    for (i, body) in bodies.iter_mut().enumerate() {
        body.position.y += 5.0;
        let inwards = DVec3::new(-body.position.x, 0.0, -body.position.z);
        (body.velocity, body.restitution) = (inwards * (2.0 + 0.3 * i as f64), 0.5);
    }
    let mut world = world(cloth, vec![], bodies.to_vec());
    let (before, own) = (world.momentum(), world.bodies()[0].velocity());
    run(&mut world, 60);
    let change = world.momentum() - before;
    println!("linear {:.1e}, angular {:.1e}", change.linear.length(), change.angular.length());
    assert!((world.bodies()[0].velocity() - own).length() > 0.1, "they should hit");
    assert!(change.linear.length() < 1e-9 && change.angular.length() < 1e-9, "{change:?}");
}

/// With one round of detection and one pass over contacts nearly everything is left to impact
/// zones: nothing may be passed even so, and momentum is kept.
#[test]
fn zones_with_bodies_keep_apart_what_is_apart() {
    let (cloth, mut bodies) = collision_in_space(SolverConfig::default(), |settings| settings);
    bodies.iter_mut().for_each(|body| body.velocity *= 20.0);
    let settings = CollisionSettings { rounds: 1, passes: 1, ..CollisionSettings::default() };
    let mut world = World::with_bodies(vec![("cloth".into(), cloth)], vec![], bodies, settings).unwrap();
    let before = world.momentum();
    let (mut zones, mut divisions) = (0, 0);
    for _ in 0..30 {
        let report = world.step().unwrap().clone();
        zones += report.collisions.zones;
        divisions += report.collisions.divisions;
        assert!(world.intersections().is_clean(), "{:?}", world.intersections());
    }
    let change = world.momentum() - before;
    println!("{zones} zones, {divisions} divisions, {:?}", change);
    assert!(zones > 0, "there should be zones");
    assert!(change.linear.length() < 1e-5 && change.angular.length() < 1e-5, "{change:?}");
}
