//! The GPU: one engine in wgpu and WGSL, and families of kernels on it.
//!
//! - `engine`: devices, memory, kernels, dispatches, timing, copies back; it knows no cloth
//! - `mesh`: shape matching and position-based dynamics, as a [`GpuSimulation`]
//! - `grid`: the particles of multilevel cloth, behind [`multilevel`]
//!
//! A [`GpuSimulation`] holds a cloth on a [`Gpu`]. Steps are queued, many in one command buffer, and the
//! state stays on the device until it is asked for.
//!
//! # Another family
//!
//! It is a folder beside `mesh` and `grid`, and the engine stays as it is:
//! 1. An enum that names its buffers, and a function that makes and fills them (`memory.rs`).
//! 2. A table of kernels (`kernels.rs`): name, WGSL sources, who calls it, uniform, bindings, bytes it must move. One file per
//!    kernel below `shaders/`, with the name of its twin on the CPU where there is one. No two files of any families have the
//!    same name; what two need stands in `engine/shaders/`.
//! 3. Its schedule (`schedule.rs`): the step as a list of dispatches.
//! 4. `impl Family`, and an `Engine` that runs the schedule.
//!
//! Its tests call `engine::tests`, which hold the table against the shaders. `engine/bandwidth.rs` is all of this on one page.

mod engine;
mod grid;
mod mesh;

pub use engine::{Gpu, GpuError, GpuOptions};
#[cfg(not(target_arch = "wasm32"))]
pub use engine::{KernelTime, Profile};
pub use grid::multilevel;
pub(crate) use mesh::DeviceCloth;
pub use mesh::{DevicePositions, GpuReport, GpuSimulation};
/// The version of `wgpu` that devices, queues and buffers of here are of.
pub use wgpu;
