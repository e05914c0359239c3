//! The GPU engine: multi-resolution shape matching (\[Bender2013\] §5) and position-based dynamics in wgpu and WGSL.
//!
//! A [`GpuSimulation`] holds a cloth on a [`Gpu`]. Steps are queued, many in one command buffer, and the
//! state stays on the device until it is asked for.
//!
//! Every thread owns a vertex and writes that one only (and the coarser vertex that it is): no order, the same
//! bits in every run on one device. Regions are averaged per vertex (Jacobi), so a pass is softer than the CPU's
//! Gauss-Seidel; the full approximation scheme over many levels, and short steps, make up for it.
//! `docs/gpu.md` has the measurements.
//!
//! As data flows: `support` says what can be done, `model` lays the cloth out (`fans`, `lengths`, `sliced`), `buffers` hold it, `schedule` is the step,
//! `kernel` says what each dispatch runs and `pipelines` run it, `exchange` and `read_back` carry states.

#[cfg(not(target_arch = "wasm32"))]
mod bandwidth;
mod buffers;
mod device;
mod exchange;
mod fans;
#[allow(dead_code)] // until there is a solver that uses it
pub(crate) mod grid;
mod kernel;
mod lengths;
mod model;
mod multilevel;
mod pieces;
mod pipelines;
#[cfg(not(target_arch = "wasm32"))]
mod profile;
mod read_back;
mod schedule;
mod simulation;
mod sliced;
mod support;
#[cfg(test)]
mod tests;
mod uniforms;

pub use device::{Gpu, GpuError, GpuOptions};
pub use multilevel::multilevel;
#[cfg(not(target_arch = "wasm32"))]
pub use profile::{KernelTime, Profile};
pub use simulation::{GpuReport, GpuSimulation};
