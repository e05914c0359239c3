// What the coarse mesh met is handed on ([Schmitt2013] §4.1): every particle gathers from its triangle's vertices. An
// offset moves a particle and its velocity with it; a push changes the velocity alone.

struct VertexMove {
    offset: vec4<f32>,
    push: vec4<f32>,
}

@group(0) @binding(1) var<storage, read> samples: array<vec4<u32>>; // two for each
@group(0) @binding(2) var<storage, read> moves: array<VertexMove>;
@group(0) @binding(3) var<storage, read_write> points: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> previous: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= step.samples {
        return;
    }
    let sample = sample_at(id.x);
    let own = points[sample.texel];
    if own.w == 0.0 {
        return;
    }
    let before = previous[sample.texel];
    var offset = vec3(0.0);
    var push = vec3(0.0);
    for (var i = 0u; i < 3u; i++) {
        let moved = moves[sample.vertices[i]];
        offset += sample.weights[i] * moved.offset.xyz;
        push += sample.weights[i] * moved.push.xyz;
    }
    points[sample.texel] = vec4(own.xyz + offset, own.w);
    previous[sample.texel] = vec4(before.xyz - push, before.w);
}
