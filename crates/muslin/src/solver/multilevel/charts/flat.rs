//! Charts of a rest shape that is flat: each connected part in its own plane.

use glam::{DVec2, DVec3, dvec2};

use super::patches::Connections;
use super::uvs::checked_area;
use super::{ChartError, Charts};
use crate::cloth::threads::weft_directions;
use crate::mesh::{Topology, TriMesh};

/// Vertices may leave the plane by this share of the part's size: positions are in single precision.
const OUT_OF_PLANE: f64 = 1e-5;

/// The plane of one patch.
#[derive(Clone, Copy, Default)]
struct Plane {
    /// Twice the area times the normal, then the unit normal.
    normal: DVec3,
    weft: DVec3,
    /// Twice the area times the centroid, then the centroid.
    centre: DVec3,
    low: Option<DVec3>,
    high: DVec3,
}

/// The rest shape seen along each part's normal, u along its weft (the rule of `cloth::threads`: the texture
/// coordinates' u, else the x axis, or the z axis where x stands upright on the cloth).
pub(super) fn charts(mesh: &TriMesh, topology: &Topology) -> Result<Charts, ChartError> {
    let connections = Connections::new(mesh, topology, |_, _| true);
    let planes = planes(mesh, &connections);
    let mut uvs = Vec::with_capacity(mesh.triangles.len());
    for triangle in 0..mesh.triangles.len() {
        let Plane { normal, weft, centre, low, high } = planes[connections.patch_of[triangle] as usize];
        let origin = low.unwrap_or_default();
        let corners = mesh.corners(triangle);
        let away = |p: &DVec3| (*p - centre).dot(normal).abs() > OUT_OF_PLANE * (high - origin).length();
        if corners.iter().any(away) {
            return Err(ChartError::NotFlat { triangle });
        }
        let warp = normal.cross(weft);
        let chart: [DVec2; 3] = corners.map(|p| dvec2((p - origin).dot(weft), (p - origin).dot(warp)));
        match checked_area(&chart) {
            None => return Err(ChartError::NoArea { triangle }),
            Some(area) if area < 0.0 => return Err(ChartError::NotFlat { triangle }),
            Some(_) => uvs.push(chart),
        }
    }
    Ok(Charts::assembled(mesh, uvs, connections))
}

/// The plane of each patch: mean normal and mean weft.
fn planes(mesh: &TriMesh, connections: &Connections) -> Vec<Plane> {
    let mut areas = vec![0.0; connections.patch_count];
    let mut planes = vec![Plane::default(); connections.patch_count];
    for (t, weft) in weft_directions(mesh).into_iter().enumerate() {
        let plane = &mut planes[connections.patch_of[t] as usize];
        let [a, b, c] = mesh.corners(t);
        let normal = (b - a).cross(c - a);
        plane.normal += normal;
        plane.weft += weft * normal.length();
        plane.centre += (a + b + c) * (normal.length() / 3.0);
        areas[connections.patch_of[t] as usize] += normal.length();
        for p in [a, b, c] {
            plane.high = plane.low.map_or(p, |_| plane.high.max(p));
            plane.low = Some(plane.low.map_or(p, |low| low.min(p)));
        }
    }
    for (plane, area) in planes.iter_mut().zip(areas) {
        plane.centre /= area;
        plane.normal = plane.normal.normalize_or(DVec3::Z);
        let weft = plane.weft.reject_from(plane.normal);
        plane.weft = weft.normalize_or(plane.normal.any_orthonormal_vector());
    }
    planes
}
