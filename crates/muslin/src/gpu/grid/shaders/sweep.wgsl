// One of the eight sets of a Gauss-Seidel iteration ([Schmitt2013] §5.2, Figure 8): edges of one direction that start
// in every second column or row, so that no two share a particle. The thread at an edge's start moves both ends.

fn hold(level: Level, index: u32) {
    let own = point(index);
    if own.w > 0.0 {
        set_point(index, held_back(level, index, own));
    }
}

// What bounds particles comes before the edges. The first set pairs all particles in rows, so its threads can do both: for the
// other end too, or, at an end that is in no edge of the set, for themselves alone.
fn hold_ends(level: Level, index: u32, code: u32) {
    let is_odd = ((code >> ODD_COLUMN) & 1u) == 1u;
    if is_odd && (code & 4u) != 0u {
        return;
    }
    hold(level, index);
    if !is_odd && (code & 1u) != 0u {
        hold(level, index + 1u);
    }
}

fn relax_edge(level: Level, a: u32, b: u32, stretch: f32, rest: f32) {
    let first = point(a);
    let second = point(b);
    let weights = first.w + second.w;
    let along = second.xyz - first.xyz;
    let apart = length(along);
    let change = excess(level, apart, stretch, rest);
    if weights == 0.0 || change == 0.0 || apart == 0.0 {
        return;
    }
    let moved = along * (change / (apart * weights));
    set_point(a, vec4(first.xyz + moved * first.w, first.w));
    set_point(b, vec4(second.xyz - moved * second.w, second.w));
}

fn relax_set(level: Level, index: u32, code: u32, direction: u32, half: u32) {
    if level.holds != 0u && level.stride > 1u && direction == 0u && half == 0u && code != 0u {
        hold_ends(level, index, code);
    }
    let parity = (code >> select(ODD_ROW, ODD_COLUMN, direction == 0u)) & 1u;
    if parity != half || ((code >> direction) & 1u) == 0u {
        return;
    }
    if direction == 0u {
        relax_edge(level, index, index + 1u, level.stretch_weft, level.spacing);
    } else if direction == 1u {
        relax_edge(level, index, index + level.columns, level.stretch_warp, level.spacing);
    } else {
        let column = select(0u - 1u, 1u, direction == 4u);
        let rest = level.spacing * 1.4142135;
        relax_edge(level, index, index + level.columns + column, level.stretch_diagonal, rest);
    }
}
