//! Bodies of 1 to 1,000 times the cloth's mass, on slack and on taut cloth of every solver: stopped, carried and never thrown.
//!
//! `MUSLIN_LAWS=all cargo test -p muslin --features rigid-bodies --test rigid_bodies heavy -- --nocapture` runs the whole
//! product and prints the figures of docs/collisions.md; without the variable it is a sample.

use glam::{DVec3, Vec3};
use muslin::cloth::{Cloth, Keyframe, Material, PinMotion, Stretch, fabric};
use muslin::mesh::generate;
use muslin::solver::{
    ImpulseMethod, Impulses, Multilevel, Order, PositionBased, RadialMatching, ShapeMatching, SolverConfig,
};
use muslin::{Settings, Simulation, World};

use super::{ball, run, sheet, solvers, states, world};

/// m/s².
const GRAVITY: f64 = 9.81;

/// The largest strain of an edge that is asked for at 8 substeps and up to 100 times the cloth's mass.
const MOST_STRAIN: f64 = 0.2;

/// Every solver that runs in a world, with its variants.
fn every_solver() -> Vec<(&'static str, SolverConfig)> {
    let shape = SolverConfig::ShapeMatching;
    let position = |order| SolverConfig::PositionBased(PositionBased { order, ..PositionBased::default() });
    let impulses = |method| SolverConfig::Impulses(Impulses { method, ..Impulses::default() });
    vec![
        ("shape matching", shape(ShapeMatching::default())),
        ("shape matching, paper", shape(ShapeMatching::paper())),
        ("shape matching, gather", shape(ShapeMatching::averaged())),
        ("radial matching", SolverConfig::RadialMatching(RadialMatching::default())),
        ("position based", position(Order::GaussSeidel)),
        ("position based, jacobi", position(Order::Jacobi)),
        ("impulses, iterative", impulses(ImpulseMethod::Iterative)),
        ("impulses, linear system", impulses(ImpulseMethod::LinearSystem)),
        ("multilevel", SolverConfig::Multilevel(Multilevel { particles: 1500, ..Multilevel::default() })),
    ]
}

fn settings(solver: &SolverConfig, substeps: u32) -> Settings {
    Settings { solver: solver.clone(), substeps, threads: 1, ..Settings::default() }
}

/// A square of 1 m held at its corners: taut, or hanging through by 23 cm between corners that are 84 cm apart. Slack
/// cloth starts as a part of a cylinder, so that nothing is strained before the body comes.
fn hammock(slack: bool, cells: usize, settings: Settings) -> Simulation {
    let mesh = sheet(cells);
    let radius = 0.5f32;
    let bent = |p: &Vec3| {
        let angle = p.x / radius;
        Vec3::new(radius * angle.sin(), radius * (1f32.cos() - angle.cos()), p.z)
    };
    let start: Vec<Vec3> = mesh.positions.iter().map(bent).collect();
    let builder = Cloth::builder(mesh).pin_group("corners");
    let builder = if slack { builder.start_positions(start) } else { builder };
    Simulation::new(builder.build().unwrap(), settings).unwrap()
}

/// What a fall into a hammock has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    /// After the first contact, and of that upwards, m/s.
    fastest: f64,
    up: f64,
    /// That of a free fall to the lowest place that was reached, m/s.
    fall: f64,
    /// The largest strain of an edge at the end of a frame, and of one that the solver holds.
    edge: f64,
    held: f64,
    /// Substeps that say that the cloth is overloaded, and frames that should.
    said: usize,
    should_be_said: usize,
}

/// The largest strain of what a solver holds: of impulses that of threads, between which diagonals shear against springs.
fn held_edge(cloth: &Simulation) -> f64 {
    match cloth.settings().solver {
        SolverConfig::Impulses(_) => cloth.constraint_strain(),
        _ => cloth.strain().max_edge,
    }
}

/// A ball of some times the cloth's mass falls from 1.2 m.
fn drop_ball(solver: &SolverConfig, slack: bool, ratio: f64, substeps: u32, frames: usize) -> Outcome {
    let cloth = hammock(slack, 12, settings(solver, substeps));
    let (height, mass) = (1.2, cloth.cloth().total_mass() * ratio);
    let mut world = world(cloth, vec![], vec![ball(0.12, mass, height)]);
    let (mut outcome, mut touched, mut lowest) = (Outcome::default(), false, height);
    for _ in 0..frames {
        let report = world.step().unwrap().clone();
        let (state, cloth) = (world.bodies()[0].state(), &world.cloths()[0].1);
        let near = |p: &Vec3| (p.as_dvec3() - state.center).length() < 0.13;
        touched |= cloth.positions().iter().any(near);
        lowest = f64::min(lowest, state.center.y);
        if touched {
            let held = held_edge(cloth);
            outcome.fastest = outcome.fastest.max(state.velocity.length());
            outcome.up = outcome.up.max(state.velocity.y);
            outcome.edge = outcome.edge.max(cloth.strain().max_edge);
            outcome.held = outcome.held.max(held);
            outcome.should_be_said += usize::from(held > MOST_STRAIN);
        }
        outcome.said += report.collisions.overloaded;
    }
    assert!(world.intersections().is_clean(), "{:?}", world.intersections());
    outcome.fall = (2.0 * GRAVITY * (height - lowest)).sqrt();
    outcome
}

