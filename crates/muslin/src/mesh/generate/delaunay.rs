//! Irregular Delaunay meshes of a rectangle with an exact number of triangles.
//!
//! A triangulation of I points inside and B points on the boundary of a convex region has
//! T = 2·I + B − 2 triangles (Euler). So B is chosen to match the spacing h of T equilateral
//! triangles, with the parity of T; I follows. The points inside start as jittered rows of a
//! hexagonal lattice and are relaxed a few times. All work is done in units of h.

use glam::{DVec2, Vec2, dvec2};
use spade::{DelaunayTriangulation, Point2, Triangulation};

use super::random::SplitMix64;
use super::sides::{flat_mesh, name_rectangle_sides};
use super::{GenerateError, MAX_TRIANGLES, check_count, check_length};
use crate::mesh::TriMesh;

/// How far points are jittered in each direction at the start.
const JITTER: f64 = 0.3;
/// Points inside keep this distance from the boundary, so that no flat triangles arise there.
const MARGIN: f64 = 0.5;
/// Relaxations that always happen, and the most that happen to reach the angle wanted.
const ROUNDS: [usize; 2] = [4, 40];
/// The smallest angle to reach, in degrees.
const WANTED_ANGLE: f64 = 26.0;

/// An irregular Delaunay mesh of a rectangle with exactly `triangles` triangles of about the same
/// size; the corners are vertices. The same arguments give the same mesh, another seed gives
/// another one. Vertices on the boundary (counter-clockwise from the lower left) come first.
/// Groups: `corners`, `top`, `bottom`, `left`, `right`, `boundary`.
///
/// Angles are above 20° unless the rectangle is so narrow or the triangles are so few that
/// nothing better exists.
pub fn delaunay_rectangle(
    width: f32,
    height: f32,
    triangles: usize,
    seed: u64,
) -> Result<TriMesh, GenerateError> {
    check_length("width", width)?;
    check_length("height", height)?;
    check_count("triangles", triangles, 2, MAX_TRIANGLES)?;
    let failed = || GenerateError::Triangulation { width, height, triangles };

    // The side h of an equilateral triangle of the mean area A/T: A/T = √3/4·h².
    let (w, h) = (f64::from(width), f64::from(height));
    let spacing = (4.0 * w * h / (3f64.sqrt() * triangles as f64)).sqrt();
    let size = dvec2(w, h) / spacing;

    let mut points = boundary_points(size, triangles);
    let boundary = points.len();
    points.extend(interior_points(size, (triangles + 2 - boundary) / 2, seed));
    let mut faces = triangulate(&points).ok_or_else(failed)?;
    for round in 0..ROUNDS[1] {
        if round >= ROUNDS[0] && smallest_angle(&points, &faces) >= WANTED_ANGLE.to_radians() {
            break;
        }
        relax(&mut points, boundary, &faces, size);
        faces = triangulate(&points).ok_or_else(failed)?;
    }
    if faces.len() != triangles {
        return Err(failed());
    }
    // Dividing first makes the far sides exactly 1 and so exactly the width and height.
    let points: Vec<Vec2> = points.iter().map(|p| (*p / size * dvec2(w, h)).as_vec2()).collect();
    let mut mesh = flat_mesh(&points, faces);
    name_rectangle_sides(&mut mesh, Vec2::new(width, height));
    Ok(mesh)
}

/// Points on the boundary, counter-clockwise from the lower left corner, evenly spaced on each
/// side. Their number has the parity of `triangles` and is at most two more.
fn boundary_points(size: DVec2, triangles: usize) -> Vec<DVec2> {
    // Opposite sides have the same number of segments; an odd number of triangles needs one more.
    let odd = triangles % 2;
    let most = (triangles + 2 - odd) / 2;
    let mut columns = (size.x.round() as usize).clamp(1, most - 1);
    let mut rows = (size.y.round() as usize).clamp(1, most - 1);
    if columns + rows > most {
        // A strip so narrow that it has no points inside: the short sides keep theirs.
        if columns >= rows {
            columns = most - rows;
        } else {
            rows = most - columns;
        }
    }
    let (extra_columns, extra_rows) = if columns >= rows { (odd, 0) } else { (0, odd) };
    let corners = [DVec2::ZERO, dvec2(size.x, 0.0), size, dvec2(0.0, size.y)];
    let segments = [columns, rows + extra_rows, columns + extra_columns, rows];
    let mut points = Vec::with_capacity(segments.iter().sum());
    for (side, &count) in segments.iter().enumerate() {
        let (from, to) = (corners[side], corners[(side + 1) % 4]);
        points.extend((0..count).map(|k| from + (to - from) * (k as f64 / count as f64)));
    }
    points
}

