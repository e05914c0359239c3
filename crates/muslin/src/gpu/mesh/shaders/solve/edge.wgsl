// A 1D region as one of its ends sees it ([Bender2013] eq. 14-15); twin: solver/shape_matching/regions/edge.rs. Returns
// what the edge asks of its end x (xyz), and 1 (w) to count it.
fn edge(x: vec4<f32>, spoke: Spoke, y: vec4<f32>, only_stretched: u32) -> vec4<f32> {
    let along = y.xyz - x.xyz;
    // 1 - rest/length: how much of the edge is too much.
    var excess = 1.0 - spoke.length * inverseSqrt(max(dot(along, along), 1e-30));
    if only_stretched == 1u {
        excess = max(excess, 0.0);
    }
    let change = along * (excess * x.w / max(x.w + y.w, 1e-20));
    return select(vec4(0.0), vec4(change, 1.0), spoke.length > 0.0);
}

// Sums up what eight edges ask of their common end.
fn eight_edges(x: vec4<f32>, s: array<Spoke, 8>, y: array<vec4<f32>, 8>, stretched: u32) -> vec4<f32> {
    return edge(x, s[0], y[0], stretched) + edge(x, s[1], y[1], stretched) + edge(x, s[2], y[2], stretched)
        + edge(x, s[3], y[3], stretched) + edge(x, s[4], y[4], stretched) + edge(x, s[5], y[5], stretched)
        + edge(x, s[6], y[6], stretched) + edge(x, s[7], y[7], stretched);
}
