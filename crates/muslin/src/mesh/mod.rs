//! Triangle meshes: data, topology, checks, repair, generators and cache-friendly order.
//!
//! A mesh enters as [`TriMesh`] (from a file or from [`generate`]), is looked over by
//! [`validate`](validate::validate), if need be mended by [`repair`](repair::repair), and gives
//! its [`Topology`] to everything that follows.

pub mod generate;
pub(crate) mod pieces;
pub(crate) mod quads;
pub mod reorder;
pub mod repair;
mod topology;
mod tri_mesh;
pub mod validate;
mod vertex_uvs;

pub use topology::{Hinge, Topology};
pub use tri_mesh::{MeshError, TriMesh};
pub use vertex_uvs::VertexUvs;
