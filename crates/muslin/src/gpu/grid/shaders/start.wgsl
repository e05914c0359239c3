// The start of a level.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> holds: array<Hold>;
@group(0) @binding(4) var<storage, read> coarser: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

fn coarser_point(index: u32) -> vec3<f32> {
    return coarser[level.first_coarser_point + index].xyz;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= level.count {
        return;
    }
    let code = codes[level.first_code + id.x];
    if code != 0u {
        back[level.first_point + id.x] = started(level, id.x, code);
    }
}
