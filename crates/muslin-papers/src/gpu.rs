//! What the items need of the GPU engine; `no_gpu` stands in for it without the feature `gpu`.

use muslin::{Error, Simulation};

pub use muslin::gpu::{Gpu, KernelTime, multilevel};

/// GB/s of a plain copy.
pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64, Error> {
    Ok(gpu.copy_bandwidth()?)
}

/// See [`Simulation::grid_profile`].
pub fn grid_profile(cloth: &mut Simulation) -> Result<Option<Vec<KernelTime>>, Error> {
    cloth.grid_profile()
}
