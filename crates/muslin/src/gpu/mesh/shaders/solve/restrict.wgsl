// Starts a level from the next finer one: every point at the mean of those that follow it
// (twin: solver/shape_matching/restriction.rs). The first of a row is the finer vertex that it is itself, the others
// have weights.

@group(0) @binding(1) var<storage, read> mean_slices: array<u32>;
@group(0) @binding(2) var<storage, read> mean_rows: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> entry: array<vec4<f32>>;

fn each(i: u32) {
    let v = level.first + i;
    let start = mean_slices[v / 32u] + v % 32u;
    let end = mean_slices[v / 32u + 1u];
    let own = front[mean_rows[start].x].xyz;
    var off = vec3(0.0);
    for (var slot = start + 32u; slot < end; slot += 32u) {
        let other = mean_rows[slot];
        off += (front[other.x].xyz - own) * bitcast<f32>(other.y);
    }
    let entered = vec4(own + off, back[v].w);
    back[v] = entered;
    entry[v] = entered;
}
