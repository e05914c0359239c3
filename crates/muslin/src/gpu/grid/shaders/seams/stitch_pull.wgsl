// What all stitches of a level ask for.

@group(0) @binding(1) var<storage, read> stitches: array<StitchTerm>;
@group(0) @binding(2) var<storage, read> finest: array<vec4<f32>>; // read on coarse levels only
@group(0) @binding(3) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> pulls: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return points[level.first_point + index];
}

fn each(i: u32) {
    pulls[level.first_stitch + i] = pull_of(level, i);
}
