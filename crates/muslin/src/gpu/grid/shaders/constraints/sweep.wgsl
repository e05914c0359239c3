// A Gauss-Seidel iteration in eight sets ([Schmitt2013] §5.2, Figure 8): edges of one direction that start in every
// second column or row, so that no two share a particle. The thread at an edge's start moves both ends.

fn hold(level: Level, index: u32) {
    let own = point(index);
    if own.w > 0.0 {
        set_point(index, held_back(level, index, own));
    }
}

fn relax_edge(level: Level, a: u32, b: u32, stretch: f32, rest: vec2<f32>) {
    let first = point(a);
    let second = point(b);
    let weights = first.w + second.w;
    let along = second.xyz - first.xyz;
    let square = dot(along, along);
    // So for lost particles too, whose place is not a number.
    if weights == 0.0 || !(square > 0.0) {
        return;
    }
    let bounds = widened(level, rest, first.xyz, second.xyz);
    let moved = along * pull_factor(level, square, weights, stretch, bounds);
    set_point(a, vec4(first.xyz + moved * first.w, first.w));
    set_point(b, vec4(second.xyz - moved * second.w, second.w));
}

// The edge that starts at a particle, if there is one.
fn relax_from(level: Level, index: u32, code: u32, direction: u32) {
    if ((code >> direction) & 1u) == 0u {
        return;
    }
    let diagonal = direction >= 4u;
    let rest = rest_lengths(level, index, direction, index, level.spacing * select(1.0, 1.4142135, diagonal));
    if direction == 0u {
        relax_edge(level, index, index + 1u, level.stretch_weft, rest);
    } else if direction == 1u {
        relax_edge(level, index, index + level.columns, level.stretch_warp, rest);
    } else {
        let column = select(0u - 1u, 1u, direction == 4u);
        relax_edge(level, index, index + level.columns + column, level.stretch_diagonal, rest);
    }
}
