//! Muslin: cloth simulation.
#![doc = ""]
// Modules in the order in which data flows through a step.
pub mod math;
pub mod mesh;
pub mod hierarchy;
pub mod cloth;
pub mod state;
pub mod forces;
pub(crate) mod bending;
pub mod solver;
pub(crate) mod damping;
mod step;
pub mod diagnostics;
mod error;
mod execution;
mod simulation;

pub use error::Error;
pub use execution::Instructions;
pub use simulation::{Settings, Simulation, StepReport};
