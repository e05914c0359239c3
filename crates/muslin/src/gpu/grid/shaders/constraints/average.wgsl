// A Jacobi iteration of one particle: shares of what its constraints ask for.

// What one constraint asks for. A particle is no constraint with itself.
fn asked(level: Level, own: vec4<f32>, other: vec4<f32>, stretch: f32, rest: vec2<f32>) -> vec3<f32> {
    let along = other.xyz - own.xyz;
    let square = dot(along, along);
    let pull = along * (pull_factor(level, square, own.w + other.w, stretch, widened(level, rest, own.xyz, other.xyz)) * own.w);
    // Nor is one that is lost, whose place is not a number.
    return select(vec3(0.0), pull, square > 0.0);
}

// `index` is where its point is, and `row` how far from there that of the next row is; `texel` is its place in the level.
fn averaged(level: Level, index: u32, row: u32, texel: u32, code: u32) -> vec4<f32> {
    let own = point(index);
    if own.w == 0.0 {
        return own;
    }
    let right = neighbour(index, code, 0u, 1u);
    let up = neighbour(index, code, 1u, row);
    let left = neighbour(index, code, 2u, 0u - 1u);
    let down = neighbour(index, code, 3u, 0u - row);
    let up_right = neighbour(index, code, 4u, row + 1u);
    let up_left = neighbour(index, code, 5u, row - 1u);
    let down_left = neighbour(index, code, 6u, 0u - row - 1u);
    let down_right = neighbour(index, code, 7u, 1u - row);
    let straight = level.spacing;
    let diagonal = level.spacing * 1.4142135;
    let next = level.columns;
    let rest_right = rest_lengths(level, texel, 0u, texel + 1u, straight);
    let rest_up = rest_lengths(level, texel, 1u, texel + next, straight);
    let rest_left = rest_lengths(level, texel, 2u, texel - 1u, straight);
    let rest_down = rest_lengths(level, texel, 3u, texel - next, straight);
    let rest_up_right = rest_lengths(level, texel, 4u, texel + next + 1u, diagonal);
    let rest_up_left = rest_lengths(level, texel, 5u, texel + next - 1u, diagonal);
    let rest_down_left = rest_lengths(level, texel, 6u, texel - next - 1u, diagonal);
    let rest_down_right = rest_lengths(level, texel, 7u, texel - next + 1u, diagonal);
    var threads = asked(level, own, right, level.stretch_weft, rest_right);
    threads += asked(level, own, up, level.stretch_warp, rest_up);
    threads += asked(level, own, left, level.stretch_weft, rest_left);
    threads += asked(level, own, down, level.stretch_warp, rest_down);
    var diagonals = asked(level, own, up_right, level.stretch_diagonal, rest_up_right);
    diagonals += asked(level, own, up_left, level.stretch_diagonal, rest_up_left);
    diagonals += asked(level, own, down_left, level.stretch_diagonal, rest_down_left);
    diagonals += asked(level, own, down_right, level.stretch_diagonal, rest_down_right);
    let sum = THREAD_SHARE * threads + DIAGONAL_SHARE * diagonals;
    return vec4(own.xyz + level.over_relaxation * sum, own.w);
}
