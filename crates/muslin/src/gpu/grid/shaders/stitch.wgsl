// Seams; twin: solver/multilevel/stitch.rs. A kernel says where points are (`point`).

struct StitchTerm {
    number: u32, // the texel, in a stitch; the stitch, at a texel
    weight: f32,
}

struct StitchedTexel {
    texel: u32,
    first_term: u32,
    end_term: u32,
    share: f32,
}