#[test]
fn heavy_bodies_are_stopped_and_never_thrown() {
    let whole = std::env::var("MUSLIN_LAWS").is_ok_and(|value| value == "all");
    let all = [1.0, 10.0, 100.0, 1000.0].map(|ratio| [4, 8, 16].map(|substeps| (ratio, substeps))).concat();
    for (number, (name, solver)) in every_solver().into_iter().enumerate() {
        for slack in [false, true] {
            let sample = [(100.0, 8), all[(5 * number + usize::from(slack)) % all.len()]];
            let slow = name.starts_with("impulses") && slack;
            let cases = if whole { &all[..] } else { &sample[..if slow { 1 } else { 2 }] };
            for &(ratio, substeps) in cases {
                // Solvers that promise a strain take up to 500 turns under a load. The fall takes 28 frames.
                let frames = if slow && !whole { 40 } else { 70 };
                let got = drop_ball(&solver, slack, ratio, substeps, frames);
                let how = if slack { "slack" } else { "taut" };
                println!(
                    "{name}, {how}, {substeps} substeps, × {ratio}: {:.2} m/s after a fall of {:.2}, upwards {:.2}; \
                     worst edge {:.1} %, {} substeps overloaded",
                    got.fastest,
                    got.fall,
                    got.up,
                    100.0 * got.edge,
                    got.said
                );
                let case = format!("{name}, {how}, {substeps} substeps, × {ratio}: {got:?}");
                // Up to the last digits of the fall itself.
                assert!(got.fastest < got.fall * 1.001 && got.up < 0.5 * got.fall, "thrown: {case}");
                let too_much = if substeps == 8 { got.edge } else { got.held } > MOST_STRAIN;
                assert!(ratio > 100.0 || substeps < 8 || !too_much, "stretched: {case}");
                assert!(got.should_be_said <= got.said, "silence: {case}");
            }
        }
    }
}

/// Pins may take what threads bring to them, but threads that are not taut bring nothing: until then a ball of 100 times the
/// cloth's mass loses at most what all of the cloth gains that moves along with it, 1/101 of its speed.
#[test]
fn cloth_that_is_not_taut_does_not_stop_a_heavy_body() {
    for (name, solver) in solvers() {
        let cloth =
            Cloth::builder(generate::grid(12, 12, 1.0, 1.0).unwrap()).pin_group("top").build().unwrap();
        let (low, high) = cloth
            .rest_positions()
            .iter()
            .fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
        let cloth = Simulation::new(cloth, settings(&solver, 8)).unwrap();
        let mut body = ball(0.1, cloth.cloth().total_mass() * 100.0, 0.0);
        body.position = Vec3::new(0.5 * (low.x + high.x), low.y + 0.3, 0.2).as_dvec3();
        body.velocity = DVec3::Z * -5.0;
        let mut world = world(cloth, vec![], vec![body]);
        let mut contacts = 0;
        for _ in 0..30 {
            contacts += world.step().unwrap().collisions.contacts;
        }
        let speed = -world.bodies()[0].velocity().z;
        println!("{name}: {speed:.3} of 5 m/s are left");
        assert!(contacts > 0 && speed < 5.0 && speed > 5.0 * 100.0 / 101.0, "{name}: {speed}");
    }
}

