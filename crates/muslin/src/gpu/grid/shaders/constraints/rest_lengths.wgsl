// Between which lengths two neighbours are at rest (x, y); twin: `Rule::rest_lengths` in solver/multilevel/constraints/relax.rs.

// `index` is the particle's place in the level, `k` says which neighbour, `other` its place; `planned` is what the chart says.
fn rest_lengths(level: Level, index: u32, k: u32, other: u32, planned: f32) -> vec2<f32> {
    if level.first_length == 0u {
        return vec2(planned);
    }
    // Stored are those of the neighbours right (0), above (1), above right (4) and above left (5).
    let is_stored = (k & 2u) == 0u;
    let slot = (k & 1u) + select(0u, 2u, k >= 4u);
    let at = level.first_length + 4u * select(other, index, is_stored) + slot;
    let length = bitcast<f32>(codes[at]);
    return vec2(min(length, planned), max(length, planned));
}

// The same with what rounding may do to a distance; it was never one where the chart is the rest shape.
fn widened(level: Level, rest: vec2<f32>, a: vec3<f32>, b: vec3<f32>) -> vec2<f32> {
    if level.first_length == 0u {
        return rest;
    }
    let rounding = max(rounded(a), rounded(b));
    return rest + vec2(-rounding, rounding);
}
