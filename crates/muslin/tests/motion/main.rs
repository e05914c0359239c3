//! How cloth moves: solvers, materials, damping, what must be kept. One program for many files: each program links the
//! whole library.

mod conservation;
mod curved_rest;
mod damping;
mod determinism;
mod driven;
mod far_away;
mod gpu;
mod gpu_driven;
mod gpu_world;
mod grid_motion;
mod hierarchy_properties;
mod impulses;
mod input_errors;
mod materials;
mod mesh_properties;
mod multilevel;
mod position_based;
mod stability;
mod strain;
mod wrinkles;
