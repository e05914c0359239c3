// Moves all particles beside a level's seams.

@group(0) @binding(1) var<storage, read> stitched_texels: array<StitchedTexel>;
@group(0) @binding(2) var<storage, read> stitch_terms: array<StitchTerm>;
@group(0) @binding(3) var<storage, read> pulls: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> points: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return points[level.first_point + index];
}

fn each(i: u32) {
    let beside = stitched_texels[level.first_stitched + i];
    points[level.first_point + beside.texel] = sewn(level, beside);
}
