//! Multilevel cloth on the GPU ([Schmitt2013] §4–6): the twin of `solver/multilevel/cpu.rs`, stage by stage.
//!
//! A [`GpuGrid`] holds the particles of a grid on a [`Gpu`]. A step is one submission that also brings the coarse mesh
//! back; the particles themselves stay on the device. Every thread owns a texel (or an edge of a set of which no two
//! share a texel): no order, the same bits in every run on one device.
//!
//! As data flows:
//! - `memory`: the grid on the device
//! - `uniforms`: what a dispatch is told
//! - `schedule`: a step written down as a list of dispatches
//! - `kernels`: the table of what each of them runs
//! - `gpu_grid`: a grid in motion; `multilevel` is a cloth whose grid it is, `profile` times its kernels

mod gpu_grid;
mod kernels;
mod memory;
mod multilevel;
#[cfg(not(target_arch = "wasm32"))]
mod profile;
mod schedule;
#[cfg(test)]
mod tests;
mod uniforms;

pub use self::multilevel::multilevel;

use self::gpu_grid::GpuGrid;
use self::memory::Buffer;
use super::engine::{self, Family};

/// The family of kernels for grids.
#[derive(Clone, Copy)]
struct Grids;

type Kernel = &'static engine::Kernel<Grids>;
type Dispatch = engine::Dispatch<Grids>;

/// How much a dispatch has to do.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))] // nothing is timed in browsers
struct Work {
    items: u64,
    /// Those of its level, and of that and all coarser ones.
    texels: u64,
    small: u64,
    stitches: u64,
    stencils: u64,
}

impl Family for Grids {
    type Buffer = Buffer;
    type Work = Work;
    const KERNELS: &'static [Kernel] = kernels::ALL;
}
