// What a stitch asks for: that its eight terms sum to nothing.
fn pull_of(level: Level, stitch: u32) -> vec4<f32> {
    let first = (level.first_stitch + stitch) * 8u;
    var apart = vec3(0.0);
    var stiffness = 0.0;
    for (var i = 0u; i < 8u; i++) {
        let term = stitches[first + i];
        let x = point(term.number);
        apart += term.weight * x.xyz;
        stiffness += term.weight * term.weight * x.w;
    }
    if stiffness > 0.0 {
        return vec4(apart / stiffness, 0.0);
    }
    return vec4(0.0);
}
