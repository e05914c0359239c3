//! The engine: what every family of kernels runs on, whatever it computes.
//!
//! - `device`: a GPU, opened, and what goes wrong with it
//! - `kernel`: a row of a table of kernels, and a dispatch of one
//! - `memory`: buffers and uniforms under the names that a family gives them
//! - `pipelines`: kernels compiled, bound, and recorded in the order of a schedule
//! - `scopes`: a device that belongs to the caller's program
//! - `staging`: copies that come back to the host
//! - `profile`: the time of every dispatch
//! - `bandwidth`: the smallest family there is, a copy; the yardstick for others

#[cfg(not(target_arch = "wasm32"))]
mod bandwidth;
mod device;
mod kernel;
mod memory;
mod pipelines;
#[cfg(not(target_arch = "wasm32"))]
mod profile;
mod scopes;
mod staging;
#[cfg(test)]
pub(crate) mod tests;

pub use device::{Gpu, GpuError, GpuOptions};
pub(crate) use kernel::{Binding, Dispatch, Entry, Family, Kernel, WORKGROUP, file_name, kernels};
pub(crate) use memory::Memory;
pub(crate) use pipelines::Engine;
#[cfg(not(target_arch = "wasm32"))]
pub use profile::{KernelTime, Profile};
pub(crate) use staging::Staging;
