//! A body as the collision stage sees it: points, edges and faces, in a box hierarchy.
//!
//! Input: a mesh, or the one point of a sphere or the two of a capsule. Output: primitives, each of
//! which owns some of its vertices and edges, so that a pair of primitives is turned into pairs of
//! features without any duplicate ([Curtis 2008], representative triangles).
//!
//! Round colliders need no code of their own: a sphere is a point and a capsule an edge from which
//! everything has to keep a distance.

use std::ops::Range;

use super::surface::Side;
use crate::collision::detect::bvh::Bvh;
use crate::collision::detect::flat_stars::FlatStars;
use crate::math::csr::Csr;
use crate::mesh::Topology;

/// A triangle, or less.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Primitive {
    /// Points, numbered over all bodies; an edge repeats its second, a point is all three.
    pub corners: [u32; 3],
    /// Bit k: corner k is examined with this primitive.
    pub own_corners: u8,
    /// Bit k: the edge from corner k to the next is examined with this primitive.
    pub own_edges: u8,
    /// Whether there is a face between the corners.
    pub face: bool,
}

impl Primitive {
    /// The corners that this primitive owns.
    pub fn points(&self) -> impl Iterator<Item = u32> + use<> {
        let Self { corners, own_corners, .. } = *self;
        (0..3).filter(move |k| own_corners >> k & 1 == 1).map(move |k| corners[k])
    }

    /// The edges that this primitive owns.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + use<> {
        let Self { corners, own_edges, .. } = *self;
        (0..3).filter(move |k| own_edges >> k & 1 == 1).map(move |k| [corners[k], corners[(k + 1) % 3]])
    }
}

/// A cloth or a collider.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// For messages and for values of pairs.
    pub name: String,
    /// Its points among those of all bodies.
    pub points: Range<u32>,
    /// Whether it is cloth: only cloth yields, and only cloth collides with itself.
    pub is_cloth: bool,
    pub side: Side,
    /// How far boxes reach beyond the points (and the radius), metres: half the largest gap to any body.
    pub reach: f32,
    /// Density of cloth, kg/m²; infinite for colliders.
    pub density: f64,
    pub primitives: Vec<Primitive>,
    pub bvh: Bvh,
    /// For cloth: which neighbours need no test.
    pub stars: FlatStars,
    /// For cloth and meshes: the primitives of each of its points.
    pub point_primitives: Csr,
}

impl Body {
    /// Its points as indices into arrays over all points.
    pub fn range(&self) -> Range<usize> {
        self.points.start as usize..self.points.end as usize
    }

    /// A body of triangles over `vertices` points, the first of which is `first`.
    pub fn of_triangles(
        name: &str,
        first: u32,
        vertices: usize,
        triangles: &[[u32; 3]],
        topology: &Topology,
        is_cloth: bool,
        side: Side,
    ) -> Self {
        let mut point_taken = vec![false; vertices];
        let mut edge_taken = vec![false; topology.edges.len()];
        let take = |taken: &mut Vec<bool>, i: u32| !std::mem::replace(&mut taken[i as usize], true);
        let primitives = triangles.iter().zip(&topology.triangle_edges).map(|(corners, edges)| {
            let mut primitive =
                Primitive { corners: corners.map(|v| first + v), own_corners: 0, own_edges: 0, face: true };
            for k in 0..3 {
                primitive.own_corners |= u8::from(take(&mut point_taken, corners[k])) << k;
                let is_edge = corners[k] != corners[(k + 1) % 3];
                primitive.own_edges |= u8::from(is_edge && take(&mut edge_taken, edges[k])) << k;
            }
            primitive
        });
        Self::new(name, first..first + vertices as u32, primitives.collect(), is_cloth, side)
    }

    /// The one point of a sphere or the two of a capsule.
    pub fn round(name: &str, points: Range<u32>, side: Side) -> Self {
        let (first, last) = (points.start, points.end - 1);
        let edge = first != last;
        let primitive = Primitive {
            corners: [first, last, last],
            own_corners: if edge { 0b011 } else { 0b001 },
            own_edges: u8::from(edge),
            face: false,
        };
        let mut body = Self::new(name, points, vec![primitive], false, side);
        body.point_primitives =
            Csr::from_pairs((last - first + 1) as usize, (0..=last - first).map(|p| (p, 0)));
        body
    }

    /// No primitives: a plane, which is handled apart.
    pub fn empty(name: &str, points: Range<u32>, side: Side) -> Self {
        Self::new(name, points, Vec::new(), false, side)
    }

    fn new(name: &str, points: Range<u32>, primitives: Vec<Primitive>, is_cloth: bool, side: Side) -> Self {
        Self {
            name: name.to_owned(),
            points,
            is_cloth,
            side,
            reach: side.offset,
            density: f64::INFINITY,
            primitives,
            bvh: Bvh::default(),
            stars: FlatStars::default(),
            point_primitives: Csr::default(),
        }
    }
}
