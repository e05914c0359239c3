//! Laws that hold for every solver × fabric × mesh × substeps × levels × back end.
//!
//! The test run samples that product, always the same; `cargo xtask laws` tries the whole of it.

mod case;
mod chain;
mod meshes;
mod motion;
mod open;
mod product;
mod scene;

mod conservation;
mod fall;
mod floor;
mod rest;
mod symmetry;
