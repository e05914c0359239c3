//! The cloth of \[Bender2009\] §4 and what is measured of it.
//!
//! n × n particles, a metre wide, parallel to the floor at the start, held at two corners, h = 1/30 s, one thread.
//! 2n(n − 1) distance constraints, (n − 1)² + 2n(n − 2) springs (errata 3). The paper gives neither masses nor
//! stiffnesses: ours are below.

use std::time::Instant;

use glam::Vec3;
use muslin::cloth::{Cloth, Damping, Material, TetherChoice};
use muslin::diagnostics::timings::Stage;
use muslin::forces::wind::Wind;
use muslin::mesh::{TriMesh, generate};
use muslin::solver::{ImpulseMethod, Impulses, SolverConfig, SpringDamper};
use muslin::{Settings, Simulation, StepReport};

use crate::Error;

/// Seconds.
pub(super) const TIME_STEP: f64 = 1.0 / 30.0;

/// The paper's models and tolerances.
pub(super) const SIDES: [usize; 5] = [10, 20, 30, 40, 50];
pub(super) const TOLERANCES: [f64; 4] = [0.1, 0.01, 0.001, 0.0001];

/// That of the linear system, which is exact in the paper.
pub(super) const EXACT: f64 = 1e-6;

/// Of bending springs. A cloth of 50 × 50 weighs 80 mg per particle.
const BENDING: SpringDamper = SpringDamper { stiffness: 0.05, damping: 3e-4 };

/// Every how many-th particle is chosen at random to get another velocity, and how fast it may be along an axis, m/s.
const CHOSEN: f32 = 0.1;
const SPEED: f32 = 1.0;

/// How a cloth is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// At two corners of one side, under gravity.
    Corners,
    /// The same, in still air.
    CornersInAir,
    /// Not at all, without gravity.
    Free,
}

/// Options of a method.
pub(super) fn method(method: ImpulseMethod, tolerance: f64) -> Impulses {
    Impulses { method, tolerance, bending: BENDING, ..Impulses::default() }
}

/// `10×10`.
pub(super) fn size(side: usize) -> String {
    format!("{side}×{side}")
}

/// The square, parallel to the floor, `width` metres wide.
pub(super) fn mesh(side: usize, width: f32) -> Result<TriMesh, Error> {
    let mut mesh = generate::grid(side - 1, side - 1, width, width)?;
    mesh.positions.iter_mut().for_each(|p| *p = Vec3::new(p.x, 0.0, p.y));
    Ok(mesh)
}

/// Pairs of particles that keep their distance.
pub(super) fn constraints(side: usize) -> Vec<[usize; 2]> {
    let at = |column: usize, row: usize| row * side + column;
    let lines = (0..side).flat_map(|line| (1..side).map(move |next| (line, next)));
    lines
        .flat_map(|(line, next)| [[at(next - 1, line), at(next, line)], [at(line, next - 1), at(line, next)]])
        .collect()
}

/// How many springs there are: one diagonal per quad, and bending springs over every inner particle of a line.
pub(super) fn springs(side: usize) -> usize {
    (side - 1).pow(2) + 2 * side * (side - 2)
}

/// Numbers between −1 and 1 that a seed names for ever.
pub(super) fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        2.0 * (state >> 40) as f32 / (1u64 << 24) as f32 - 1.0
    }
}

/// The cloth in its start position, at rest.
pub(super) fn still(side: usize, held: Held, options: Impulses) -> Result<Simulation, Error> {
    still_of_width(side, 1.0, held, options)
}

fn still_of_width(side: usize, width: f32, held: Held, options: Impulses) -> Result<Simulation, Error> {
    let mesh = mesh(side, width)?;
    let bottom = mesh.groups["bottom"].clone();
    let material = Material { bending: 0.0, damping: Damping::None, ..Material::default() };
    let mut builder = Cloth::builder(mesh).material(material).tethers(TetherChoice::Off);
    let mut settings = Settings {
        time_step: TIME_STEP,
        substeps: 1,
        solver: SolverConfig::Impulses(options),
        threads: 1,
        ..Settings::default()
    };
    match held {
        Held::Free => settings.gravity = Vec3::ZERO,
        Held::Corners | Held::CornersInAir => builder = builder.pin_all([bottom[0], bottom[side - 1]]),
    }
    if held == Held::CornersInAir {
        settings.wind = Some(Wind::default());
    }
    Ok(Simulation::new(builder.build()?, settings)?)
}

/// The cloth of the performance tests: some particles, chosen at random, have velocities.
pub(super) fn swinging(side: usize, options: Impulses) -> Result<Simulation, Error> {
    swinging_of_width(side, 1.0, options)
}

/// The same, `width` metres wide.
pub(super) fn swinging_of_width(side: usize, width: f32, options: Impulses) -> Result<Simulation, Error> {
    let mut simulation = still_of_width(side, width, Held::Corners, options)?;
    let (positions, mut noise) = (simulation.positions(), noise(0));
    let mut velocities = vec![Vec3::ZERO; positions.len()];
    for (v, velocity) in velocities.iter_mut().enumerate() {
        let change = SPEED * Vec3::new(noise(), noise(), noise());
        if 0.5 * (noise() + 1.0) < CHOSEN && v != 0 && v != side - 1 {
            *velocity = change;
        }
    }
    simulation.set_state(&positions, &velocities)?;
    Ok(simulation)
}

