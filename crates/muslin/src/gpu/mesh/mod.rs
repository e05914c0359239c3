//! Meshes on the GPU: multi-resolution shape matching (\[Bender2013\] §5) and position-based dynamics.
//!
//! Every thread owns a vertex and writes that one only (and the coarser vertex that it is): no order, the same
//! bits in every run on one device. Regions are averaged per vertex (Jacobi), so a pass is softer than the CPU's
//! Gauss-Seidel; the full approximation scheme over many levels, and short steps, make up for it.
//! `docs/gpu.md` has the measurements.
//!
//! As data flows:
//! - `support`: what there are kernels for
//! - `model`: a cloth laid out as plain arrays
//! - `memory`: these arrays on the device
//! - `uniforms`: what a dispatch is told
//! - `schedule`: the step as a list of dispatches, which its `recorder` writes down; `small_levels` are those of one dispatch
//! - `kernels`: the table of what each of them runs
//! - `layout`: all of that for one cloth
//! - `device_cloth`: a cloth in motion; `exchange` and `read_back` carry its state, `profile` times its kernels
//! - `simulation`: that with the host's copy of the cloth, and `driven` what can be asked of it while it moves

mod device_cloth;
mod driven;
mod exchange;
mod kernels;
mod layout;
mod memory;
mod model;
#[cfg(not(target_arch = "wasm32"))]
mod profile;
mod read_back;
mod schedule;
mod simulation;
#[cfg(test)]
mod steady;
mod support;
#[cfg(test)]
mod tests;
mod uniforms;

pub(crate) use device_cloth::DeviceCloth;
pub use driven::DevicePositions;
pub use read_back::GpuReport;
pub use simulation::GpuSimulation;

use self::memory::Buffer;
use self::schedule::{recorder, small_levels};
use super::engine::{self, Family};

/// The family of kernels for meshes.
#[derive(Clone, Copy)]
struct Meshes;

type Kernel = &'static engine::Kernel<Meshes>;
type Dispatch = engine::Dispatch<Meshes>;

/// How much a dispatch has to do.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))] // nothing is timed in browsers
struct Work {
    /// Vertices, hinges, constraints: what a thread takes one of.
    items: u64,
    vertices: u64,
    stretches: u64,
    /// Entries of the rows that are read, filled up.
    spokes: u64,
    means: u64,
    bends: u64,
    tethers: u64,
    /// Those of constraints that are gathered, and how many constraints that are.
    lengths: [u64; 2],
    /// Vertices of the levels that are worked on in one dispatch.
    small: u64,
}

impl Family for Meshes {
    type Buffer = Buffer;
    type Work = Work;
    const KERNELS: &'static [Kernel] = kernels::ALL;
}
