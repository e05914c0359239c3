//! A cloth as collisions see it: triangles with a surface and a weight.

use glam::Vec3;

use super::body::Body;
use super::surface::{Side, Surface};
use crate::collision::detect::flat_stars::FlatStars;
use crate::mesh::Topology;

/// A mesh of cloth that collides.
#[derive(Clone, Debug)]
pub(crate) struct Sheet<'a> {
    /// For messages and for values of pairs.
    pub name: &'a str,
    /// As it was given, metres.
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    pub topology: &'a Topology,
    /// The rest shape, metres.
    pub rest: Vec<Vec3>,
    pub surface: Surface,
    /// kg/m².
    pub density: f64,
}

impl Sheet<'_> {
    /// As a body whose points have numbers from `first` on.
    pub fn body(&self, first: u32) -> Body {
        let Self { name, positions, triangles, topology, surface, .. } = *self;
        let side = Side { surface, offset: 0.5 * surface.thickness, radius: 0.0 };
        let mut body = Body::of_triangles(name, first, positions.len(), triangles, topology, true, side);
        body.density = self.density;
        body.point_primitives = topology.vertex_triangles.clone();
        body.stars = FlatStars::new(positions, triangles, &topology.vertex_triangles);
        body
    }
}