/// A simulation and what its steps have shown so far.
pub(super) struct Run {
    pub simulation: Simulation,
    constraints: Vec<[usize; 2]>,
    /// Metres between neighbours at rest, and of the whole cloth.
    rest: f64,
    width: f64,
    pub steps: u32,
    /// Seconds.
    time: f64,
    /// Largest strain of a constraint over all steps.
    pub largest: f64,
    average: f64,
    /// Metres below the corners, the most over all steps.
    pub lowest: f64,
    iterations: u32,
    velocity_iterations: u32,
    factorisations: u32,
    degenerate: u32,
    unsatisfied: u32,
    /// Milliseconds per factorisation, of steps without trouble.
    factorising: Vec<f64>,
}

impl Run {
    pub fn new(simulation: Simulation) -> Self {
        let side = simulation.positions().len().isqrt();
        let rest = simulation.cloth().rest_positions();
        let [first, last] = [0, side - 1].map(|corner| rest[corner]);
        let width = f64::from(first.distance(last));
        Self {
            simulation,
            constraints: constraints(side),
            rest: width / (side - 1) as f64,
            width,
            steps: 0,
            time: 0.0,
            largest: 0.0,
            average: 0.0,
            lowest: 0.0,
            iterations: 0,
            velocity_iterations: 0,
            factorisations: 0,
            degenerate: 0,
            unsatisfied: 0,
            factorising: Vec::new(),
        }
    }

    /// Takes a step and measures it; its largest strain.
    pub fn step(&mut self) -> Result<f64, Error> {
        let start = Instant::now();
        let report = self.simulation.step()?;
        self.time += start.elapsed().as_secs_f64();
        self.steps += 1;
        self.count(&report);
        let largest = self.simulation.constraint_strain();
        self.largest = self.largest.max(largest);
        let positions = self.simulation.positions();
        let strain = |&[a, b]: &[usize; 2]| {
            (positions[a].as_dvec3().distance(positions[b].as_dvec3()) / self.rest - 1.0).abs()
        };
        self.average += self.constraints.iter().map(strain).sum::<f64>() / self.constraints.len() as f64;
        self.lowest = positions.iter().fold(self.lowest, |lowest, p| lowest.max(-f64::from(p.y)));
        Ok(largest)
    }

    pub fn steps(&mut self, steps: u32) -> Result<(), Error> {
        (0..steps).try_for_each(|_| self.step().map(drop))
    }

    fn count(&mut self, report: &StepReport) {
        let did = &report.impulses;
        self.iterations += did.iterations;
        self.velocity_iterations += did.velocity_iterations;
        self.factorisations += did.factorisations;
        self.degenerate += did.degenerate;
        self.unsatisfied += did.unsatisfied;
        if did.factorisations > 0 && did.degenerate == 0 {
            let stretch = 1e3 * report.timings.get(Stage::Stretch).as_secs_f64();
            self.factorising.push(stretch / f64::from(did.factorisations));
        }
    }

    fn per_step(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.steps.max(1))
    }

    /// Average milliseconds per step.
    pub fn milliseconds(&self) -> f64 {
        1e3 * self.time / f64::from(self.steps.max(1))
    }

    /// Mean strain over constraints and steps.
    pub fn average(&self) -> f64 {
        self.average / f64::from(self.steps.max(1))
    }

    /// How much farther below its corners the cloth was than it is long, relative to its length.
    pub fn global(&self) -> f64 {
        self.lowest / self.width - 1.0
    }

    /// Passes over all constraints, or solutions of the linear system, per step.
    pub fn passes(&self) -> f64 {
        self.per_step(self.iterations)
    }

    pub fn velocity_passes(&self) -> f64 {
        self.per_step(self.velocity_iterations)
    }

    pub fn all_passes(&self) -> u32 {
        self.iterations
    }

    pub fn factorisations(&self) -> f64 {
        self.per_step(self.factorisations)
    }

    /// How often per step redundant constraints were met.
    pub fn degenerate(&self) -> f64 {
        self.per_step(self.degenerate)
    }

    /// Part of the steps in which strains above the tolerance were left.
    pub fn unsatisfied(&self) -> f64 {
        self.per_step(self.unsatisfied)
    }

    /// Median milliseconds of a factorisation with what belongs to it, if any step went without trouble.
    pub fn factorising(&self) -> Option<f64> {
        let mut times = self.factorising.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [Bender2009] §4: 180 to 4900 constraints, 241 to 7201 springs; figure 4 has 3120 constraints.
    #[test]
    fn counts_are_those_of_the_paper() {
        let counts = |side| (constraints(side).len(), springs(side));
        assert_eq!((counts(10), counts(50), counts(40).0), ((180, 241), (4900, 7201), 3120));
        for side in SIDES {
            let mesh = mesh(side, 1.0).unwrap();
            let apart = |&[a, b]: &[usize; 2]| mesh.positions[a].distance(mesh.positions[b]);
            let rest = 1.0 / (side - 1) as f32;
            assert!(constraints(side).iter().all(|pair| (apart(pair) / rest - 1.0).abs() < 1e-4));
            assert_eq!(mesh.quads.len(), (side - 1) * (side - 1));
        }
    }

    #[test]
    fn noise_fills_its_range() {
        let mut noise = noise(1);
        let values: Vec<f32> = (0..1000).map(|_| noise()).collect();
        assert!(values.iter().all(|v| (-1.0..1.0).contains(v)));
        assert!(values.iter().any(|v| *v < -0.9) && values.iter().any(|v| *v > 0.9));
        assert!((values.iter().sum::<f32>() / 1000.0).abs() < 0.1);
    }
}
