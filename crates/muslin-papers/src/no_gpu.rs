//! What stands in for the GPU engine without the feature `gpu`: a GPU that nobody can have.

use muslin::cloth::Cloth;
use muslin::{Error, Settings, Simulation};

/// A GPU. There is none: this was built without the feature `gpu`.
#[derive(Clone, Copy, Debug)]
pub enum Gpu {}

impl Gpu {
    /// Its name.
    pub fn name(&self) -> &str {
        match *self {}
    }

    /// Whether it is a program on the CPU.
    pub fn is_software(&self) -> bool {
        match *self {}
    }
}

/// The time of one dispatch of a step.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "those of the engine, of which there are none here")]
pub struct KernelTime {
    pub kernel: &'static str,
    pub level: usize,
    pub microseconds: f64,
    pub least_bytes: u64,
}

pub fn multilevel(gpu: &Gpu, _: Cloth, _: Settings) -> Result<Simulation, Error> {
    match *gpu {}
}

pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64, Error> {
    match *gpu {}
}

pub fn grid_profile(_: &mut Simulation) -> Result<Option<Vec<KernelTime>>, Error> {
    Ok(None)
}
