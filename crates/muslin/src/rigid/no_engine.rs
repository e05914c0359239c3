//! What stands in for the engine where Muslin is built without the feature `rigid-bodies`: refusals.

use glam::{DVec3, Vec3};

use super::body::MovingBody;
use super::description::RigidShape;
use super::free_flight::fly;
use super::state::BodyState;
use crate::collision::Collider;
use crate::mesh::TriMesh;

const MISSING: &str = "Muslin was built without rigid bodies; build it with --features rigid-bodies";

/// No shape.
#[derive(Clone, Debug)]
pub(super) struct BodyShape;

impl BodyShape {
    pub fn new(_: &RigidShape, _: &[DVec3], _: &[[u32; 3]]) -> Result<Self, String> {
        Err(MISSING.into())
    }
}

pub(super) fn convex_hull(_: &[Vec3]) -> Result<TriMesh, String> {
    Err(MISSING.into())
}

/// No engine.
#[derive(Debug, Default)]
pub(crate) struct Engine {}

impl Engine {
    pub fn add_obstacle(&mut self, _: &Collider) -> Result<(), crate::Error> {
        Ok(())
    }

    pub fn remove_obstacle(&mut self, _: usize) {}

    pub fn advance(
        &mut self,
        bodies: &mut [MovingBody],
        gravity: Vec3,
        [start, end]: [f64; 2],
        _: &[Collider],
    ) {
        for body in bodies {
            let velocity = body.state.velocity + gravity.as_dvec3() * (end - start);
            body.end = fly(body, &BodyState { velocity, ..body.state }, end - start);
        }
    }
}
