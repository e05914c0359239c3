//! A round sheet of nearly equilateral triangles.

use std::f64::consts::TAU;

use glam::dvec2;

use super::sides::flat_mesh;
use super::{GenerateError, MAX_CELLS, check_count, check_length, check_triangles};
use crate::mesh::TriMesh;

/// A disk of 6·`rings`² triangles: a centre and rings of 6, 12, 18, … vertices around it, numbered
/// outwards. Its centre is at (radius, radius). Groups: `center`, `boundary` (counter-clockwise),
/// and the outermost one or two vertices as `top`, `bottom`, `left`, `right`.
pub fn disk(radius: f32, rings: usize) -> Result<TriMesh, GenerateError> {
    check_length("radius", radius)?;
    check_count("rings", rings, 1, MAX_CELLS)?;
    check_triangles("rings", 6 * rings * rings)?;
    let r = f64::from(radius);

    let mut points = vec![dvec2(r, r).as_vec2()];
    let mut triangles: Vec<[u32; 3]> = Vec::with_capacity(6 * rings * rings);
    for ring in 1..=rings {
        let distance = r * ring as f64 / rings as f64;
        for k in 0..6 * ring {
            let (sin, cos) = (TAU * k as f64 / (6 * ring) as f64).sin_cos();
            points.push(dvec2(r + distance * cos, r + distance * sin).as_vec2());
        }
        // Each of the six sectors has `ring` triangles pointing in and one fewer pointing out.
        let outer = |k: usize| (first_of_ring(ring) + k % (6 * ring)) as u32;
        let inner = |k: usize| (first_of_ring(ring - 1) + k % (6 * (ring - 1)).max(1)) as u32;
        for sector in 0..6 {
            for k in 0..ring {
                let (o, i) = (sector * ring + k, sector * (ring - 1) + k);
                triangles.push([inner(i), outer(o), outer(o + 1)]);
                if k + 1 < ring {
                    triangles.push([inner(i), outer(o + 1), inner(i + 1)]);
                }
            }
        }
    }
    let mut mesh = flat_mesh(&points, triangles);
    let rim: Vec<u32> = (first_of_ring(rings)..points.len()).map(|v| v as u32).collect();
    let extreme = |key: &dyn Fn(u32) -> f32| {
        let most = rim.iter().map(|&v| key(v)).fold(f32::NEG_INFINITY, f32::max);
        rim.iter().copied().filter(|&v| key(v) >= most - 1e-6 * radius).collect::<Vec<u32>>()
    };
    let at = |v: u32| points[v as usize];
    let named = [
        ("bottom", extreme(&|v| -at(v).y)),
        ("center", vec![0]),
        ("left", extreme(&|v| -at(v).x)),
        ("right", extreme(&|v| at(v).x)),
        ("top", extreme(&|v| at(v).y)),
        ("boundary", rim.clone()),
    ];
    mesh.groups = named.map(|(name, members)| (name.to_owned(), members)).into();
    Ok(mesh)
}

/// The first vertex of a ring; ring 0 is the centre.
fn first_of_ring(ring: usize) -> usize {
    if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) }
}
