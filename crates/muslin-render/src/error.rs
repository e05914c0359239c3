//! Why a picture or an animation cannot be made.

/// Why a picture or an animation cannot be made.
///
/// Positions that are not finite are no error: a picture of a diverged cloth is wanted too, so the
/// triangles there are left out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A picture of no pixels, or of more than fit.
    #[error("a picture of {width} × {height} pixels cannot be made: both must be from 1 to {most}")]
    Size {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
        /// The most of either.
        most: u32,
    },
    /// The list of pixels does not have the size that the picture says.
    #[error("{pixels} pixels for a picture of {width} × {height}")]
    PixelCount {
        /// Pixels there are.
        pixels: usize,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The number of samples per pixel side is out of range.
    #[error("{samples} samples per side of a pixel; it must be from 1 to {most}")]
    Samples {
        /// Samples per side asked for.
        samples: u32,
        /// The most.
        most: u32,
    },
    /// The camera sees nothing.
    #[error("the camera is unusable: {0}")]
    Camera(&'static str),
    /// A value of the scene is out of range.
    #[error("{0}")]
    Scene(&'static str),
    /// A triangle names a vertex that does not exist.
    #[error("mesh {mesh}: triangle {triangle} names vertex {vertex}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// The mesh in the scene.
        mesh: usize,
        /// The triangle in the mesh.
        triangle: usize,
        /// The index it names.
        vertex: u32,
        /// How many vertices the mesh has.
        vertices: usize,
    },
    /// There is not one entry of pattern coordinates per triangle.
    #[error("mesh {mesh}: {coordinates} entries of pattern coordinates for {triangles} triangles")]
    PatternCount {
        /// The mesh in the scene.
        mesh: usize,
        /// Entries given.
        coordinates: usize,
        /// Triangles of the mesh.
        triangles: usize,
    },
    /// A GIF holds whole hundredths of a second per frame, and viewers slow down what is under two.
    #[error("a GIF cannot show a frame for {0} s: it must be 0.02 s to 655.35 s (leave out frames)")]
    FrameTime(f64),
    /// The frames of an animation differ in size.
    #[error("a frame has {found:?} pixels, the animation {expected:?}")]
    FrameSize {
        /// Width and height of the animation.
        expected: [u32; 2],
        /// Width and height of the frame.
        found: [u32; 2],
    },
    /// The PNG could not be written.
    #[error("cannot write the PNG: {0}")]
    Png(#[from] png::EncodingError),
    /// The GIF could not be written.
    #[error("cannot write the GIF: {0}")]
    Gif(#[from] gif::EncodingError),
}
