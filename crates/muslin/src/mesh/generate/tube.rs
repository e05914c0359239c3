//! An open cylinder.

use std::f64::consts::TAU;

use glam::{DVec2, dvec2, dvec3};

use super::{GenerateError, MAX_CELLS, check_count, check_length, check_triangles};
use crate::mesh::TriMesh;

/// An open cylinder around the y axis, from y = 0 to y = `height`, of `rings` rings of `segments`
/// cells of two triangles each, normals outwards. Vertices are numbered ring by ring upwards.
/// Texture coordinates are the tube unrolled, in metres, with the seam at +x. Groups: `top` and
/// `bottom`.
pub fn tube(radius: f32, height: f32, segments: usize, rings: usize) -> Result<TriMesh, GenerateError> {
    check_length("radius", radius)?;
    check_length("height", height)?;
    check_count("segments", segments, 3, MAX_CELLS)?;
    check_count("rings", rings, 1, MAX_CELLS)?;
    check_triangles("segments and rings", 2 * segments * rings)?;
    let (r, h) = (f64::from(radius), f64::from(height));

    let mut positions = Vec::with_capacity(segments * (rings + 1));
    for ring in 0..=rings {
        let y = h * ring as f64 / rings as f64;
        for segment in 0..segments {
            let (sin, cos) = (TAU * segment as f64 / segments as f64).sin_cos();
            positions.push(dvec3(r * cos, y, r * sin).as_vec3());
        }
    }
    let vertex = |(segment, ring): (usize, usize)| (ring * segments + segment % segments) as u32;
    let unrolled = |(segment, ring): (usize, usize)| -> DVec2 {
        dvec2(TAU * r * segment as f64 / segments as f64, h * ring as f64 / rings as f64)
    };
    let mut triangles = Vec::with_capacity(2 * segments * rings);
    let mut uvs = Vec::with_capacity(2 * segments * rings);
    let mut quads = Vec::with_capacity(segments * rings);
    for ring in 0..rings {
        for segment in 0..segments {
            let (a, b) = ((segment, ring), (segment + 1, ring));
            let (c, d) = ((segment + 1, ring + 1), (segment, ring + 1));
            quads.push([a, d, c, b].map(vertex));
            // From +x towards +z is clockwise seen from above, so outwards is a → d → b.
            for corners in [[a, d, c], [a, c, b]] {
                triangles.push(corners.map(vertex));
                uvs.push(corners.map(|corner| unrolled(corner).as_vec2()));
            }
        }
    }
    let circle = |ring: usize| (0..segments).map(|segment| vertex((segment, ring))).collect();
    let groups = [("bottom".to_owned(), circle(0)), ("top".to_owned(), circle(rings))].into();
    Ok(TriMesh { positions, triangles, quads, uvs: Some(uvs), groups })
}
