// A Jacobi iteration of one particle: shares of what its constraints ask for.

// What one constraint asks for. A particle is no constraint with itself.
fn asked(level: Level, own: vec4<f32>, other: vec4<f32>, stretch: f32, rest: f32) -> vec3<f32> {
    let along = other.xyz - own.xyz;
    let square = dot(along, along);
    let pull = along * (pull_factor(level, square, own.w + other.w, stretch, rest) * own.w);
    // Nor is one that is lost, whose place is not a number.
    return select(vec3(0.0), pull, square > 0.0);
}

// `row` is how far the particle of the next row is.
fn averaged(level: Level, index: u32, row: u32, code: u32) -> vec4<f32> {
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
    var threads = asked(level, own, right, level.stretch_weft, straight);
    threads += asked(level, own, up, level.stretch_warp, straight);
    threads += asked(level, own, left, level.stretch_weft, straight);
    threads += asked(level, own, down, level.stretch_warp, straight);
    var diagonals = asked(level, own, up_right, level.stretch_diagonal, diagonal);
    diagonals += asked(level, own, up_left, level.stretch_diagonal, diagonal);
    diagonals += asked(level, own, down_left, level.stretch_diagonal, diagonal);
    diagonals += asked(level, own, down_right, level.stretch_diagonal, diagonal);
    let sum = THREAD_SHARE * threads + DIAGONAL_SHARE * diagonals;
    return vec4(own.xyz + level.over_relaxation * sum, own.w);
}
