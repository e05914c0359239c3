//! A simulation whose steps are measured: time, strain, and what the solver did.

use std::time::Instant;

use muslin::diagnostics::timings::Stage;
use muslin::{Simulation, StepReport};

use super::model::constraints;
use crate::Error;

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
        let Some(did) = report.solver.impulses() else { return };
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
