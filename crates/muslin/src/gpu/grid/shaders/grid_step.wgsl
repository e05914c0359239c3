// What changes from step to step, and what a step leaves.

struct Step {
    fall: vec3<f32>,   // that gravity adds, metres
    dt: f32,           // seconds
    smoothing: f32,    // share of the velocity relative to neighbours that goes
    farthest: f32,     // that a particle may go, metres
    bounds: f32,       // beyond this a particle is lost, metres
    bend_weft: f32,    // B Δt²/(m h²)
    bend_warp: f32,
    columns: u32,
    texels: u32,
    samples: u32,
    held: u32,         // held particles that are given a place
    vertices: u32,     // of the coarse mesh
    zero: u32,         // what no compiler knows to be nothing
    first_bend: u32,   // bends at rest, after the codes, as bits; 0 if nothing is bent
}

struct Status {
    longest: atomic<u32>,   // between neighbours along threads, the bits of metres
    contained: atomic<u32>,
}

@group(0) @binding(0) var<uniform> step: Step;
