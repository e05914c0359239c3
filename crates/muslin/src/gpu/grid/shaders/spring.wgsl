// A pass of measured cloth, for one particle: down the slope of what an implicit step makes smallest. A kernel says
// where points are (`point`), and has the `finest` level's points as they were predicted.
// Twin: solver/multilevel/elastic.rs.

// What one spring asks for (xyz), and its rate (w).
fn spring(level: Level, own: vec4<f32>, other: vec4<f32>, rate: f32, rest: f32) -> vec4<f32> {
    let along = other.xyz - own.xyz;
    let apart = length(along);
    if apart == 0.0 {
        return vec4(0.0);
    }
    let heavier = select(own.w, min(own.w, other.w), other.w > 0.0);
    let acting = rate * select(1.0, level.compression, apart < rest) / heavier;
    return vec4(along * (acting * (apart - rest) / apart), acting);
}

fn sprung(level: Level, index: u32, code: u32) -> vec4<f32> {
    let own = point(index);
    if own.w == 0.0 {
        return own;
    }
    let row = level.columns;
    let straight = level.spacing;
    let diagonal = level.spacing * 1.4142135;
    var sum = spring(level, own, neighbour(index, code, 0u, 1u), level.spring_weft, straight);
    sum += spring(level, own, neighbour(index, code, 1u, row), level.spring_warp, straight);
    sum += spring(level, own, neighbour(index, code, 2u, 0u - 1u), level.spring_weft, straight);
    sum += spring(level, own, neighbour(index, code, 3u, 0u - row), level.spring_warp, straight);
    sum += spring(level, own, neighbour(index, code, 4u, row + 1u), level.spring_diagonal, diagonal);
    sum += spring(level, own, neighbour(index, code, 5u, row - 1u), level.spring_diagonal, diagonal);
    sum += spring(level, own, neighbour(index, code, 6u, 0u - row - 1u), level.spring_diagonal, diagonal);
    sum += spring(level, own, neighbour(index, code, 7u, 1u - row), level.spring_diagonal, diagonal);
    let at = (index / row * level.finest_columns + index % row) * level.stride;
    let off = own.xyz - finest[at].xyz;
    let moved = vec4(own.xyz + (own.w * sum.xyz - off) / (1.0 + 2.0 * own.w * sum.w), own.w);
    if level.stride > 1u {
        return held_back(level, index, moved);
    }
    return moved;
}
