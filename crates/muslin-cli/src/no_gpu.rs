//! What stands in for the GPU engine without the feature `gpu`: a refusal, and types that nobody can have a value of.

use std::fmt;

use muslin::cloth::Cloth;
use muslin::collision::CollisionSettings;
use muslin::{Error, Settings, Simulation, World};

use crate::failure::Failure;

pub use muslin_papers::{Gpu, KernelTime};

/// Why there is no GPU: always the same.
#[derive(Clone, Copy, Debug)]
pub struct GpuError;

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this muslin was built without the GPU engine; build it with --features gpu")
    }
}

/// Refuses.
pub fn open(_: Option<&str>) -> Result<Gpu, GpuError> {
    Err(GpuError)
}

/// Bad input: what was asked for cannot be had here.
pub fn failure(error: GpuError) -> Failure {
    Failure::input(format!("backend \"gpu\": {error}")).hint("--backend cpu runs on the CPU")
}

pub fn world_of(
    gpu: &Gpu,
    _: Settings,
    _: CollisionSettings,
    _: Vec<(String, GpuSimulation)>,
) -> Result<World, Error> {
    match *gpu {}
}

/// Nothing is elsewhere.
pub fn read_back(_: &mut World) -> Result<(), Error> {
    Ok(())
}

pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64, GpuError> {
    match *gpu {}
}

/// No error is of a device.
pub fn of_device(error: Error) -> Result<GpuError, Error> {
    Err(error)
}

pub fn multilevel(gpu: &Gpu, _: Cloth, _: Settings) -> Result<Simulation, Error> {
    match *gpu {}
}

/// What a step on a GPU would report.
#[derive(Clone, Copy)]
#[allow(dead_code)] // nobody makes one
pub struct GpuReport {
    pub contained: u32,
    pub first_contained: Option<u32>,
}

/// The times of the dispatches of a step.
pub type Profile = Vec<KernelTime>;

/// A cloth on a GPU: there is none.
pub enum GpuSimulation {}

impl GpuSimulation {
    pub fn new(gpu: &Gpu, _: Cloth, _: Settings) -> Result<Self, Error> {
        match *gpu {}
    }

    pub fn cloth(&self) -> &Cloth {
        match *self {}
    }

    pub fn last_read(&self) -> &Simulation {
        match *self {}
    }

    pub fn report(&self) -> GpuReport {
        match *self {}
    }

    pub fn dispatches(&self) -> usize {
        match *self {}
    }

    pub fn step(&mut self) -> Result<(), Error> {
        match *self {}
    }

    pub fn relax(&mut self, _: usize, _: f32) -> Result<(), Error> {
        match *self {}
    }

    pub fn wait(&self) -> Result<(), Error> {
        match *self {}
    }

    pub fn read_back(&mut self) -> Result<&Simulation, Error> {
        match *self {}
    }

    pub fn profile(&mut self, _: usize) -> Result<Option<Profile>, Error> {
        match *self {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_bad_input_and_says_what_to_do() {
        let failure = open(None).map_err(failure).expect_err("there is none");
        assert_eq!(failure.exit_code, 2);
        assert!(failure.first_problem().ends_with("build it with --features gpu"), "{failure}");
    }
}
