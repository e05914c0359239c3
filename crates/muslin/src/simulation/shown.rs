//! What is to be shown of a cloth: its own mesh, or the fine one of multilevel cloth.

use glam::{DVec3, Vec2, Vec3};

use super::Simulation;
use crate::Error;
use crate::origin::moved;
use crate::solver::Finer;
use crate::solver::multilevel::GridLayout;

/// The mesh to be shown. Its first vertices are the cloth's own, in the user's numbering.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShownMesh<'a> {
    /// Three vertices each.
    pub triangles: &'a [[u32; 3]],
    /// Texture coordinates of their corners.
    pub uvs: Option<&'a [[Vec2; 3]]>,
    /// How many vertices there are.
    pub vertices: usize,
}

impl Simulation {
    /// The finer cloth that is shown and measured in place of the mesh, if there is one.
    pub(super) fn finer(&self) -> Option<&dyn Finer> {
        self.solver.as_ref()?.finer()
    }

    /// The mesh to be shown: of multilevel cloth a fine one, which is read from its grid.
    pub fn shown_mesh(&self) -> ShownMesh<'_> {
        match self.finer() {
            Some(finer) => finer.shown_mesh(),
            None => ShownMesh {
                triangles: self.cloth.triangles(),
                uvs: self.cloth.uvs(),
                vertices: self.cloth.vertex_count(),
            },
        }
    }

    /// Where the vertices of [`Simulation::shown_mesh`] are in the world, metres; far from zero
    /// [`Simulation::shown_places`] says it better.
    pub fn shown_positions(&self) -> Result<Vec<Vec3>, Error> {
        let mut positions = self.shown_positions_inside()?;
        positions.iter_mut().for_each(|position| *position = moved(*position, -self.state.origin));
        Ok(positions)
    }

    /// The same in double precision.
    pub fn shown_places(&self) -> Result<Vec<DVec3>, Error> {
        let place = |position: Vec3| self.state.origin + position.as_dvec3();
        Ok(self.shown_positions_inside()?.into_iter().map(place).collect())
    }

    /// From the origin.
    fn shown_positions_inside(&self) -> Result<Vec<Vec3>, Error> {
        match self.finer() {
            Some(finer) => finer.shown_positions(),
            None => Ok(self.positions_from(self.state.origin)),
        }
    }

    /// The widest gap between the two sides of a seam, metres; `None` for cloth without a grid.
    pub fn seam_gap(&self) -> Option<f64> {
        self.finer()?.seam_gap()
    }

    /// The largest stretch along a thread of a grid after the last substep, as a fraction; compression does not count.
    /// `None` for cloth without a grid.
    pub fn thread_stretch(&self) -> Option<f64> {
        Some(self.finer()?.thread_stretch())
    }

    /// Lets the grid of multilevel cloth take a step by itself and measures the time of each kernel, after sampling
    /// nothing: where the time of a step goes. The coarse mesh does not follow until the next step. `None` for other
    /// cloth, on the CPU, and if the device has no timestamps.
    #[cfg(all(feature = "gpu", not(target_arch = "wasm32")))]
    pub fn grid_profile(&mut self) -> Result<Option<crate::gpu::Profile>, Error> {
        let Self { solver, state, .. } = self;
        solver.as_mut().map_or(Ok(None), |solver| solver.profile(state))
    }

    /// The grid of multilevel cloth; `None` for all other.
    pub fn grid_layout(&self) -> Option<&GridLayout> {
        Some(self.finer()?.layout())
    }
}
