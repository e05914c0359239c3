// The start of a level.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> holds: array<Hold>;
@group(0) @binding(4) var<storage, read> coarser: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

fn coarser_point(index: u32) -> vec3<f32> {
    return coarser[level.first_coarser_point + index].xyz;
}

fn each(i: u32) {
    let code = codes[level.first_code + i];
    if code != 0u {
        back[level.first_point + i] = started(level, i, code);
    }
}
