//! What does not change while a cloth moves: its rest shape, masses, material, pins and tethers.
//!
//! A [`Cloth`] is built once by a [`ClothBuilder`], which checks everything a user can get wrong.
//! Inside, vertices are in bisection order; all that users see is in their own numbering.

mod bending_model;
mod builder;
mod curve;
mod fabrics;
mod geodesics;
mod masses;
mod material;
mod pins;
pub(crate) mod tethers;
pub(crate) mod threads;

use std::borrow::Cow;

use glam::{DVec3, Vec2, Vec3};

use crate::bending::constraints::BendingList;
use crate::mesh::reorder::Permutation;
use crate::mesh::{Topology, TriMesh};
use crate::solver::SolverConfig;
use crate::solver::constraint::Enforcement;
use crate::solver::resistance::Resistance;
pub use bending_model::{BendingModel, DihedralBending, Placement, StickBending, Stiffness, TriangleBending};
pub use builder::ClothBuilder;
pub(crate) use builder::check_positions;
pub use curve::{Curve, CurveKey};
pub use fabrics::{FABRICS, Fabric, fabric};
use masses::lumped_masses;
pub use material::{BendingForm, Damping, Material, MaterialError, Stretch};
pub use pins::{Keyframe, Pin, PinMotion};
use tethers::Tethers;

/// Whether particles are tethered to pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum TetherChoice {
    /// Where there are pins and the material does not stretch; in multilevel cloth also where it does, up to its strain
    /// limit. Not where the material, or the solver in its place, says that nothing resists stretch.
    #[default]
    Auto,
    /// Never.
    Off,
    /// Always, to this many groups of pins at the most; in multilevel cloth to two.
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
    pub(crate) tether_choice: TetherChoice,
    /// κ of triangle bending over time, in place of the material's.
    pub(crate) kappa: Option<Curve>,
    /// The volume over time, in parts of that at rest; `None` where it is free.
    pub(crate) pressure: Option<Curve>,
    /// Where the particles start, internal order, from the mesh's origin.
    pub(crate) start: Vec<Vec3>,
    /// The user's triangles, for output.
    pub(crate) user_triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the user's triangles, for output.
    pub(crate) user_uvs: Option<Vec<[Vec2; 3]>>,
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

    /// The texture coordinates of the triangles' corners, if the mesh had any.
    pub fn uvs(&self) -> Option<&[[Vec2; 3]]> {
        self.user_uvs.as_deref()
    }

    /// From where its start and its rest shape are counted, metres: the origin of its mesh.
    pub fn origin(&self) -> DVec3 {
        self.mesh.origin
    }

    /// The rest shape in metres from the origin, in the user's numbering.
    pub fn rest_positions(&self) -> Vec<Vec3> {
        self.permutation.to_old(&self.mesh.positions)
    }

    /// The pins, in the user's numbering, by vertex.
    pub fn pins(&self) -> Vec<Pin> {
        let user = |pin: &Pin| Pin {
            vertex: self.permutation.new_to_old[pin.vertex as usize],
            motion: pin.motion.clone(),
        };
        let mut pins: Vec<Pin> = self.pins.iter().map(user).collect();
        pins.sort_by_key(|pin| pin.vertex);
        pins
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

    /// Tethers for solvers in which they give as much as the material does: so those of elastic cloth too, unless they
    /// were turned off.
    pub(crate) fn tethers_that_give(&self) -> Option<Cow<'_, Tethers>> {
        if let Some(tethers) = &self.tethers {
            return Some(Cow::Borrowed(tethers));
        }
        let wanted = self.tether_choice == TetherChoice::Auto;
        wanted.then(|| self.tethers_to(builder::AUTO_TETHERS)).flatten().map(Cow::Owned)
    }

    /// What follows from material and pins: masses (kg) and tethers.
    pub(crate) fn anew(&self) -> (Vec<f64>, Option<Tethers>) {
        let groups = match self.tether_choice {
            TetherChoice::Off => 0,
            TetherChoice::Nearest(groups) => groups,
            TetherChoice::Auto => match self.material.stretch {
                // What does not resist stretch at all is meant to fall, and would hang on them.
                Stretch::Coefficients { alpha: 0.0, beta: 0.0 } => 0,
                Stretch::Coefficients { .. } => builder::AUTO_TETHERS,
                Stretch::Physical { .. } => 0,
            },
        };
        (lumped_masses(&self.mesh, self.material.density.into()), self.tethers_to(groups))
    }

    /// Tethers to so many groups of pins, if there are any.
    fn tethers_to(&self, groups: u8) -> Option<Tethers> {
        let pinned: Vec<u32> = self.pins.iter().map(|pin| pin.vertex).collect();
        let make = || Tethers::new(&self.rest, &self.mesh.triangles, &self.topology, &pinned, groups.into());
        (groups > 0 && !pinned.is_empty()).then(make)
    }

    /// The tethers under a solver: none that nobody has asked for where the solver is told not to resist stretch.
    pub(crate) fn tethers_under(&self, solver: &SolverConfig) -> Option<&Tethers> {
        let asked_for = self.tether_choice != TetherChoice::Auto;
        self.tethers.as_ref().filter(|_| asked_for || !Resistance::of(solver, &self.material).is_none())
    }

    /// How many tethers hold particles to pins.
    pub fn tether_count(&self) -> usize {
        self.tethers.as_ref().map_or(0, Tethers::len)
    }

    /// How far every bending constraint is from where it should be, if the bending model is made of constraints:
    /// C in metres (triangle, stick) or radians (dihedral), for positions in the user's numbering and the material's κ.
    pub fn bending_errors(&self, positions: &[Vec3]) -> Result<Vec<f32>, crate::Error> {
        check_positions("positions", positions, self.vertex_count())?;
        // How strongly they are enforced does not matter here.
        let any = Enforcement { iterations: 1, dt: 1.0, mean_mass: 1.0 };
        let list = BendingList::new(self, any);
        Ok(list.map_or_else(Vec::new, |list| list.errors(&self.permutation.to_new(positions))))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn what_users_see_is_in_their_numbering() {
        let mut mesh = generate::grid(6, 5, 1.0, 1.0).unwrap();
        let corner = |v: u32| Vec2::new(v as f32, 0.5);
        mesh.uvs = Some(mesh.triangles.iter().map(|corners| corners.map(corner)).collect());
        let motion = PinMotion::Keyframes(vec![Keyframe { time: 0.0, position: DVec3::ONE }]);
        let builder = Cloth::builder(mesh.clone()).pin(7).pin_moving(3, motion.clone());
        let cloth = builder.build().unwrap();
        assert_eq!((cloth.triangles(), cloth.uvs()), (&*mesh.triangles, mesh.uvs.as_deref()));
        assert_eq!(cloth.rest_positions(), mesh.positions);
        let pins = [Pin { vertex: 3, motion }, Pin { vertex: 7, motion: PinMotion::Fixed }];
        assert_eq!(cloth.pins(), pins);
    }
}
