//! Snapping: inner vertices moved onto texels, which then hold their values exactly ([Schmitt2013] §4.3).

use glam::{DVec2, Vec2};

use super::charts::Charts;
use super::lattice::Lattice;
use super::options::Multilevel;
use crate::Error;
use crate::math::csr::Csr;
use crate::mesh::TriMesh;

/// A move is not made if a triangle would keep less than this share of its area: slivers are worse than what snapping
/// gains.
const LEAST_AREA: f64 = 0.2;

/// A rest mesh for multilevel cloth whose inner vertices lie on particles of the grid, where their triangles allow it:
/// sampling and projecting them then loses nothing (\[Schmitt2013\] §4.3). Outlines and seams stay.
pub fn snapped(mesh: &TriMesh, options: &Multilevel) -> Result<TriMesh, Error> {
    options.check()?;
    let charts = options.charts(mesh)?;
    let lattice = options.lattice(&charts, &mesh.triangles)?;
    Ok(snap(mesh, &charts, &lattice).0)
}

/// The rest mesh and its charts with inner vertices on the nearest texel centres, where their triangles allow it.
/// Vertices of outlines and seams stay. A vertex moves within the cloth: its rest position (and texture coordinates)
/// are those of the place it moves to. Vertices are moved one after the other in ascending order.
pub(crate) fn snap(mesh: &TriMesh, charts: &Charts, lattice: &Lattice) -> (TriMesh, Charts) {
    let mut moved = mesh.clone();
    let mut uvs = charts.uvs.clone();
    let rim = charts.rim_places();
    let corners = charts.places.iter().enumerate();
    let fans = Csr::from_pairs(
        charts.place_vertex.len(),
        corners.flat_map(|(t, places)| (0..3).map(move |k| (places[k], (t as u32, k)))),
    );
    for (place, &vertex) in charts.place_vertex.iter().enumerate() {
        let fan = fans.row(place);
        let alone = |other: usize| charts.place_vertex.get(other) != Some(&vertex);
        if rim[place] || !alone(place + 1) || !alone(place.wrapping_sub(1)) || !same_uvs(mesh, fan) {
            continue;
        }
        let (first, corner) = fan[0];
        let here = charts.uvs[first as usize][corner];
        let patch = charts.patch_of[first as usize];
        let origin = lattice.origins[patch as usize];
        let target = origin + lattice.spacing * lattice.coordinates(patch, here).round();
        // Where the target lies in the mesh as it was.
        let Some((t, weights)) = locate(charts, fan, target) else { continue };
        if !keeps_areas(charts, &uvs, fan, target) {
            continue;
        }
        fan.iter().for_each(|&(t, k)| uvs[t as usize][k] = target);
        let [a, b, c] = mesh.corners(t as usize);
        moved.positions[vertex as usize] = (a * weights[0] + b * weights[1] + c * weights[2]).as_vec3();
        if let (Some(new), Some(old)) = (&mut moved.uvs, &mesh.uvs) {
            let uv = |k: usize| old[t as usize][k].as_dvec2() * weights[k];
            let uv: Vec2 = (uv(0) + uv(1) + uv(2)).as_vec2();
            fan.iter().for_each(|&(t, k)| new[t as usize][k] = uv);
        }
    }
    let charts = charts.moved(&moved, uvs);
    (moved, charts)
}

/// Whether all triangles of a fan have the same texture coordinates at its vertex; a flat chart may lie across seams of
/// a texture, which cannot be interpolated.
fn same_uvs(mesh: &TriMesh, fan: &[(u32, usize)]) -> bool {
    let Some(uvs) = &mesh.uvs else { return true };
    let (t, k) = fan[0];
    fan.iter().all(|&(other, corner)| uvs[other as usize][corner] == uvs[t as usize][k])
}

/// The triangle of a fan that a point lies in, and its weights.
fn locate(charts: &Charts, fan: &[(u32, usize)], point: DVec2) -> Option<(u32, [f64; 3])> {
    let weighed = fan.iter().map(|&(t, _)| (t, charts.barycentric(t, point)));
    weighed.into_iter().find(|(_, weights)| weights.iter().all(|&w| w >= -1e-12))
}

/// Whether all triangles of a fan keep enough of the area they had with their vertex moved.
fn keeps_areas(charts: &Charts, uvs: &[[DVec2; 3]], fan: &[(u32, usize)], target: DVec2) -> bool {
    let area = |[a, b, c]: [DVec2; 3]| (b - a).perp_dot(c - a);
    fan.iter().all(|&(t, k)| {
        let mut corners = uvs[t as usize];
        corners[k] = target;
        area(corners) >= LEAST_AREA * area(charts.uvs[t as usize])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::multilevel::test_meshes::{charts, curvy_with_holes};

    #[test]
    fn inner_vertices_lie_on_texels_and_the_outline_stays() {
        let mesh = curvy_with_holes(800, 2);
        let before = charts(&mesh);
        let lattice = Lattice::new(&before, &mesh.triangles, 0.011).unwrap();
        let (snapped, after) = snap(&mesh, &before, &lattice);
        let rim = before.rim_places();
        let corners = before.place_corners();
        let (mut inner, mut exact) = (0, 0);
        for (place, &(t, k)) in corners.iter().enumerate() {
            let vertex = before.place_vertex[place] as usize;
            let uv = after.uvs[t as usize][k];
            if rim[place] {
                assert_eq!(uv, before.uvs[t as usize][k]);
                assert_eq!(snapped.positions[vertex], mesh.positions[vertex]);
                continue;
            }
            let steps = lattice.coordinates(0, uv);
            inner += 1;
            exact += usize::from(steps.distance(steps.round()) < 1e-9);
            // A flat rest shape goes with its chart.
            assert!(snapped.positions[vertex].truncate().as_dvec2().distance(uv) < 1e-6);
            assert!(snapped.uvs.as_ref().unwrap()[t as usize][k].as_dvec2().distance(uv) < 1e-6);
        }
        assert!(exact * 10 > inner * 9, "{exact} of {inner}");
        assert!(after.distortion.largest < 1e-4);
        assert!(after.uvs.iter().all(|[a, b, c]| (*b - *a).perp_dot(*c - *a) > 0.0));
    }

    #[test]
    fn a_coarse_lattice_turns_no_triangle_over() {
        let mesh = curvy_with_holes(2000, 3);
        let before = charts(&mesh);
        let lattice = Lattice::new(&before, &mesh.triangles, 0.06).unwrap();
        let (_, after) = snap(&mesh, &before, &lattice);
        let area = |[a, b, c]: [DVec2; 3]| (b - a).perp_dot(c - a);
        assert!(after.uvs.iter().zip(&before.uvs).all(|(a, b)| area(*a) >= 0.19 * area(*b)));
        assert!(after.uvs != before.uvs);
    }
}
