//! Meshes made from a few numbers: sheets, disks, tubes, spheres, boxes and a plant.
//!
//! Flat meshes lie in the x-y plane with the lower left corner of their bounds at the origin; y is
//! up and the normal is +z. Their texture coordinates are (x, y) in metres, the flat rest shape.
//! Closed meshes are centred on the origin with the normals outwards. Lengths are in metres.

mod closed;
mod delaunay;
mod disk;
mod grid;
mod plant;
mod random;
mod sides;
mod tube;

pub use closed::{cuboid, sphere};
pub use delaunay::delaunay_rectangle;
pub use disk::disk;
pub use grid::{alternating_grid, grid};
pub use plant::plant;
pub use tube::{panelled_tube, tube};

/// The shortest and the longest length accepted, in metres.
const LENGTHS: [f32; 2] = [1e-9, 1e9];

/// The largest number of cells along one side.
const MAX_CELLS: usize = 1 << 20;

/// The largest number of triangles of one mesh.
const MAX_TRIANGLES: usize = 1 << 26;

/// Why a mesh cannot be generated. `argument` is the name of the function's parameter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A length is NaN, infinite, zero, negative, or beyond what single precision handles well.
    #[error("{argument} is {value} m; it must be between {least:e} and {most:e} m")]
    Length {
        /// The parameter.
        argument: &'static str,
        /// What was given.
        value: f32,
        /// The shortest length accepted.
        least: f32,
        /// The longest length accepted.
        most: f32,
    },
    /// A number of cells, rings, … is too small or too large.
    #[error("{argument} is {value}; it must be between {least} and {most}")]
    Count {
        /// The parameter.
        argument: &'static str,
        /// What was given.
        value: usize,
        /// The smallest number accepted.
        least: usize,
        /// The largest number accepted.
        most: usize,
    },
    /// Each number is acceptable, but together they make too large a mesh.
    #[error("{arguments} ask for {triangles} triangles; at most {most} are supported")]
    TooManyTriangles {
        /// The parameters.
        arguments: &'static str,
        /// How many triangles the mesh would have.
        triangles: usize,
        /// How many it may have.
        most: usize,
    },
    /// Panels of a tube that would not be equal.
    #[error("{panels} equal panels need a multiple of {panels} segments, not {segments}")]
    Panels {
        /// How many panels.
        panels: usize,
        /// Cells around.
        segments: usize,
    },
    /// No triangulation with the requested number of triangles was found.
    #[error("no triangulation of a {width} m × {height} m rectangle with {triangles} triangles was found")]
    Triangulation {
        /// The width of the rectangle.
        width: f32,
        /// The height of the rectangle.
        height: f32,
        /// The number of triangles asked for.
        triangles: usize,
    },
}

/// Accepts a length that is finite, positive and not extreme.
fn check_length(argument: &'static str, value: f32) -> Result<(), GenerateError> {
    let [least, most] = LENGTHS;
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(GenerateError::Length { argument, value, least, most })
    }
}

/// Accepts a number within limits.
fn check_count(argument: &'static str, value: usize, least: usize, most: usize) -> Result<(), GenerateError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(GenerateError::Count { argument, value, least, most })
    }
}

/// Accepts a number of triangles that fits into memory and into 32-bit indices.
fn check_triangles(arguments: &'static str, triangles: usize) -> Result<(), GenerateError> {
    if triangles <= MAX_TRIANGLES {
        Ok(())
    } else {
        Err(GenerateError::TooManyTriangles { arguments, triangles, most: MAX_TRIANGLES })
    }
}

#[cfg(test)]
mod tests;
