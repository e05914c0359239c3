//! Rectangles of right-angled triangles.

use glam::{Vec2, vec2};

use super::sides::{flat_mesh, name_rectangle_sides};
use super::{GenerateError, MAX_CELLS, check_count, check_length, check_triangles};
use crate::mesh::TriMesh;

/// A rectangle of `columns` × `rows` cells of two triangles each, all diagonals from lower left to
/// upper right. Vertices are numbered row by row from the lower left. Groups: `corners`, `top`,
/// `bottom`, `left`, `right`, `boundary`.
///
/// All diagonals in one direction make the cloth stiffer along them; see [`alternating_grid`].
pub fn grid(columns: usize, rows: usize, width: f32, height: f32) -> Result<TriMesh, GenerateError> {
    cells(columns, rows, width, height, |_, _| true)
}

/// Like [`grid`], with diagonals that alternate like the colours of a chessboard, which favours
/// neither direction.
pub fn alternating_grid(
    columns: usize,
    rows: usize,
    width: f32,
    height: f32,
) -> Result<TriMesh, GenerateError> {
    cells(columns, rows, width, height, |column, row| (column + row) % 2 == 0)
}

/// A grid whose cell has a rising diagonal where `rising(column, row)` says so.
fn cells(
    columns: usize,
    rows: usize,
    width: f32,
    height: f32,
    rising: impl Fn(usize, usize) -> bool,
) -> Result<TriMesh, GenerateError> {
    check_count("columns", columns, 1, MAX_CELLS)?;
    check_count("rows", rows, 1, MAX_CELLS)?;
    check_length("width", width)?;
    check_length("height", height)?;
    check_triangles("columns and rows", 2 * columns * rows)?;

    let mut points: Vec<Vec2> = Vec::with_capacity((columns + 1) * (rows + 1));
    for row in 0..=rows {
        for column in 0..=columns {
            points.push(vec2(part(width, column, columns), part(height, row, rows)));
        }
    }
    let mut triangles = Vec::with_capacity(2 * columns * rows);
    let mut quads = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let a = (row * (columns + 1) + column) as u32;
            let (b, d) = (a + 1, a + columns as u32 + 1);
            let c = d + 1;
            quads.push([a, b, c, d]);
            triangles.extend(if rising(column, row) {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            });
        }
    }
    let mut mesh = TriMesh { quads, ..flat_mesh(&points, triangles) };
    name_rectangle_sides(&mut mesh, vec2(width, height));
    Ok(mesh)
}

/// `length · numerator / denominator`, rounded once and exact at both ends.
fn part(length: f32, numerator: usize, denominator: usize) -> f32 {
    (f64::from(length) * numerator as f64 / denominator as f64) as f32
}
