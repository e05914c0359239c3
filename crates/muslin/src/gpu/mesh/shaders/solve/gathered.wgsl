// Constraints all at once (Jacobi): every vertex adds up what its own ask of it; twin:
// solver/constraint/averaged.rs.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<vec2<u32>>; // constraint, which of its points
@group(0) @binding(3) var<storage, read> lengths: array<Length>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

fn place(v: u32) -> vec3<f32> {
    return front[v].xyz;
}

fn each(i: u32) {
    let v = level.first + i;
    let x = front[v];
    var sum = vec3(0.0);
    let slice = i / 32u;
    let end = slices[slice + 1u];
    for (var slot = slices[slice] + i % 32u; slot < end; slot += 32u) {
        let own = rows[slot];
        if own.x == NONE {
            break;
        }
        let c = lengths[own.x];
        sum += projection(c) * c.shares[own.y];
    }
    back[v] = vec4(x.xyz + sum, x.w);
}
