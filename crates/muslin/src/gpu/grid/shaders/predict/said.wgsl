// What rounding takes from places. Twin: solver/multilevel/cpu.rs.

struct Rest {
    remainder: vec4<f32>, // how much further a particle would be, metres
    unsaid: vec4<f32>,    // how much of that is of this step
}

// The way that places say a particle has gone. A compiler that reorders sums would make of (a + b) − a just b: it does not
// know what the bits of the first are.
fn said(after: vec3<f32>, before: vec3<f32>) -> vec3<f32> {
    return bitcast<vec3<f32>>(bitcast<vec3<u32>>(after) ^ vec3(step.zero)) - before;
}
