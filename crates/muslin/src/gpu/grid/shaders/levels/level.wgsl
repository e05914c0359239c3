// A level of the grid, and how its constraints act. Texels are counted row by row; a particle's w is its inverse
// mass, 0 where it is held and where there is none. Twins: solver/multilevel/{levels,relax}.rs.

struct Level {
    columns: u32,
    count: u32,               // texels
    first_code: u32,          // in the codes of all levels
    first_point: u32,         // in its set of points
    stride: u32,              // texels of the finest level from one particle to the next
    finest_columns: u32,
    coarser_columns: u32,
    first_coarser_point: u32,
    holds: u32,               // what bounds particles: TETHERS, PLANES
    direction: u32,           // of a set of edges, as neighbours are counted
    half: u32,                // of a set of edges
    gauss_seidel: u32,        // 1, or 0 for Jacobi (tail only)
    iterations: u32,          // (tail, Jacobi)
    first_stitch: u32,
    stitches: u32,
    first_stitched: u32,      // in the texels beside seams
    stitched: u32,
    spacing: f32,
    stretch_weft: f32,
    stretch_warp: f32,
    stretch_diagonal: f32,
    compression: f32,
    slack: f32,
    over_relaxation: f32,
    elastic_iterations: u32,  // of springs, before the others (tail only)
    spring_weft: f32,         // k Δt²/m
    spring_warp: f32,
    spring_diagonal: f32,
    first_light: u32,         // inverse masses, after the codes, as bits
    first_length: u32,        // lengths at rest, after them; 0 if the chart is the rest shape
    padding_a: u32,
    padding_b: u32,
}

// Bits of a code. 0…7: linked neighbours; 8…23: parents.
const COVERED = 0x1000000u;
const ODD_COLUMN = 30u; // which bit
const ODD_ROW = 31u;    // which bit

const TETHERS = 1u;
const PLANES = 2u;
