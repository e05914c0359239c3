// A pass of measured cloth, for one particle: down the slope of what an implicit step makes smallest. A kernel says
// where points are (`point`), and has the `finest` level's points as they were predicted.
// Twin: solver/multilevel/constraints/elastic.rs.

// What the spring to the k-th neighbour asks for, that is so many texels further.
fn spring(level: Level, index: u32, code: u32, k: u32, step: u32, rate: f32, planned: f32) -> vec3<f32> {
    let own = point(index);
    let other = neighbour(index, code, k, step);
    let along = other.xyz - own.xyz;
    let apart = length(along);
    if apart == 0.0 {
        return vec3(0.0);
    }
    let rest = widened(level, rest_lengths(level, index, k, index + step, planned), own.xyz, other.xyz);
    let stretched = max(apart - rest.y, 0.0) + level.compression * min(apart - rest.x, 0.0);
    return along * (rate / max(own.w, other.w) * stretched / apart);
}

fn sprung(level: Level, index: u32, code: u32) -> vec4<f32> {
    let own = point(index);
    if own.w == 0.0 {
        return own;
    }
    let row = level.columns;
    let straight = level.spacing;
    let diagonal = level.spacing * 1.4142135;
    var sum = spring(level, index, code, 0u, 1u, level.spring_weft, straight);
    sum += spring(level, index, code, 1u, row, level.spring_warp, straight);
    sum += spring(level, index, code, 2u, 0u - 1u, level.spring_weft, straight);
    sum += spring(level, index, code, 3u, 0u - row, level.spring_warp, straight);
    sum += spring(level, index, code, 4u, row + 1u, level.spring_diagonal, diagonal);
    sum += spring(level, index, code, 5u, row - 1u, level.spring_diagonal, diagonal);
    sum += spring(level, index, code, 6u, 0u - row - 1u, level.spring_diagonal, diagonal);
    sum += spring(level, index, code, 7u, 1u - row, level.spring_diagonal, diagonal);
    let divisor = 1.0 + 2.0 * (2.0 * (level.spring_weft + level.spring_warp) + 4.0 * level.spring_diagonal);
    let at = (index / row * level.finest_columns + index % row) * level.stride;
    let off = own.xyz - finest[at].xyz;
    let moved = vec4(own.xyz + (own.w * sum - off) / divisor, own.w);
    if level.stride > 1u {
        return held_back(level, index, moved);
    }
    return moved;
}
