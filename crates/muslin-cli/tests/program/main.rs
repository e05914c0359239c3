//! The program as its users start it.

mod cli;
mod divergence;
mod faults;
#[cfg(feature = "gpu")]
mod gpu;
mod resume;
mod run;
#[cfg(feature = "rigid-bodies")]
mod run_bodies;
mod run_far;
mod run_multilevel;
mod run_world;
mod start;