/// Elastic cloth gives back what it has taken, and no more: a trampoline.
#[test]
fn elastic_cloth_bounces_bodies_lower_than_they_fell() {
    let rubber = Stretch::Physical { weft: 300.0, warp: 300.0, shear: 100.0 };
    let rubber = Material { stretch: rubber, strain_limit: None, ..Material::default() };
    let cotton = fabric("cotton").unwrap().material();
    for (name, material, least) in [("rubber", rubber, 0.3), ("cotton", cotton, 0.0)] {
        for ratio in [1.0, 10.0, 100.0, 1000.0] {
            let cloth = Cloth::builder(sheet(12)).material(material).pin_group("boundary").build().unwrap();
            let cloth = Simulation::new(cloth, settings(&SolverConfig::default(), 8)).unwrap();
            let mass = cloth.cloth().total_mass() * ratio;
            let mut world = world(cloth, vec![], vec![ball(0.12, mass, 0.6)]);
            let (mut up, mut lowest, mut fastest, mut edge) = (0.0f64, f64::MAX, 0.0f64, 0.0f64);
            for _ in 0..70 {
                world.step().unwrap();
                let state = world.bodies()[0].state();
                (up, lowest) = (up.max(state.velocity.y), lowest.min(state.center.y));
                fastest = fastest.max(state.velocity.length());
                edge = edge.max(world.cloths()[0].1.strain().max_edge);
            }
            let fall = (2.0 * GRAVITY * (0.6 - lowest)).sqrt();
            println!(
                "{name} × {ratio}: {up:.2} m/s upwards after a fall of {fall:.2}, lowest {lowest:.2}, edge {:.0} %",
                100.0 * edge
            );
            assert!(fastest < fall * 1.001 && up < fall, "{name} × {ratio}: {fastest}, {up}");
            assert!(ratio != 10.0 || up > least * fall, "{name} × {ratio}: {up}");
        }
    }
}

#[test]
fn heavy_bodies_and_free_cloth_keep_their_momentum() {
    for (name, solver) in solvers() {
        for ratio in [1.0, 100.0, 1000.0] {
            let settings = Settings { gravity: Vec3::ZERO, ..settings(&solver, 8) };
            let cloth = Simulation::new(Cloth::builder(sheet(12)).build().unwrap(), settings).unwrap();
            let mut body = ball(0.1, cloth.cloth().total_mass() * ratio, 0.3);
            body.velocity = DVec3::new(0.1, -5.0, 0.0);
            let speed = body.velocity.length();
            let mut world = world(cloth, vec![], vec![body]);
            let (before, energy) = (world.momentum(), world.energy().kinetic);
            let (mut fastest, mut most) = (0.0f64, 0.0f64);
            for _ in 0..60 {
                world.step().unwrap();
                fastest = fastest.max(world.bodies()[0].velocity().length());
                most = most.max(world.energy().kinetic);
            }
            let change = world.momentum() - before;
            let drift = change.linear.length().max(change.angular.length()) / before.linear.length();
            println!(
                "{name} × {ratio}: {:.5} of its speed, {:.5} of all energy, drift {drift:.1e}",
                fastest / speed,
                most / energy
            );
            assert!(drift < 1e-6, "{name} × {ratio}: {change:?}");
            assert!(
                fastest <= speed * (1.0 + 1e-6) && most <= energy * (1.0 + 1e-4),
                "{name} × {ratio}: {fastest} m/s"
            );
        }
    }
}

/// Pins that are drawn apart by 30 % leave no place where cloth could be carried without being strained by as much.
#[test]
fn what_cannot_be_held_is_said() {
    let mesh = sheet(12);
    let mut builder = Cloth::builder(mesh.clone());
    for &corner in &mesh.groups["corners"] {
        let from = mesh.positions[corner as usize];
        let frames = [(0.0, from), (0.5, from * 1.3)]
            .map(|(time, position)| Keyframe { time, position: position.into() });
        builder = builder.pin_moving(corner, PinMotion::Keyframes(frames.to_vec()));
    }
    let cloth = Simulation::new(builder.build().unwrap(), settings(&SolverConfig::default(), 8)).unwrap();
    let mass = cloth.cloth().total_mass() * 100.0;
    let mut world = world(cloth, vec![], vec![ball(0.12, mass, 0.13)]);
    let mut said = Vec::new();
    for _ in 0..34 {
        said.push(world.step().unwrap().collisions.overloaded);
    }
    let worst = world.cloths()[0].1.strain().max_edge;
    println!("worst edge {:.1} %, overloaded substeps in each frame: {said:?}", 100.0 * worst);
    assert!(
        // In every frame, though not in every substep: a cloth that is torn apart swings.
        worst > MOST_STRAIN && said[0] == 0 && said[30..].iter().all(|&said| said > 0),
        "{worst}: {said:?}"
    );
}

#[test]
fn a_loaded_world_that_is_resumed_has_the_same_bits() {
    let loaded = || {
        let cloth = hammock(true, 12, settings(&SolverConfig::default(), 4));
        let mass = 100.0 * cloth.cloth().total_mass();
        world(cloth, vec![], vec![ball(0.12, mass, 0.3)])
    };
    let mut first: World = loaded();
    run(&mut first, 30);
    let (snapshot, bodies) = (first.cloths()[0].1.snapshot(), first.body_states());
    let mut resumed = loaded();
    resumed.cloths_mut().next().unwrap().1.restore(&snapshot).unwrap();
    resumed.restore_body_states(&bodies).unwrap();
    run(&mut first, 15);
    run(&mut resumed, 15);
    assert_eq!(states(&first), states(&resumed));
}
