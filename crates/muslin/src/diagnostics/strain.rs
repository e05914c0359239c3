//! How much the cloth is stretched.

use glam::{DVec3, Vec3, Vec4};

/// Strain of a cloth, as fractions (0.01 is one per cent).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Strain {
    /// Mean over edges of |l − l0|/l0.
    pub average: f64,
    /// The largest |l − l0|/l0 of an edge.
    pub max_edge: f64,
    /// Extent along gravity over the extent at rest, minus 1. `None` if the cloth has no extent
    /// along gravity at rest, or there is no gravity.
    pub global: Option<f64>,
}

/// Measures strain against rest positions.
pub(crate) fn measure(points: &[Vec4], rest: &[DVec3], edges: &[[u32; 2]], gravity: Vec3) -> Strain {
    let (mut sum, mut largest) = (0.0, 0.0f64);
    for &[a, b] in edges {
        let rest_length = rest[a as usize].distance(rest[b as usize]);
        let length = f64::from(points[a as usize].truncate().distance(points[b as usize].truncate()));
        let strain = (length - rest_length).abs() / rest_length;
        sum += strain;
        largest = largest.max(strain);
    }
    let down = gravity.as_dvec3().normalize_or_zero();
    let extent = |along: &mut dyn Iterator<Item = f64>| {
        let (lo, hi) = along.fold((f64::MAX, f64::MIN), |(lo, hi), v| (lo.min(v), hi.max(v)));
        hi - lo
    };
    let rest_extent = extent(&mut rest.iter().map(|p| p.dot(down)));
    let now = extent(&mut points.iter().map(|p| p.truncate().as_dvec3().dot(down)));
    let size = rest.iter().fold(0.0f64, |size, p| size.max(p.distance(rest[0])));
    let global = (rest_extent > 0.01 * size).then(|| now / rest_extent - 1.0);
    Strain { average: sum / edges.len().max(1) as f64, max_edge: largest, global }
}

/// Per triangle: the principal stretches minus one, larger first.
pub(crate) fn principal_strains(points: &[Vec4], rest: &[DVec3], triangles: &[[u32; 3]]) -> Vec<[f32; 2]> {
    triangles
        .iter()
        .map(|t| principal(t.map(|v| points[v as usize].truncate().as_dvec3()), t.map(|v| rest[v as usize])))
        .collect()
}

pub(crate) fn principal(x: [DVec3; 3], rest: [DVec3; 3]) -> [f32; 2] {
    // Deformation gradient F in the rest triangle's own plane; its singular values squared are the
    // eigenvalues of F^T F.
    let (r1, r2) = (rest[1] - rest[0], rest[2] - rest[0]);
    let l = r1.length();
    let d = r2.dot(r1) / l;
    let h = r1.cross(r2).length() / l;
    let (f1, f2) = ((x[1] - x[0]) / l, ((x[2] - x[0]) - (x[1] - x[0]) * (d / l)) / h);
    let (a, b, c) = (f1.dot(f1), f1.dot(f2), f2.dot(f2));
    let (mean, radius) = (0.5 * (a + c), (0.25 * (a - c) * (a - c) + b * b).sqrt());
    [(mean + radius).sqrt() - 1.0, (mean - radius).max(0.0).sqrt() - 1.0].map(|s| s as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_stretch_is_measured_exactly() {
        let rest = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let points: Vec<Vec4> = rest.iter().map(|p| (p.as_vec3() * 1.5).extend(1.0)).collect();
        let strain = measure(&points, &rest, &[[0, 1], [1, 2], [2, 0]], Vec3::NEG_Y);
        assert!((strain.average - 0.5).abs() < 1e-6 && (strain.max_edge - 0.5).abs() < 1e-6);
        assert!((strain.global.unwrap() - 0.5).abs() < 1e-6);
        assert_eq!(measure(&points, &rest, &[[0, 1]], Vec3::NEG_Z).global, None);
        let [large, small] = principal_strains(&points, &rest, &[[0, 1, 2]])[0];
        assert!((large - 0.5).abs() < 1e-6 && (small - 0.5).abs() < 1e-6);
    }
}
