//! What neighbours on a level ask of each other.
//!
//! - `rest`: how far apart they are at rest
//! - `relax`: distances, averaged or one set after the other
//! - `elastic`: springs of a measured stiffness
//! - `bend`: bending along threads
//! - `measure`: how far threads are strained

pub(crate) mod bend;
pub(crate) mod elastic;
pub(crate) mod measure;
pub(crate) mod relax;
pub(crate) mod rest;
