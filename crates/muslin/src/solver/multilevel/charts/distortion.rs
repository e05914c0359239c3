//! How much charts stretch and compress the cloth.

use glam::{DVec2, dvec2};

use crate::math::largest;
use crate::mesh::TriMesh;

/// How much the map from the rest shape to the plane distorts: of |principal stretch − 1|, as fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Distortion {
    /// The mean over the area of the larger one of each triangle.
    pub average: f64,
    /// The largest of all triangles.
    pub largest: f64,
}

/// The distortion and the worst triangle. A triangle without area counts as infinitely distorted.
pub(super) fn measure(mesh: &TriMesh, uvs: &[[DVec2; 3]]) -> (Distortion, usize) {
    let (mut worst, mut most, mut sum, mut total) = (0, 0.0, 0.0, 0.0);
    for (t, &chart) in uvs.iter().enumerate() {
        let area = mesh.area(t);
        let [large, small] = stretches(local_frame(mesh, t), chart);
        let found = (large - 1.0).abs().max((small - 1.0).abs());
        let found = if found.is_nan() { f64::INFINITY } else { found };
        if largest(most, found) > most {
            (worst, most) = (t, found);
        }
        sum += area * found;
        total += area;
    }
    (Distortion { average: sum / total, largest: most }, worst)
}

/// A triangle of the rest mesh in its own plane: the first corner at the origin, the second on the x axis.
pub(super) fn local_frame(mesh: &TriMesh, triangle: usize) -> [DVec2; 3] {
    let [a, b, c] = mesh.corners(triangle);
    let (along, side) = (b - a, c - a);
    let length = along.length();
    let foot = side.dot(along) / length;
    [DVec2::ZERO, dvec2(length, 0.0), dvec2(foot, along.cross(side).length() / length)]
}

/// The principal stretches, larger first, of the affine map from one triangle to another; the smaller one is negative
/// where the map mirrors.
pub(crate) fn stretches(from: [DVec2; 3], to: [DVec2; 3]) -> [f64; 2] {
    let [e, f] = [from[1] - from[0], from[2] - from[0]];
    let [g, h] = [to[1] - to[0], to[2] - to[0]];
    // J with J e = g, J f = h: its columns are the images of the axes.
    let area = e.perp_dot(f);
    let (x, y) = ((g * f.y - h * e.y) / area, (h * e.x - g * f.x) / area);
    // The singular values of [[x.x, y.x], [x.y, y.y]]: its conformal and its anticonformal part, sum and difference.
    let conformal = (0.5 * dvec2(x.x + y.y, x.y - y.x)).length();
    let other = (0.5 * dvec2(x.x - y.y, x.y + y.x)).length();
    [conformal + other, conformal - other]
}
