// All springs of a level at once.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return front[level.first_point + index];
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= level.count {
        return;
    }
    let code = codes[level.first_code + id.x];
    if code == 0u {
        return; // no particle: zero in every set of points
    }
    back[level.first_point + id.x] = sprung(level, id.x, code);
}
