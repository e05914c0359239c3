// What the coarse mesh met is handed on ([Schmitt2013] §4.1): every particle gathers from its triangle's vertices. An
// offset moves a particle, a push changes its velocity.

struct VertexMove {
    offset: vec4<f32>,
    push: vec4<f32>,
}

@group(0) @binding(1) var<storage, read> samples: array<vec4<u32>>; // two for each
@group(0) @binding(2) var<storage, read> moves: array<VertexMove>;
@group(0) @binding(3) var<storage, read_write> points: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> rests: array<Rest>;

fn each(i: u32) {
    let sample = sample_at(i);
    let own = points[sample.texel];
    if own.w == 0.0 {
        return;
    }
    var offset = vec3(0.0);
    var push = vec3(0.0);
    for (var i = 0u; i < 3u; i++) {
        let moved = moves[sample.vertices[i]];
        offset += sample.weights[i] * moved.offset.xyz;
        push += sample.weights[i] * moved.push.xyz;
    }
    let wanted = offset + rests[sample.texel].remainder.xyz;
    let place = own.xyz + wanted;
    rests[sample.texel].remainder = vec4(wanted - said(place, own.xyz), 0.0);
    points[sample.texel] = vec4(place, own.w);
    velocities[sample.texel] = vec4(velocities[sample.texel].xyz + push, 0.0);
}
