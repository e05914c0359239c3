//! How good the meshes of a hierarchy are, level by level.

use super::levels::{Hierarchy, Level};
use super::surface_search::vertex_normals;
use crate::mesh::Topology;

/// Shape and size of one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelQuality {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// The smallest angle of a triangle, in degrees.
    pub smallest_angle_degrees: f64,
    /// The smallest 4√3 · area / (sum of squared sides): 1 if equilateral, 0 if degenerate.
    pub smallest_quality: f64,
    /// The largest number of neighbours of a vertex.
    pub largest_valence: usize,
    /// Total area in m².
    pub area: f64,
    /// Triangles that face away from the finest surface at their own corners. On a flat mesh
    /// these are the flipped ones; on a curved one a hint.
    pub flipped: usize,
}

/// Measures all levels, the coarsest first.
pub fn quality(hierarchy: &Hierarchy) -> Vec<LevelQuality> {
    let finest = hierarchy.finest();
    let normals = vertex_normals(&finest.positions, &finest.triangles);
    let measure = |(l, level): (usize, &Level)| {
        let origin = hierarchy.finest_vertices(l);
        let mut report = level_quality(level);
        let faces_away = |corners: &&[u32; 3]| {
            let [a, b, c] = corners.map(|v| level.positions[v as usize]);
            let expected = corners.map(|v| normals[origin[v as usize] as usize].normalize_or_zero());
            (b - a).cross(c - a).dot(expected[0] + expected[1] + expected[2]) < 0.0
        };
        report.flipped = level.triangles.iter().filter(faces_away).count();
        report
    };
    hierarchy.levels.iter().enumerate().map(measure).collect()
}

/// Measures a level by itself, without the flipped triangles.
fn level_quality(level: &Level) -> LevelQuality {
    let topology = Topology::new(level.positions.len(), &level.triangles);
    let mut report = LevelQuality {
        triangles: level.triangles.len(),
        vertices: level.positions.len(),
        smallest_angle_degrees: 60.0,
        smallest_quality: 1.0,
        largest_valence: topology.vertex_edges.iter().map(<[u32]>::len).max().unwrap_or(0),
        area: 0.0,
        flipped: 0,
    };
    for corners in &level.triangles {
        let points = corners.map(|v| level.positions[v as usize]);
        let double_area = (points[1] - points[0]).cross(points[2] - points[0]).length();
        let mut sides_sq = 0.0;
        for k in 0..3 {
            let (side, other) = (points[(k + 1) % 3] - points[k], points[(k + 2) % 3] - points[k]);
            sides_sq += side.length_squared();
            let angle = double_area.atan2(side.dot(other)).to_degrees();
            report.smallest_angle_degrees = report.smallest_angle_degrees.min(angle);
        }
        let quality = if sides_sq > 0.0 { 2.0 * 3.0_f64.sqrt() * double_area / sides_sq } else { 0.0 };
        report.smallest_quality = report.smallest_quality.min(quality);
        report.area += 0.5 * double_area;
    }
    report
}