/// `count` jittered points in rows, every other row shifted by half a spacing.
fn interior_points(size: DVec2, count: usize, seed: u64) -> Vec<DVec2> {
    if count == 0 {
        return Vec::new();
    }
    let mut random = SplitMix64::new(seed);
    // Rows of equilateral triangles are √3/2 apart; the first and the last are the boundary.
    let row_height = 3f64.sqrt() / 2.0;
    let rows = ((size.y / row_height).round() as usize).saturating_sub(1).clamp(1, count);
    let mut points = Vec::with_capacity(count);
    for row in 0..rows {
        let in_row = (row + 1) * count / rows - row * count / rows; // as even as can be
        let shift = if row % 2 == 0 { 0.25 } else { 0.75 };
        for k in 0..in_row {
            let lattice = dvec2((k as f64 + shift) / in_row as f64, (row + 1) as f64 / (rows + 1) as f64);
            let jitter = JITTER * dvec2(random.signed_unit(), random.signed_unit());
            points.push(keep_inside(lattice * size + jitter, size));
        }
    }
    points
}

/// Moves a point to the nearest one that keeps its distance from the boundary.
fn keep_inside(point: DVec2, size: DVec2) -> DVec2 {
    let margin = (size / 4.0).min(DVec2::splat(MARGIN));
    point.clamp(margin, size - margin)
}

/// The Delaunay triangles, counter-clockwise from their smallest vertex, sorted: the result does
/// not depend on the order in which the triangulation happens to store them.
fn triangulate(points: &[DVec2]) -> Option<Vec<[u32; 3]>> {
    let vertices = points.iter().map(|p| Point2::new(p.x, p.y)).collect();
    let triangulation = DelaunayTriangulation::<Point2<f64>>::bulk_load_stable(vertices).ok()?;
    let corners = triangulation.inner_faces().map(|face| face.vertices().map(|v| v.index() as u32));
    let mut faces: Vec<[u32; 3]> = corners
        .map(|[a, b, c]| match a.min(b).min(c) {
            first if first == a => [a, b, c],
            first if first == b => [b, c, a],
            _ => [c, a, b],
        })
        .collect();
    faces.sort_unstable();
    Some(faces)
}

/// Moves each point inside to the mean of the circumcentres of its triangles, weighted by area.
/// For a fixed triangulation this minimises the error of interpolating x² (Chen, Xu 2004) and
/// favours equilateral triangles more than the mean of the neighbours does.
fn relax(points: &mut [DVec2], boundary: usize, faces: &[[u32; 3]], size: DVec2) {
    let mut sums = vec![(DVec2::ZERO, 0.0); points.len()];
    for corners in faces {
        let [a, b, c] = corners.map(|v| points[v as usize]);
        let (u, v) = (b - a, c - a);
        let twice_area = u.perp_dot(v);
        // area · (circumcentre − a), which stays finite however flat the triangle is.
        let offset = (v.perp() * u.length_squared() - u.perp() * v.length_squared()) / -4.0;
        for &vertex in corners {
            let sum = &mut sums[vertex as usize];
            sum.0 += a * (0.5 * twice_area) + offset;
            sum.1 += 0.5 * twice_area;
        }
    }
    for (point, (sum, weight)) in points.iter_mut().zip(sums).skip(boundary) {
        if weight > 0.0 {
            *point = keep_inside(sum / weight, size);
        }
    }
}

/// The smallest angle of all triangles, in radians.
fn smallest_angle(points: &[DVec2], faces: &[[u32; 3]]) -> f64 {
    let angle = |corners: &[u32; 3], k: usize| {
        let at = |k: usize| points[corners[k % 3] as usize];
        (at(k + 1) - at(k)).angle_to(at(k + 2) - at(k))
    };
    let angles = faces.iter().flat_map(|corners| (0..3).map(move |k| angle(corners, k)));
    angles.fold(f64::INFINITY, f64::min)
}
