//! The GPU engine as this program uses it; `no_gpu` stands in for it without the feature `gpu`.

use muslin::collision::CollisionSettings;
use muslin::gpu::GpuOptions;
use muslin::{Error, Settings, World};

use crate::failure::Failure;

pub use muslin::gpu::{Gpu, GpuError, GpuSimulation, KernelTime, Profile, multilevel};

/// Opens the adapter with a part of this name, or the fastest.
pub fn open(adapter: Option<&str>) -> Result<Gpu, GpuError> {
    Gpu::new(&GpuOptions { adapter: adapter.map(str::to_owned), ..GpuOptions::default() })
}

/// A world of cloths that are on a GPU.
pub fn world_of(
    gpu: &Gpu,
    settings: Settings,
    collisions: CollisionSettings,
    cloths: Vec<(String, GpuSimulation)>,
) -> Result<World, Error> {
    let world = World::builder().gpu(gpu).settings(settings).collisions(collisions);
    cloths.into_iter().fold(world, |world, (name, cloth)| world.gpu_simulation(&name, cloth)).build()
}

/// Brings back what is on a GPU.
pub fn read_back(world: &mut World) -> Result<(), Error> {
    world.read_back().map(drop)
}

/// GB/s of plain copies.
pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64, GpuError> {
    gpu.copy_bandwidth()
}

/// What the device says, or the error of another kind.
pub fn of_device(error: Error) -> Result<GpuError, Error> {
    match error {
        Error::Gpu(error) => Ok(error),
        other => Err(other),
    }
}

/// What cannot be had here is bad input; a device that fails is not.
pub fn failure(error: GpuError) -> Failure {
    let message = format!("backend \"gpu\": {error}");
    match error {
        GpuError::NoAdapter { .. } | GpuError::NoDevice { .. } | GpuError::Limit { .. } => {
            Failure::input(message)
        }
        _ => Failure::run(message),
    }
    .hint("--backend cpu runs on the CPU")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_fails_is_no_bad_input() {
        let lost = GpuError::Lost { reason: "reset".into() };
        let missing = GpuError::NoAdapter { reason: "none".into() };
        assert_eq!([lost, missing].map(|error| failure(error).exit_code), [1, 2]);
    }
}
