// Halves a picture: each pixel is the mean of four.
@group(0) @binding(0) var large: texture_2d<f32>;

@vertex
fn cover(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn shrink(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let first = 2 * vec2i(at.xy);
    var sum = vec4f(0.0);
    for (var i = 0; i < 4; i++) {
        sum += textureLoad(large, first + vec2i(i & 1, i >> 1u), 0);
    }
    return 0.25 * sum;
}
