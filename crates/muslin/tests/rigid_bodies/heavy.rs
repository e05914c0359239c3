//! Bodies of 1 to 1,000 times the cloth's mass, on slack and on taut cloth of every solver: never thrown, and carried.

use muslin::cloth::Cloth;
use muslin::solver::{
    ImpulseMethod, Impulses, Multilevel, Order, PositionBased, RadialMatching, ShapeMatching, SolverConfig,
    Variant,
};
use muslin::{Settings, Simulation, World};

use super::{ball, sheet, slack_hammock_in, world};

/// Every solver that runs in a world, with its variants.
pub fn every_solver() -> Vec<(&'static str, SolverConfig)> {
    let shape = |variant| SolverConfig::ShapeMatching(ShapeMatching { variant, ..ShapeMatching::default() });
    let position = |order| SolverConfig::PositionBased(PositionBased { order, ..PositionBased::default() });
    let impulses = |method| SolverConfig::Impulses(Impulses { method, ..Impulses::default() });
    vec![
        ("shape matching", shape(Variant::FullApproximation)),
        ("paper", shape(Variant::Paper)),
        ("gather", shape(Variant::Gather)),
        ("radial", SolverConfig::RadialMatching(RadialMatching::default())),
        ("position", position(Order::GaussSeidel)),
        ("jacobi", position(Order::Jacobi)),
        ("impulses", impulses(ImpulseMethod::Iterative)),
        ("linear", impulses(ImpulseMethod::LinearSystem)),
        ("multilevel", SolverConfig::Multilevel(Multilevel { particles: 1500, ..Multilevel::default() })),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hang {
    Taut,
    Slack,
}

/// What a fall into a hammock has come to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Highest speeds before and after the first contact, and upwards, m/s.
    pub before: f64,
    pub after: f64,
    pub up: f64,
    /// Where it was at its lowest, and at the end.
    pub lowest: f64,
    pub end: f64,
    /// The largest and the average strain at the end of any frame.
    pub edge: f64,
    pub average: f64,
    pub last_edge: f64,
}

pub fn hammock(hang: Hang, cells: usize, settings: Settings) -> Simulation {
    match hang {
        Hang::Slack => slack_hammock_in(cells, settings),
        Hang::Taut => {
            let cloth = Cloth::builder(sheet(cells)).pin_group("corners").build().unwrap();
            Simulation::new(cloth, settings).unwrap()
        }
    }
}

pub fn fall(solver: &SolverConfig, hang: Hang, ratio: f64, height: f64, substeps: u32, frames: usize) -> Outcome {
    let settings = Settings { solver: solver.clone(), substeps, threads: 1, ..Settings::default() };
    let cloth = hammock(hang, 12, settings);
    let mass = cloth.cloth().total_mass() * ratio;
    let mut world: World = world(cloth, vec![], vec![ball(0.12, mass, height)]);
    let mut outcome = Outcome { lowest: f64::MAX, ..Outcome::default() };
    let mut touched = false;
    for frame in 0..frames {
        let report = world.step().unwrap_or_else(|error| panic!("frame {frame}: {error}"));
        let state = *world.bodies()[0].state();
        let speed = state.velocity.length();
        let near = world.cloths()[0].1.positions().iter().any(|p| (p.as_dvec3() - state.center).length() < 0.13);
        touched |= near && report.collisions.contacts > 0;
        if touched {
            outcome.after = outcome.after.max(speed);
            outcome.up = outcome.up.max(state.velocity.y);
            let strain = world.cloths()[0].1.strain();
            outcome.edge = outcome.edge.max(strain.max_edge);
            outcome.average = outcome.average.max(strain.average);
            outcome.last_edge = strain.max_edge;
            if std::env::var("EACH").is_ok() { println!("{frame}: y {:.4} v {:.3} w {:.3} edge {:.3} avg {:.4} contacts {:?}", state.center.y, state.velocity, world.bodies()[0].angular_velocity(), strain.max_edge, strain.average, report.collisions); }
        } else {
            outcome.before = outcome.before.max(speed);
        }
        outcome.lowest = outcome.lowest.min(state.center.y);
        outcome.end = state.center.y;
        if state.center.length() > 50.0 {
            break;
        }
    }
    outcome
}

/// `HEAVY=solver,… RATIOS=1,10 SUBSTEPS=4,8 cargo test … heavy_table -- --nocapture --ignored`.
#[test]
#[ignore]
fn heavy_table() {
    let list = |name: &str, usual: &str| -> Vec<String> {
        let value = std::env::var(name).unwrap_or(usual.to_owned());
        value.split(',').map(str::to_owned).collect()
    };
    let wanted = list("HEAVY", "");
    for (name, solver) in every_solver() {
        if wanted[0] != "" && !wanted.iter().any(|w| w == name) {
            continue;
        }
        for (hang, height) in [(Hang::Taut, 0.4), (Hang::Slack, 1.6)] {
            for substeps in list("SUBSTEPS", "8") {
                for ratio in list("RATIOS", "1,10,100,1000") {
                    let now = std::time::Instant::now();
                    let ratio: f64 = ratio.parse().unwrap();
                    let frames = if hang == Hang::Taut { 90 } else { 120 };
                    let got = fall(&solver, hang, ratio, height, substeps.parse().unwrap(), frames);
                    println!(
                        "{name:15} {hang:?} {substeps} ×{ratio:<5}: before {:.2} after {:.2} up {:.2} lowest {:.3} end {:.3} edge {:.1} % (end {:.1}) avg {:.2} %  {:.1} s",
                        got.before, got.after, got.up, got.lowest, got.end, 100.0 * got.edge, 100.0 * got.last_edge, 100.0 * got.average,
                        now.elapsed().as_secs_f64()
                    );
                }
            }
        }
    }
}

#[test]
#[ignore]
fn more_table() {
    use glam::{DVec3, Vec3};
    use muslin::rigid::{Mass, RigidBody, RigidShape};
    let wanted = std::env::var("HEAVY").unwrap_or_default();
    for (name, solver) in every_solver() {
        if wanted != "" && !wanted.split(',').any(|w| w == name) {
            continue;
        }
        for ratio in [1.0, 10.0, 100.0, 1000.0] {
            // A ball through a hanging cloth.
            let settings = Settings { solver: solver.clone(), substeps: 8, threads: 1, ..Settings::default() };
            let mesh = muslin::mesh::generate::grid(12, 12, 1.0, 1.0).unwrap();
            let (low, high) = mesh.bounds().unwrap();
            let cloth = Cloth::builder(mesh).pin_group("top").build().unwrap();
            let cloth = Simulation::new(cloth, settings.clone()).unwrap();
            let mass = cloth.cloth().total_mass() * ratio;
            let mut body = ball(0.1, mass, 0.0);
            body.position = DVec3::new(0.5 * (low.x + high.x) as f64, low.y as f64 + 0.3, 0.2);
            body.velocity = DVec3::new(0.0, 0.0, -5.0);
            let start = body.position;
            let mut w = world(cloth, vec![], vec![body]);
            let mut line = String::new();
            let (mut edge, mut fastest) = (0.0f64, 0.0f64);
            for frame in 0..60 {
                w.step().unwrap();
                let v = w.bodies()[0].velocity();
                if [2, 4, 6, 8, 10, 12, 15, 20, 40].contains(&frame) {
                    line += &format!(" {:.2}@{:.2}", v.z, w.bodies()[0].state().center.z);
                }
                fastest = fastest.max(v.with_y(0.0).length());
                edge = edge.max(w.cloths()[0].1.strain().max_edge);
            }
            println!("flag {name} ×{ratio}: vz {line} fastest {fastest:.2} edge {:.1} % fell {:.2}", 100.0 * edge, w.bodies()[0].state().center.y - start.y);
        }
        for ratio in [1.0, 10.0, 100.0, 1000.0] {
            // In space.
            let settings = Settings { solver: solver.clone(), substeps: 8, threads: 1, gravity: Vec3::ZERO, ..Settings::default() };
            let cloth = Cloth::builder(sheet(12)).build().unwrap();
            let cloth = Simulation::new(cloth, settings.clone()).unwrap();
            let mass = cloth.cloth().total_mass() * ratio;
            let mut body = ball(0.1, mass, 0.3);
            body.velocity = DVec3::new(0.1, -5.0, 0.0);
            let mut w = world(cloth, vec![], vec![body]);
            let before = w.momentum();
            let (mut edge, mut fastest, mut cloth_fast, mut kinetic) = (0.0f64, 0.0f64, 0.0f32, 0.0f64);
            let e0 = w.energy().kinetic;
            for _ in 0..60 {
                let r = w.step().unwrap();
                cloth_fast = cloth_fast.max(r.cloths[0].max_speed);
                fastest = fastest.max(w.bodies()[0].velocity().length());
                kinetic = kinetic.max(w.energy().kinetic / e0);
                edge = edge.max(w.cloths()[0].1.strain().max_edge);
            }
            let change = w.momentum() - before;
            println!("space {name} ×{ratio}: fastest {fastest:.3} cloth {cloth_fast:.1} edge {:.1} % kinetic {kinetic:.4} drift {:.1e} {:.1e} clean {}", 100.0 * edge, change.linear.length() / before.linear.length(), change.angular.length()/ before.linear.length(), w.intersections().is_clean());
        }
        for ratio in [1.0, 10.0, 100.0, 1000.0] {
            // Three boxes into a finer hammock.
            let now = std::time::Instant::now();
            let settings = Settings { solver: solver.clone(), substeps: 8, threads: 1, ..Settings::default() };
            let cloth = slack_hammock_in(28, settings);
            let mass = cloth.cloth().total_mass() * ratio / 3.0;
            let boxes = (0..3).map(|i| {
                let mut b = RigidBody::new(&format!("box {i}"), RigidShape::Box { size: Vec3::new(0.2, 0.1, 0.15) })
                    .at(DVec3::new(-0.15 + 0.15 * i as f64, 0.9 + 0.25 * i as f64, 0.1 * i as f64 - 0.1));
                b.mass = Mass::Total(mass);
                b.rotation = glam::DQuat::from_rotation_x(0.4 * i as f64) * glam::DQuat::from_rotation_z(0.3);
                b
            });
            let mut w = world(cloth, vec![], boxes.collect());
            let (mut edge, mut up, mut lowest) = (0.0f64, 0.0f64, 0.0f64);
            let (mut zones, mut divisions) = (0, 0);
            for frame in 0..120 {
                match w.step() {
                    Ok(r) => { zones += r.collisions.zones; divisions += r.collisions.divisions; }
                    Err(e) => { println!("frame {frame}: {e}"); break; }
                }
                for b in w.bodies() {
                    up = up.max(b.velocity().y);
                    lowest = lowest.min(b.state().center.y);
                }
                edge = edge.max(w.cloths()[0].1.strain().max_edge);
            }
            println!("boxes {name} ×{ratio}: up {up:.2} lowest {lowest:.3} edge {:.1} % zones {zones} divisions {divisions} clean {} {:.1} s", 100.0 * edge, w.intersections().is_clean(), now.elapsed().as_secs_f64());
        }
    }
}

fn stretch_of(cloth: &Simulation) -> [f64; 2] {
    let (rest, now) = (cloth.cloth().rest_positions(), cloth.positions());
    let mut found = [0.0f64; 2];
    for t in cloth.cloth().triangles() {
        for k in 0..3 {
            let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
            let strain = f64::from(now[a].distance(now[b]) / rest[a].distance(rest[b])) - 1.0;
            found = [found[0].max(strain), found[1].max(-strain)];
        }
    }
    found
}

#[test]
#[ignore]
fn hunt() {
    use glam::{DVec3, Vec3};
    use muslin::rigid::{Mass, RigidBody, RigidShape};
    let mut seed: u64 = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let count: usize = std::env::var("COUNT").ok().and_then(|s| s.parse().ok()).unwrap_or(100);
    let wanted = std::env::var("HEAVY").unwrap_or_default();
    let mut random = |most: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as usize) % most
    };
    let solvers: Vec<_> =
        every_solver().into_iter().filter(|(n, _)| wanted == "" || wanted.split(',').any(|w| w == *n)).collect();
    for case in 0..count {
        let (name, solver) = solvers[random(solvers.len())].clone();
        let cells = [6, 10, 16, 24, 32][random(5)];
        let substeps = [1, 2, 4, 8, 8, 16][random(6)];
        let ratio = [1.0, 10.0, 100.0, 100.0, 1000.0][random(5)];
        let hang = [Hang::Taut, Hang::Slack][random(2)];
        let radius = [0.05f32, 0.1, 0.15, 0.2][random(4)];
        let boxed = random(3) == 0;
        let offset = DVec3::new(random(5) as f64 * 0.06 - 0.12, 0.0, random(5) as f64 * 0.06 - 0.12);
        let height = [0.5, 1.0, 1.6, 2.5][random(4)];
        let settings = Settings { solver: solver.clone(), substeps, threads: 1, ..Settings::default() };
        let cloth = hammock(hang, cells, settings);
        let mass = cloth.cloth().total_mass() * ratio;
        let mut body = ball(radius, mass, height);
        let mut own = 0.0f64;
        let mut parts = [0.0f64; 2];
        let mut touched = false;
        if boxed {
            body = RigidBody::new("ball", RigidShape::Box { size: Vec3::new(2.0, 1.0, 1.5) * radius });
            body.rotation = glam::DQuat::from_rotation_x(0.1 * random(30) as f64);
        }
        body.mass = Mass::Total(mass);
        body.position = DVec3::Y * height + offset;
        if std::env::var("ONLY").is_ok_and(|only| only != case.to_string()) { continue; }
        let mut w = world(cloth, vec![], vec![body]);
        let now = std::time::Instant::now();
        let (mut edge, mut up, mut excess, mut lowest) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
        let (mut zones, mut divisions, mut overloaded) = (0, 0, 0);
        let mut error = String::new();
        for frame in 0..100 {
            match w.step() {
                Ok(r) => {
                    zones += r.collisions.zones;
                    divisions += r.collisions.divisions;
                    overloaded += r.collisions.overloaded;
                }
                Err(e) => {
                    error = format!("frame {frame}: {e}");
                    break;
                }
            }
            let s = w.bodies()[0].state();
            up = up.max(s.velocity.y);
            lowest = lowest.min(s.center.y);
            let fall = (2.0 * 9.81 * (height - s.center.y).max(0.0)).sqrt();
            excess = excess.max(s.velocity.length() - fall);
            let near = w.cloths()[0].1.positions().iter().any(|p| (p.as_dvec3() - s.center).length() < 1.5 * radius as f64 + 0.02);
            touched |= near;
            if touched {
                edge = edge.max(w.cloths()[0].1.strain().max_edge);
                let now = stretch_of(&w.cloths()[0].1);
                parts = [parts[0].max(now[0]), parts[1].max(now[1])];
            } else {
                own = own.max(w.cloths()[0].1.strain().max_edge);
            }
        }
        let bad = up > 1.0 || excess > 0.3 || edge > 0.2 || !error.is_empty() || lowest < -0.7;
        println!(
            "{}{case} {name} {hang:?} {cells} cells {substeps} sub ×{ratio} r {radius} box {boxed} from {height}: up {up:.2} excess {excess:.2} lowest {lowest:.2} edge {:.1} % ({parts:.3?}) own {:.1} z {zones} d {divisions} {overloaded} {:.1} s {error}",
            if bad { "BAD " } else { "" },
            100.0 * edge,
            100.0 * own,
            now.elapsed().as_secs_f64()
        );
    }
}
