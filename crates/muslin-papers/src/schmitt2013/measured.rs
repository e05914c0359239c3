//! A world with one cloth whose steps are measured: times of stages, strain.

use std::time::Instant;

use muslin::diagnostics::strain::Strain;
use muslin::diagnostics::timings::Stage;
use muslin::{Simulation, World};

use super::kernels::Tasks;
use crate::gpu::{Gpu, copy_bandwidth, grid_profile};
use crate::{Error, Options, median};

/// How often kernels are measured.
const PROFILES: usize = 9;

/// Milliseconds of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepTime {
    /// Sampling what the coarse mesh met into the grid.
    pub sampling: f64,
    /// The grid: motion, levels, projection.
    pub grid: f64,
    /// All else: collisions, wind.
    pub other: f64,
}

impl StepTime {
    /// What the paper counts: all but collisions.
    pub fn solver(&self) -> f64 {
        self.sampling + self.grid
    }
}

/// A simulation and what its steps have shown so far.
pub(super) struct Run<'a> {
    world: World,
    gpu: Option<&'a Gpu>,
    times: Vec<StepTime>,
    /// The largest stretch along a thread after each step.
    pub strains: Vec<f64>,
    /// On the finest level, of each step.
    iterations: Vec<u32>,
    /// Particles that were lost.
    pub contained: u32,
}

impl<'a> Run<'a> {
    pub fn new(world: World, options: &Options<'a>) -> Result<Self, Error> {
        let (times, strains, iterations) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { world, gpu: options.gpu, times, strains, iterations, contained: 0 })
    }

    /// A GPU that was idle, as while a grid was built, lowers its clock and needs a while of work to raise it again. On an
    /// H200, which falls to a sixth, the same steps took 0.8 or 3.5 ms.
    fn wake_gpu(&self) -> Result<(), Error> {
        if let Some(gpu) = self.gpu.filter(|gpu| !gpu.is_software()) {
            copy_bandwidth(gpu)?;
        }
        Ok(())
    }

    pub fn cloth(&self) -> &Simulation {
        &self.world.cloths()[0].1
    }

    /// Takes a step; the largest stretch along a thread after it.
    pub fn step(&mut self) -> Result<f64, Error> {
        let start = Instant::now();
        self.world.step()?;
        let report = self.world.report();
        let all = 1e3 * start.elapsed().as_secs_f64();
        let of = |stage| 1e3 * report.timings.get(stage).as_secs_f64();
        let (sampling, grid) = (of(Stage::Sampling), of(Stage::Grid));
        self.times.push(StepTime { sampling, grid, other: all - sampling - grid });
        let did = report.cloths[0].solver.grid().copied().unwrap_or_default();
        self.iterations.push(did.iterations);
        self.contained += did.contained;
        self.strains.push(did.strain.into());
        Ok(did.strain.into())
    }

    /// Takes steps whose time counts.
    pub fn steps(&mut self, steps: usize) -> Result<(), Error> {
        self.wake_gpu()?;
        (0..steps).try_for_each(|_| self.step().map(drop))
    }

    /// Whether the strain stays at or below a limit, from `from` steps on; stops at the first step that exceeds it.
    pub fn holds(&mut self, limit: f64, from: usize, steps: usize) -> Result<bool, Error> {
        for number in 0..steps {
            let strain = self.step()?;
            // What is not a number holds nothing.
            if number >= from && (strain.is_nan() || strain > limit) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Medians over the last so many steps.
    pub fn time(&self, last: usize) -> StepTime {
        let times = end_of(&self.times, last);
        let median = |of: fn(&StepTime) -> f64| median(times.iter().map(of));
        StepTime { sampling: median(|t| t.sampling), grid: median(|t| t.grid), other: median(|t| t.other) }
    }

    /// On the finest level, the median over the last so many steps.
    pub fn iterations(&self, last: usize) -> f64 {
        median(end_of(&self.iterations, last).iter().copied().map(f64::from))
    }

    /// The largest stretch along a thread in the last so many steps.
    pub fn largest(&self, last: usize) -> f64 {
        end_of(&self.strains, last).iter().copied().fold(0.0, f64::max)
    }

    /// On a GPU, some more steps of the grid by itself, kernel by kernel; medians. `None` on the CPU, and on devices
    /// without timestamps.
    pub fn tasks(&mut self) -> Result<Option<Tasks>, Error> {
        self.wake_gpu()?;
        let Some((_, cloth)) = self.world.cloths_mut().next() else { return Ok(None) };
        let mut profiles = Vec::new();
        for _ in 0..PROFILES {
            let Some(profile) = grid_profile(cloth)? else { return Ok(None) };
            profiles.push(profile);
        }
        let mut times = profiles[0].clone();
        for (number, time) in times.iter_mut().enumerate() {
            let same = profiles.iter().filter_map(|profile| profile.get(number));
            time.microseconds = median(same.map(|same| same.microseconds));
        }
        Ok(Some(Tasks::of(&times)))
    }

    /// The strain of all threads, now.
    pub fn strain(&self) -> Strain {
        self.cloth().strain()
    }
}

/// The last so many, or all.
fn end_of<T>(all: &[T], count: usize) -> &[T] {
    &all[all.len().saturating_sub(count)..]
}

/// The fewest iterations with which something holds, to within a sixteenth; `None` if `most` are not enough.
pub(super) fn fewest(
    most: u32,
    mut holds: impl FnMut(u32) -> Result<bool, Error>,
) -> Result<Option<u32>, Error> {
    let (mut too_few, mut enough) = (0, 2.min(most));
    while !holds(enough)? {
        if enough == most {
            return Ok(None);
        }
        (too_few, enough) = (enough, (2 * enough).min(most));
    }
    while enough - too_few > 1.max(enough / 16) {
        let between = too_few + (enough - too_few) / 2;
        if holds(between)? { enough = between } else { too_few = between }
    }
    Ok(Some(enough))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_are_found() {
        for needed in [1, 2, 3, 7, 15] {
            assert_eq!(fewest(100, |n| Ok(n >= needed)).unwrap(), Some(needed));
        }
        let found = fewest(1000, |n| Ok(n >= 400)).unwrap().unwrap();
        assert!((400..425).contains(&found), "{found}");
        assert_eq!(fewest(100, |n| Ok(n >= 101)).unwrap(), None);
        assert_eq!(fewest(1, |_| Ok(true)).unwrap(), Some(1));
    }
}
