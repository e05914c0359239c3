//! What does not change while a cloth moves: its rest shape, masses, material, pins and tethers.
//!
//! A [`Cloth`] is built once by a [`ClothBuilder`], which checks everything a user can get wrong.
//! Inside, vertices are in bisection order; all that users see is in their own numbering.

mod builder;
mod fabrics;
mod geodesics;
mod masses;
mod material;
mod pins;
pub(crate) mod tethers;
pub(crate) mod threads;

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

use crate::mesh::reorder::Permutation;
use crate::mesh::{Topology, TriMesh};
pub use builder::ClothBuilder;
pub(crate) use builder::check_positions;
pub use fabrics::{FABRICS, Fabric, fabric};
pub use material::{BendingForm, Damping, Material, MaterialError, Stretch};
pub use pins::{Keyframe, Pin, PinMotion};
use tethers::Tethers;

/// Whether particles are tethered to pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TetherChoice {
    /// Where there are pins and the material does not stretch.
    #[default]
    Auto,
    /// Never.
    Off,
    /// Always, to this many groups of pins at the most.
    Nearest(u8),
}

/// A piece of cloth, ready to be simulated.
#[derive(Clone, Debug)]
pub struct Cloth {
    /// Rest mesh in internal order.
    pub(crate) mesh: TriMesh,
    pub(crate) permutation: Permutation,
    pub(crate) topology: Topology,
    pub(crate) rest: Vec<DVec3>,
    /// kg, pinned particles too.
    pub(crate) masses: Vec<f64>,
    pub(crate) material: Material,
    /// Sorted by (internal) vertex.
    pub(crate) pins: Vec<Pin>,
    pub(crate) tethers: Option<Tethers>,
    /// Where the particles start, internal order.
    pub(crate) start: Vec<Vec3>,
    /// The user's triangles, for output.
    pub(crate) user_triangles: Vec<[u32; 3]>,
}

impl Cloth {
    /// Starts to build a cloth whose rest shape is a mesh.
    pub fn builder(mesh: TriMesh) -> ClothBuilder {
        ClothBuilder::new(mesh)
    }

    /// How many particles there are.
    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// The triangles, in the user's numbering.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.user_triangles
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The mass of all particles, kg.
    pub fn total_mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    /// The masses of the particles in kg, in the user's numbering.
    pub fn masses(&self) -> Vec<f64> {
        self.permutation.to_old(&self.masses)
    }

    /// How many tethers hold particles to pins.
    pub fn tether_count(&self) -> usize {
        self.tethers.as_ref().map_or(0, Tethers::len)
    }

    /// The vertices that are held, in the user's numbering and no particular order.
    pub fn pinned_vertices(&self) -> impl Iterator<Item = u32> {
        self.pins.iter().map(|pin| self.permutation.new_to_old[pin.vertex as usize])
    }

    /// For each (internal) vertex whether it is pinned.
    pub(crate) fn fixed(&self) -> Vec<bool> {
        let mut fixed = vec![false; self.rest.len()];
        for pin in &self.pins {
            fixed[pin.vertex as usize] = true;
        }
        fixed
    }
}
