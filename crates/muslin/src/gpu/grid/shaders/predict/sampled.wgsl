// A covered texel, and the vertices of the coarse mesh that its data come from. A kernel has `samples`.

struct Sample {
    texel: u32,
    vertices: vec3<u32>,
    weights: vec3<f32>,
}

fn sample_at(number: u32) -> Sample {
    let first = samples[2u * number];
    return Sample(first.x, first.yzw, bitcast<vec3<f32>>(samples[2u * number + 1u].xyz));
}
