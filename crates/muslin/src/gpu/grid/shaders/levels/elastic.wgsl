// All springs of a level at once.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return front[level.first_point + index];
}

fn each(i: u32) {
    let code = codes[level.first_code + i];
    if code == 0u {
        return; // no particle: zero in every set of points
    }
    back[level.first_point + i] = sprung(level, i, code);
}
