//! Meshes of several resolutions for the multi-resolution solver (\[Bender2013\] §4.3).
//!
//! In the order of the work: [`HierarchyOptions`] say what is wanted; `decimate` makes a coarser
//! mesh of a finer one, vertex by vertex, choosing with `collapse` on the connectivity kept by
//! `working_mesh`; `transfer` relates the two, finding with `surface_search` where each fine
//! vertex lies; [`build`] in `levels` repeats that into a [`Hierarchy`]; [`quality()`] measures it.
//!
//! Everything runs once, before the simulation, in double precision, and depends on the input
//! alone. A million triangles in six levels take some seconds.

mod collapse;
mod decimate;
mod fans;
mod levels;
mod options;
mod order;
mod quality;
mod surface_search;
mod transfer;
mod working_mesh;

pub use levels::{Hierarchy, Level, build};
pub use options::{HierarchyError, HierarchyOptions, Nesting};
pub use quality::{LevelQuality, quality};
pub(crate) use surface_search::vertex_normals;
pub use transfer::{Interpolation, Transfer};

#[cfg(test)]
mod level_tests;
#[cfg(test)]
mod test_meshes;
#[cfg(test)]
mod transfer_tests;
