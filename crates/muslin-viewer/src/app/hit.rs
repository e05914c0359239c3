//! Whether a ray meets something that can be taken hold of: a scenery and a ray in, a distance out.
//!
//! The session decides what is grabbed. This only decides, at the moment of a press and without waiting for the session, whether
//! a drag is meant for a thing or for the camera.

use glam::Vec3;

use crate::draw::{Places, Ray, Scenery};

/// How far away along the ray (in lengths of its direction) the first triangle is. Cloth whose positions are on a device is not seen.
pub fn hit(scenery: &Scenery, ray: &Ray) -> Option<f32> {
    let sheets = scenery.sheets.iter().filter_map(|sheet| match &sheet.places {
        Places::Host(places) => nearest(&sheet.triangles, places, ray),
        Places::Device { .. } => None,
    });
    let solids = scenery.solids.iter().filter_map(|solid| {
        // Into the solid's own frame, where its vertices are.
        let back = solid.pose.rotation.inverse();
        let own =
            Ray { origin: back * (ray.origin - solid.pose.translation), direction: back * ray.direction };
        nearest(&solid.triangles, &solid.vertices, &own)
    });
    sheets.chain(solids).min_by(f32::total_cmp)
}

/// Whether any cloth's positions are where [`hit`] cannot see them.
pub fn is_blind(scenery: &Scenery) -> bool {
    scenery.sheets.iter().any(|sheet| matches!(sheet.places, Places::Device { .. }))
}

fn nearest(triangles: &[[u32; 3]], vertices: &[Vec3], ray: &Ray) -> Option<f32> {
    let corners = triangles.iter().filter_map(|triangle| {
        let [a, b, c] = triangle.map(|vertex| vertices.get(vertex as usize).copied());
        Some([a?, b?, c?])
    });
    corners.filter_map(|corners| meets(corners, ray)).min_by(f32::total_cmp)
}

/// Möller and Trumbore's test, for both sides.
fn meets([a, b, c]: [Vec3; 3], ray: &Ray) -> Option<f32> {
    let (one, two) = (b - a, c - a);
    let across = ray.direction.cross(two);
    let volume = one.dot(across);
    let from = ray.origin - a;
    let u = from.dot(across) / volume;
    let other = from.cross(one);
    let v = ray.direction.dot(other) / volume;
    let distance = two.dot(other) / volume;
    // A triangle seen from its edge has no volume: all of these are no numbers then, and no comparison holds.
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_triangle_of_both_sides_is_met_and_what_is_behind_is_not() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.0, 0.0, -1.0), Vec3::new(1.0, 0.0, -1.0)];
        let triangles = [[0, 1, 2], [3, 4, 2]];
        let from = Vec3::new(0.2, 0.2, 3.0);
        let ray = Ray { origin: from, direction: Vec3::NEG_Z };
        assert_eq!(nearest(&triangles, &square, &ray), Some(3.0));
        assert_eq!(nearest(&[[2, 1, 0]], &square, &ray), Some(3.0));
        assert_eq!(nearest(&triangles, &square, &Ray { origin: from, direction: Vec3::Z }), None);
        assert_eq!(nearest(&[[0, 0, 1]], &square, &ray), None);
        assert_eq!(nearest(&[[0, 1, 9]], &square, &ray), None);
    }
}
