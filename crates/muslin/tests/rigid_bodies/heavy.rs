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
