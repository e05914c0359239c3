//! The triangle of a coarse level nearest to a fine vertex, found by walking over the surface.
//!
//! The walk starts at the coarse vertex into which the fine one was collapsed and goes from
//! triangle to triangle inside a ball around the fine vertex. So it never leaves the component,
//! nor jumps to another layer of a garment that happens to lie closer: nearest in space, as
//! [Bender2013] §4.3 has it, would tie the front of a folded shirt to its back. Of the triangles
//! in reach those that face the other way are taken only if there is no other, which keeps the
//! two sides of a hem apart.

use glam::DVec3;

use crate::math::csr::Csr;
use crate::math::proximity::{ClosestPoint, closest_in_triangle};

/// Radius of the ball relative to the distance between the fine vertex and the start. With 1 the
/// ball holds the nearest triangle and, on a flat surface, the way there; curved surfaces need a
/// little more.
const REACH: f64 = 1.5;

/// The walk looks at no more triangles than this. Thirty are usual; thousands come from a vertex
/// with as many triangles, near which each of its neighbours would look at all of them.
const LARGEST_WALK: usize = 1000;

/// A level to search on.
pub(super) struct SurfaceSearch<'a> {
    positions: &'a [DVec3],
    triangles: &'a [[u32; 3]],
    vertex_triangles: Csr,
    /// For each triangle the number of the last search that saw it.
    seen: Vec<u32>,
    searches: u32,
    queue: Vec<u32>,
}

impl<'a> SurfaceSearch<'a> {
    /// Prepares a level.
    pub(super) fn new(positions: &'a [DVec3], triangles: &'a [[u32; 3]]) -> Self {
        let corners = triangles.iter().enumerate().flat_map(|(t, vs)| vs.iter().map(move |&v| (v, t as u32)));
        Self {
            positions,
            triangles,
            vertex_triangles: Csr::from_pairs(positions.len(), corners),
            seen: vec![0; triangles.len()],
            searches: 0,
            queue: Vec::new(),
        }
    }

    /// The triangle nearest to `point` as reached from the vertex `start`, and the nearest point
    /// in it; `None` if `start` has no triangle. `normal` is that of the fine surface.
    pub(super) fn nearest(&mut self, point: DVec3, normal: DVec3, start: u32) -> Option<(u32, ClosestPoint)> {
        self.searches += 1;
        self.queue.clear();
        self.visit_around(start);
        let start_sq = point.distance_squared(self.positions[start as usize]);
        let (reach_sq, negligible_sq) = (REACH * REACH * start_sq, 1e-18 * start_sq);
        let mut best: [Option<(u32, ClosestPoint)>; 2] = [None; 2];
        let mut next = 0;
        while let Some(&triangle) = self.queue.get(next) {
            next += 1;
            let corners = self.triangles[triangle as usize].map(|v| self.positions[v as usize]);
            let found = closest_in_triangle(point, corners);
            let away = (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(normal) < 0.0;
            let nearest = &mut best[usize::from(away)];
            if nearest.is_none_or(|(_, held)| found.distance_sq < held.distance_sq) {
                *nearest = Some((triangle, found));
                if !away && found.distance_sq <= negligible_sq {
                    break;
                }
            }
            if found.distance_sq <= reach_sq {
                self.triangles[triangle as usize].into_iter().for_each(|v| self.visit_around(v));
            }
        }
        best[0].or(best[1])
    }

    /// Queues the triangles of a vertex that the search has not seen yet.
    fn visit_around(&mut self, vertex: u32) {
        for &triangle in self.vertex_triangles.row(vertex as usize) {
            if self.queue.len() == LARGEST_WALK {
                return;
            }
            let seen = &mut self.seen[triangle as usize];
            if *seen != self.searches {
                *seen = self.searches;
                self.queue.push(triangle);
            }
        }
    }
}

/// A normal per vertex: the sum of those of its triangles, weighted by area, not normalised.
pub(crate) fn vertex_normals(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|v| positions[v as usize]);
        let normal = (b - a).cross(c - a);
        corners.iter().for_each(|&v| normals[v as usize] += normal);
    }
    normals
}
