//! Figures about a simulation: strain, energy, time, and a fingerprint of the state.

pub mod energy;
pub mod overstretch;
pub mod state_hash;
pub mod strain;
pub mod timings;
