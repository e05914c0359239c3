// A constraint on the length of a weighted sum of points, C = |d| - L with d = sum of c_i x_i; twin:
// solver/constraint/length.rs, bending/triangle.rs. Uses `lengths` and `place`, which a kernel declares.

struct Length {
    vertices: vec4<u32>,
    coefficients: vec4<f32>, // c_i; 0: only three or two points take part
    shares: vec4<f32>,       // c_i w_i over the sum of w_j c_j^2
    rest: f32,               // L, metres
    fraction: f32,           // of the error that a projection undoes
    per_kappa: f32,          // how much L grows with kappa
    one_sided: u32,          // 1: only what is too short is corrected
}

// Which way, and how far per share, a projection moves its points. The uniform's alpha is kappa here, its beta a
// factor on all.
fn projection(c: Length) -> vec3<f32> {
    let d = place(c.vertices.x) * c.coefficients.x + place(c.vertices.y) * c.coefficients.y
        + place(c.vertices.z) * c.coefficients.z + place(c.vertices.w) * c.coefficients.w;
    let length = sqrt(dot(d, d));
    var error = length - (c.rest + c.per_kappa * level.alpha);
    if c.one_sided == 1u {
        error = min(error, 0.0);
    }
    return d * (-level.beta * c.fraction * error / max(length, 1e-20));
}
