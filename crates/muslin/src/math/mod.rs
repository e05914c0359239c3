//! Small mathematics shared by the stages: sparse rows, vector lanes, small vectors of lanes.

pub mod csr;
pub(crate) mod lanes;
pub(crate) mod vec3;
