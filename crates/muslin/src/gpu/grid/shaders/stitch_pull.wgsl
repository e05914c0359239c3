// What all stitches of a level ask for.

@group(0) @binding(1) var<storage, read> stitches: array<StitchTerm>;
@group(0) @binding(2) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> pulls: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return points[level.first_point + index];
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < level.stitches {
        pulls[level.first_stitch + id.x] = pull_of(level, id.x);
    }
}
