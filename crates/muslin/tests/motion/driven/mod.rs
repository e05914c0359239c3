//! A cloth that is driven while it moves: pins, forces, teleports, and what can be read of it.

mod forces;
mod holds;
mod pins;
mod place;
mod readout;

use glam::Vec3;
use muslin::cloth::{Cloth, ClothBuilder, fabric};
use muslin::mesh::generate;
use muslin::solver::{Impulses, Multilevel, PositionBased, RadialMatching, ShapeMatching, SolverConfig};
use muslin::{Settings, Simulation};

/// A name, a cloth and settings for every solver, in long steps and in short ones.
fn cases() -> Vec<(String, ClothBuilder, Settings)> {
    let solvers = [
        ("shape matching", SolverConfig::default()),
        ("the paper's", SolverConfig::ShapeMatching(ShapeMatching::paper())),
        ("averaged", SolverConfig::ShapeMatching(ShapeMatching::averaged())),
        ("radial", SolverConfig::RadialMatching(RadialMatching::default())),
        ("position based", SolverConfig::PositionBased(PositionBased::default())),
        ("impulses", SolverConfig::Impulses(Impulses { tolerance: 0.05, ..Impulses::default() })),
        ("multilevel", SolverConfig::Multilevel(Multilevel { particles: 600, ..Multilevel::default() })),
    ];
    let mut cases = Vec::new();
    for (time_step, substeps) in [(1.0 / 60.0, 2), (1e-3, 4)] {
        for (name, solver) in &solvers {
            let solver = solver.clone();
            let settings = Settings { time_step, substeps, solver, threads: 1, ..Settings::default() };
            cases.push((format!("{name}, {substeps} substeps of {time_step} s"), sheet(), settings));
        }
        let denim = sheet().material(fabric("denim").unwrap().material());
        let settings = Settings { time_step, substeps, threads: 1, ..Settings::default() };
        cases.push((format!("denim, {substeps} substeps of {time_step} s"), denim, settings));
    }
    cases
}

/// A square of 0.5 m that leans a little.
fn sheet() -> ClothBuilder {
    let mut mesh = generate::grid(12, 12, 0.5, 0.5).unwrap();
    for p in &mut mesh.positions {
        *p = Vec3::new(p.x, p.y, 0.1 * p.y * p.y);
    }
    Cloth::builder(mesh)
}

/// The same cloth with other pins, in the same state.
fn rebuilt(simulation: &Simulation, cloth: ClothBuilder) -> Simulation {
    let mut other = Simulation::new(cloth.build().unwrap(), simulation.settings().clone()).unwrap();
    other.restore(&simulation.snapshot()).unwrap();
    other
}

fn run(simulation: &mut Simulation, steps: usize) {
    (0..steps).for_each(|_| {
        simulation.step().unwrap();
    });
}
