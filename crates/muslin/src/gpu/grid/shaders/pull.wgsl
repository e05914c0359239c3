// What a stitch asks for: that its eight terms sum to nothing. On a coarse level: that they sum to what they did before
// it was relaxed, less the gap of the finest level, which the other eight terms are.
fn pull_of(level: Level, stitch: u32) -> vec4<f32> {
    let first = (level.first_stitch + stitch) * 16u;
    var apart = vec3(0.0);
    var stiffness = 0.0;
    for (var i = 0u; i < 8u; i++) {
        let term = stitches[first + i];
        let x = point(term.number);
        apart += term.weight * x.xyz;
        stiffness += term.weight * term.weight * x.w;
        if level.stride > 1u {
            let row = term.number / level.columns;
            let there = (row * level.finest_columns + term.number % level.columns) * level.stride;
            let of_finest = stitches[first + 8u + i];
            apart += of_finest.weight * finest[of_finest.number].xyz - term.weight * finest[there].xyz;
        }
    }
    if stiffness > 0.0 {
        return vec4(apart / stiffness, 0.0);
    }
    return vec4(0.0);
}
