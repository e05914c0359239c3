//! What comes near what: from the points of a step to contacts and impacts.
//!
//! 1. [`bvh`]: boxes around what moves, in a tree per body;
//! 2. `broad_phase`: whose boxes overlap, and are not `apart` along some direction, nor neighbours in a flat part of
//!    a cloth (`flat_stars`): `pairs` of features;
//! 3. `narrow`: how near these are at the start, which become contacts, and by [`ccd`] which meet during the step: impacts;
//! 4. `planes`: both for planes, which have no boxes.

mod apart;
pub(super) mod broad_phase;
pub(super) mod bvh;
pub mod ccd;
pub(super) mod flat_stars;
pub(super) mod narrow;
pub(super) mod pairs;
pub(super) mod planes;
