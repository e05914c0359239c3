// Where a particle beside a seam goes: by what its stitches ask for, weighted.
fn sewn(level: Level, beside: StitchedTexel) -> vec4<f32> {
    let own = point(beside.texel);
    var sum = vec3(0.0);
    for (var i = beside.first_term; i < beside.end_term; i++) {
        sum += stitch_terms[i].weight * pulls[level.first_stitch + stitch_terms[i].number].xyz;
    }
    return vec4(own.xyz - sum * own.w, own.w);
}
