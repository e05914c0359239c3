// One set of edges of a level, in place.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> points: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return points[level.first_point + index];
}

fn set_point(index: u32, value: vec4<f32>) {
    points[level.first_point + index] = value;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < level.count {
        relax_set(level, id.x, codes[level.first_code + id.x], level.direction, level.half);
    }
}
