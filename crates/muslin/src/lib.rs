//! Muslin simulates cloth: stiff, stable at every step size, and the same bits for any number of
//! threads.
//!
//! A [`Cloth`](cloth::Cloth) is a mesh with a material, pins and tethers; a [`Simulation`] moves it;
//! [`Simulation::step`] is one frame, in substeps.
//!
//! ```
//! use muslin::{Settings, Simulation, cloth::Cloth, mesh::generate};
//!
//! // A square of 1 m, held at its two upper corners.
//! let mesh = generate::grid(30, 30, 1.0, 1.0)?;
//! let (left, right) = (mesh.groups["top"][0], mesh.groups["top"][30]);
//! let cloth = Cloth::builder(mesh).pin(left).pin(right).build()?;
//!
//! let mut simulation = Simulation::new(cloth, Settings::default())?;
//! for _ in 0..120 {
//!     simulation.step()?;
//! }
//! assert!(simulation.strain().average < 0.002);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Units are metres, kilograms, seconds and radians; densities are in kg/m², y is up.
//!
//! Modules stand in the order in which data flows: a [`mesh`] gets a [`hierarchy`] of coarser ones,
//! becomes a [`cloth`] with a [`state`], feels [`forces`], is kept together by a [`solver`], and is
//! measured by [`diagnostics`].

#![cfg_attr(doctest, doc = include_str!("../../../README.md"))]

pub mod math;
pub mod mesh;

pub mod hierarchy;

pub mod cloth;
pub mod state;

pub(crate) mod bending;
pub(crate) mod damping;
pub mod forces;
pub mod solver;
pub(crate) mod volume;

pub mod collision;
pub mod rigid;

pub mod origin;
mod simulation;
mod step;
mod world;

#[cfg(feature = "gpu")]
pub mod gpu;

pub mod diagnostics;
mod error;
mod execution;
mod feature;

pub use bending::explicit::UnstableBending;
pub use error::Error;
pub use execution::{Instructions, Threads};
pub use feature::Feature;
pub use glam;
pub use simulation::{Hold, HoldId, Settings, ShownMesh, Simulation, StepReport};
pub use world::{
    Anchor, AttachmentId, BodyId, ClothId, ColliderId, Elements, Event, FixedStep, Handle, Intersection,
    IntersectionReport, Strength, Touch, World, WorldBuilder, WorldReport, WorldState,
};
