// What a stitch asks for: that its eight terms sum to no more than at rest. On a coarse level: to what they
// did before it was relaxed.
fn pull_of(level: Level, stitch: u32) -> vec4<f32> {
    let first = (level.first_stitch + stitch) * STITCH_TERMS;
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
            apart -= term.weight * finest[there].xyz;
        }
    }
    let gap = stitches[first + 8u].weight + 2.0 * rounded(point(stitches[first].number).xyz);
    let wide = length(apart);
    apart *= select(0.0, (wide - gap) / wide, wide > gap);
    if stiffness > 0.0 {
        return vec4(apart / stiffness, 0.0);
    }
    return vec4(0.0);
}
