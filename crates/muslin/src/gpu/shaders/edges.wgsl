// 1D shape matching by averaging ([Bender2013] eq. 14-15, section 5); twin: solver/shape_matching/gather.rs.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> injections: array<u32>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> entry: array<vec4<f32>>;

// What an edge asks of its end x; the other end is y.
fn edge_correction(x: vec4<f32>, y: vec4<f32>, rest: f32) -> vec3<f32> {
    let along = y.xyz - x.xyz;
    let length = sqrt(dot(along, along));
    var excess = length - rest;
    if level.only_stretched == 1u {
        excess = max(excess, 0.0);
    }
    return along * (level.beta * excess * x.w / max(length * (x.w + y.w), 1e-20));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= level.count {
        return;
    }
    let v = level.first + id.x;
    let x = front[v];
    var sum = vec3(0.0);
    var edges = 0.0;
    if x.w > 0.0 {
        let row = fan_row(v);
        for (var slot = row.start; slot < row.end; slot += 32u) {
            let spoke = spoke_at(slot);
            if spoke.length == 0.0 {
                break;
            }
            if spoke.length > 0.0 {
                sum += edge_correction(x, front[spoke.vertex], spoke.length);
                edges += 1.0;
            }
        }
    }
    leave(v, vec4(x.xyz + sum / max(edges, 1.0), x.w));
}
