// Starts a level from the next finer one: every point at the mean of those that follow it
// (twin: solver/shape_matching/restriction.rs). The first of a row is the finer vertex that it is itself, the others
// have weights.

@group(0) @binding(1) var<storage, read> mean_slices: array<u32>;
@group(0) @binding(2) var<storage, read> mean_rows: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> entry: array<vec4<f32>>;

fn pulled(slot: u32, end: u32, last: u32, own: vec3<f32>) -> vec3<f32> {
    let other = mean_rows[min(slot, last)];
    let pull = (front[other.x].xyz - own) * bitcast<f32>(other.y);
    return select(vec3(0.0), pull, slot < end && other.y != 0u);
}

fn each(i: u32) {
    let v = level.first + i;
    let start = mean_slices[v / 32u] + v % 32u;
    let end = mean_slices[v / 32u + 1u];
    let last = end - 32u + v % 32u;
    let own = front[mean_rows[start].x].xyz;
    var off = vec3(0.0);
    // Four at a time: their loads do not wait for each other, and coarse levels have too few rows to hide that.
    for (var slot = start + 32u; slot < end; slot += 128u) {
        off += pulled(slot, end, last, own) + pulled(slot + 32u, end, last, own)
            + pulled(slot + 64u, end, last, own) + pulled(slot + 96u, end, last, own);
    }
    let entered = vec4(own + off, back[v].w);
    back[v] = entered;
    entry[v] = entered;
}
