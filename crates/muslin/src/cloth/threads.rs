//! The thread directions of a cloth: which way its weft runs.

use glam::{DVec2, DVec3};

use crate::mesh::TriMesh;

/// For each triangle the direction of the weft in the rest shape, a unit vector in its plane.
///
/// With texture coordinates it is the direction in which u grows. Without, it is the x axis laid
/// into the triangle, or the z axis where x stands upright on it.
pub(crate) fn weft_directions(mesh: &TriMesh) -> Vec<DVec3> {
    let direction = |t: usize| {
        let [a, b, c] = mesh.corners(t);
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
        let from_uvs =
            mesh.uvs.as_ref().and_then(|uvs| growth_of_u(b - a, c - a, uvs[t].map(|uv| uv.as_dvec2())));
        let chosen = from_uvs.unwrap_or(if normal.x.abs() < 0.9 { DVec3::X } else { DVec3::Z });
        chosen.reject_from(normal).normalize_or((b - a).normalize_or(DVec3::X))
    };
    (0..mesh.triangles.len()).map(direction).collect()
}

/// The tangent ∂x/∂u of the map from texture coordinates to the triangle with edges e1, e2.
fn growth_of_u(e1: DVec3, e2: DVec3, [a, b, c]: [DVec2; 3]) -> Option<DVec3> {
    let (s, t) = (b - a, c - a);
    let area = s.perp_dot(t);
    let tangent = (e1 * t.y - e2 * s.y) / area;
    (tangent.is_finite() && tangent.length_squared() > 0.0).then_some(tangent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, Vec3};

    #[test]
    fn the_weft_follows_u_and_falls_back_to_x() {
        let mut mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
        assert!((weft_directions(&mesh)[0] - DVec3::X).length() < 1e-12);
        mesh.uvs = Some(vec![[Vec2::ZERO, Vec2::Y, Vec2::NEG_X]]);
        assert!((weft_directions(&mesh)[0] - DVec3::NEG_Y).length() < 1e-12);
        mesh.uvs = Some(vec![[Vec2::ZERO; 3]]);
        assert!((weft_directions(&mesh)[0] - DVec3::X).length() < 1e-12);
    }
}
