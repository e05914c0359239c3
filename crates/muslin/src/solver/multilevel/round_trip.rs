//! The error of sampling a mesh into the lattice and projecting it back ([Schmitt2013] §4.3).

use glam::Vec3;

use super::charts::Charts;
use super::lattice::{Lattice, Stencils, vertex_stencils};
use super::options::Multilevel;
use crate::Error;
use crate::cloth::check_positions;
use crate::mesh::TriMesh;

/// Errors of vertices, relative to the size of the data (the diagonal of the box around them).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RoundTrip {
    /// The mean over all vertices.
    pub average: f64,
    /// The mean over vertices of outlines and seams.
    pub border_average: f64,
    /// The largest of those.
    pub border_largest: f64,
    /// The largest of the others.
    pub inner_largest: f64,
}

/// Samples positions of a mesh's vertices into the grid that it would get, projects them back, and compares.
pub fn round_trip_error(
    mesh: &TriMesh,
    options: &Multilevel,
    positions: &[Vec3],
) -> Result<RoundTrip, Error> {
    options.check()?;
    check_positions("positions", positions, mesh.positions.len())?;
    let charts = options.charts(mesh)?;
    let lattice = options.lattice(&charts, &mesh.triangles)?;
    let stencils = vertex_stencils(&charts, &lattice, mesh.positions.len())?;
    Ok(round_trip(&charts, &lattice, &stencils, positions))
}

/// Samples data of the vertices, reads it back with their stencils and compares. Vertices without triangles count not.
pub(crate) fn round_trip(
    charts: &Charts,
    lattice: &Lattice,
    stencils: &Stencils,
    data: &[Vec3],
) -> RoundTrip {
    let values = lattice.sample(data);
    let low = data.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let high = data.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
    let size = f64::from((high - low).length());
    let mut border = vec![false; data.len()];
    for (&vertex, rim) in charts.place_vertex.iter().zip(charts.rim_places()) {
        border[vertex as usize] |= rim;
    }
    let mut result = RoundTrip::default();
    let (mut count, mut border_count) = (0usize, 0usize);
    for (vertex, &before) in data.iter().enumerate().filter(|&(v, _)| !stencils.row(v).is_empty()) {
        let after = stencils.read(vertex, lattice.size[0], &values).truncate();
        let error = (after.as_dvec3() - before.as_dvec3()).length() / size;
        count += 1;
        result.average += error;
        if border[vertex] {
            border_count += 1;
            result.border_average += error;
            result.border_largest = result.border_largest.max(error);
        } else {
            result.inner_largest = result.inner_largest.max(error);
        }
    }
    result.average /= count.max(1) as f64;
    result.border_average /= border_count.max(1) as f64;
    result
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, dvec2, vec3};

    use super::*;
    use crate::solver::multilevel::charts::stretches;
    use crate::solver::multilevel::snap::snap;
    use crate::solver::multilevel::test_meshes::{charts, curvy_with_holes};

    /// A snapshot of cloth in motion: rolled up with a radius of 0.12 m, with folds across, stretched by up to 10 %.
    fn deformed(p: DVec2) -> Vec3 {
        let (x, y) = (p.x - 0.5, p.y - 0.5);
        let radius = 0.12 + 0.008 * (14.0 * y).sin();
        let angle = x / 0.12;
        vec3((radius * angle.sin()) as f32, (y * 1.015) as f32, (radius * (1.0 - angle.cos())) as f32)
    }

    /// The largest stretch of a triangle.
    fn largest_stretch(mesh: &TriMesh, data: &[Vec3]) -> f64 {
        let stretch = |corners: &[u32; 3]| {
            let from = corners.map(|v| mesh.positions[v as usize].truncate().as_dvec2());
            let [a, b, c] = corners.map(|v| data[v as usize].as_dvec3());
            let along = (b - a).normalize();
            let side = (c - a).reject_from(along).length();
            let to = [DVec2::ZERO, dvec2((b - a).length(), 0.0), dvec2((c - a).dot(along), side)];
            stretches(from, to)[0]
        };
        mesh.triangles.iter().map(stretch).fold(0.0, f64::max)
    }

    /// The errors for a mesh of so many triangles in the square it is cut from, with texels `finer` times finer than
    /// the mean edge, as it is and snapped.
    fn errors(triangles: usize, finer: f64) -> [RoundTrip; 2] {
        let mesh = curvy_with_holes(triangles, 7);
        // The side of equilateral triangles of the same area.
        let edge = (4.0 / (3f64.sqrt() * triangles as f64)).sqrt();
        let before = charts(&mesh);
        let lattice = Lattice::new(&before, &mesh.triangles, edge / finer).unwrap();
        let (snapped, after) = snap(&mesh, &before, &lattice);
        [(mesh, before), (snapped, after)].map(|(mesh, charts)| {
            let lattice = Lattice::new(&charts, &mesh.triangles, edge / finer).unwrap();
            let data: Vec<Vec3> = mesh.positions.iter().map(|p| deformed(p.truncate().as_dvec2())).collect();
            let stretch = largest_stretch(&mesh, &data);
            assert!((1.07..1.1).contains(&stretch), "stretched by {stretch}");
            let stencils = vertex_stencils(&charts, &lattice, mesh.positions.len()).unwrap();
            round_trip(&charts, &lattice, &stencils, &data)
        })
    }

    #[test]
    fn the_error_is_within_the_bounds_of_the_paper_and_snapping_lowers_it() {
        // [Schmitt2013] §4.3: 0.06 % on average, up to 0.5 % at borders.
        for (triangles, finer) in [(2000, 3.0), (2000, 4.0), (5000, 4.0), (1000, 6.0)] {
            let [plain, snapped] = errors(triangles, finer);
            println!("{triangles} triangles, {finer} times finer: {plain:?}, snapped {snapped:?}");
            assert!(plain.average < 6e-4 && plain.border_largest < 5e-3, "{plain:?}");
            assert!(snapped.average < 0.7 * plain.average && snapped.border_largest < 5e-3, "{snapped:?}");
        }
    }
}
