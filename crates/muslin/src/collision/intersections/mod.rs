//! The yardstick: what passes through what, in a state that claims to be free of it.
//!
//! Positions and triangles → pairs of triangles that intersect, and what is inside of planes, balls,
//! capsules and closed meshes. It shares nothing with collision detection but the tree of boxes, and
//! whether triangles meet is decided by exact arithmetic: no tolerance hides or invents an intersection.
//! Touching counts. Positions have to be finite; a triangle with NaN or infinity intersects nothing.

mod distances;
mod exact;
mod inside;
mod neighbours;
#[cfg(test)]
mod tests;

pub use distances::{beyond_plane, within_capsule, within_sphere};
use exact::{corners_meet, widen};
use glam::Vec3;
pub use inside::inside_closed_mesh;
use neighbours::Face;

use crate::collision::detect::bvh::{Aabb, Bvh, MovingBox, Overlaps};
use crate::execution::Execution;

/// The pairs of triangles of one mesh that intersect, the smaller index first, sorted.
///
/// Triangles with a common edge do if they are folded flat upon each other, triangles with a common
/// vertex if they meet anywhere else. Triangles with the same three vertices do not: that is a defect
/// of the mesh, which [`validate`](crate::mesh::validate::validate) finds, not of the motion.
///
/// # Panics
/// If a triangle names a vertex that does not exist.
pub fn self_intersections(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    find_within(positions, triangles, None).pairs
}

/// As [`self_intersections`], unless so many triangles lie at one place that it would take very long: `None` if more than
/// `most` pairs of triangles have boxes that overlap. In sound meshes some ten pairs per triangle do.
///
/// # Panics
/// If a triangle names a vertex that does not exist.
pub fn self_intersections_among(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    most: usize,
) -> Option<Vec<[u32; 2]>> {
    let found = find_within(positions, triangles, Some(most));
    (!found.gave_up).then_some(found.pairs)
}

fn find_within(positions: &[Vec3], triangles: &[[u32; 3]], most: Option<usize>) -> Overlaps {
    let face = |t: u32| {
        let vertices = triangles[t as usize];
        Face { vertices, corners: widen(vertices.map(|v| positions[v as usize])) }
    };
    let mut overlaps = Overlaps::default();
    overlaps.most = most;
    let intersects = |a, b| face(a).meets(&face(b));
    tree_of(positions, triangles).overlaps_within(Execution::default(), intersects, &mut overlaps);
    overlaps.pairs.sort_unstable();
    overlaps
}

/// The pairs of triangles (one of each mesh) that intersect, sorted.
///
/// # Panics
/// If a triangle names a vertex that does not exist.
pub fn intersections_between(
    a_positions: &[Vec3],
    a_triangles: &[[u32; 3]],
    b_positions: &[Vec3],
    b_triangles: &[[u32; 3]],
) -> Vec<[u32; 2]> {
    let corners = |positions: &[Vec3], triangle: [u32; 3]| widen(triangle.map(|v| positions[v as usize]));
    let intersects = |a: u32, b: u32| {
        corners_meet(
            corners(a_positions, a_triangles[a as usize]),
            corners(b_positions, b_triangles[b as usize]),
        )
    };
    let (a_tree, b_tree) = (tree_of(a_positions, a_triangles), tree_of(b_positions, b_triangles));
    let mut overlaps = Overlaps::default();
    a_tree.overlaps_with(&b_tree, Execution::default(), intersects, &mut overlaps);
    overlaps.pairs.sort_unstable();
    overlaps.pairs
}

/// A tree over triangles.
fn tree_of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Bvh {
    let box_of = |t: &[u32; 3]| MovingBox::still(box_of(t.map(|v| positions[v as usize])));
    Bvh::new(&triangles.iter().map(box_of).collect::<Vec<_>>())
}

/// The box around three corners; one that overlaps nothing if they are not finite.
fn box_of(corners: [Vec3; 3]) -> Aabb {
    if corners.iter().all(|corner| corner.is_finite()) { Aabb::of_points(corners) } else { NOWHERE }
}

/// Unlike the empty box it does not overlap an infinite one either.
const NOWHERE: Aabb = Aabb { min: glam::Vec4::NAN, max: glam::Vec4::NAN };
