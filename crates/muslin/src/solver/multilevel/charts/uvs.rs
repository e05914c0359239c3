//! Charts that the mesh brings along: its texture coordinates, in metres of cloth.

use glam::{DVec2, dvec2};

use super::patches::Connections;
use super::{ChartError, Charts};
use crate::mesh::{Topology, TriMesh};

/// Texture coordinates of two triangles are the same within this share of the size of all.
const SAME: f64 = 1e-6;

/// A triangle has an area if it is larger than this share of its longest side squared.
const NO_AREA: f64 = 1e-7;

/// The texture coordinates as charts. A panel that is mirrored as a whole (drawn from the other side of the cloth) is
/// turned round by u → −u: its weft and its warp stay what they are.
pub(super) fn charts(mesh: &TriMesh, topology: &Topology) -> Result<Charts, ChartError> {
    let connections = connections(mesh, topology)?;
    let given = mesh.uvs.as_ref().ok_or(ChartError::NoUvs)?;
    let mut uvs: Vec<[DVec2; 3]> = given.iter().map(|corners| corners.map(|uv| uv.as_dvec2())).collect();
    let mut areas = vec![0.0; connections.patch_count];
    for (triangle, corners) in uvs.iter().enumerate() {
        let area = checked_area(corners).ok_or(ChartError::NoArea { triangle })?;
        areas[connections.patch_of[triangle] as usize] += area;
    }
    for (triangle, corners) in uvs.iter_mut().enumerate() {
        let area = checked_area(corners).ok_or(ChartError::NoArea { triangle })?;
        let patch = areas[connections.patch_of[triangle] as usize];
        if (area > 0.0) != (patch > 0.0) {
            return Err(ChartError::Mirrored { triangle });
        }
        if patch < 0.0 {
            *corners = corners.map(|uv| dvec2(-uv.x, uv.y));
        }
    }
    Ok(Charts::assembled(mesh, uvs, connections))
}

/// How triangles hang together over edges that have the same texture coordinates on both sides.
pub(super) fn connections(mesh: &TriMesh, topology: &Topology) -> Result<Connections, ChartError> {
    let uvs = mesh.uvs.as_ref().ok_or(ChartError::NoUvs)?;
    if let Some(triangle) = uvs.iter().position(|corners| !corners.iter().all(|uv| uv.is_finite())) {
        return Err(ChartError::NotFinite { triangle });
    }
    let all = uvs.iter().flatten().map(|uv| uv.as_dvec2());
    let low = all.clone().fold(DVec2::INFINITY, DVec2::min);
    let high = all.fold(DVec2::NEG_INFINITY, DVec2::max);
    let near = SAME * (high - low).length();
    let at = |(t, k): (usize, usize)| uvs[t][k].as_dvec2();
    Ok(Connections::new(mesh, topology, |a, b| at(a).distance(at(b)) <= near))
}

/// Twice the signed area, if there is any.
pub(super) fn checked_area(corners: &[DVec2; 3]) -> Option<f64> {
    let [a, b, c] = *corners;
    let area = (b - a).perp_dot(c - a);
    let longest_sq = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (area.abs() > NO_AREA * longest_sq).then_some(area)
}
