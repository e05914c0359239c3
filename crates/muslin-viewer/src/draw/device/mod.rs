//! What the renderer keeps on the device: pipelines, surfaces, targets.

pub mod image;
pub mod kept;
pub mod layouts;
pub mod marks;
pub mod pipelines;
pub mod rows;
pub mod shape;
pub mod surface;
pub mod surfaces;
pub mod targets;
