// Seams; twin: solver/multilevel/seams/stitch.rs. A kernel says where points are (`point`).

// A stitch has eight texels, and one whose weight is the gap at rest, metres.
const STITCH_TERMS = 9u;

struct StitchTerm {
    number: u32, // the texel, in a stitch; the stitch, at a texel
    weight: f32,
}

struct StitchedTexel {
    texel: u32,
    first_term: u32,
    end_term: u32,
}
