// A Gauss-Seidel iteration (sweep.wgsl) by one workgroup: which edges of which set each of its threads does. Uses `code_of`.

// Where the edges of a set start that a thread does, and their codes. Edges are counted without gaps, so that half of the
// threads can do all of a set.
struct Edges {
    starts: array<u32, SLOTS>,
    codes: array<u32, SLOTS>,
}

// `across` is how many of the set start in a row of them, one every so many columns and rows.
fn edges_of(level: Level, thread: u32, across: u32, first: vec2<u32>, every: vec2<u32>) -> Edges {
    var mine: Edges;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let number = thread + slot * THREADS;
        let place = first + every * vec2(number % across, number / across);
        mine.starts[slot] = place.y * level.columns + place.x;
        mine.codes[slot] = select(0u, code_of(level, mine.starts[slot]), place.x < level.columns);
    }
    return mine;
}

// All sets of a Gauss-Seidel iteration: along rows, from even and odd columns, and across rows, from even and odd rows.
struct Sets {
    even_columns: Edges,
    odd_columns: Edges,
    even_rows: Edges,
    odd_rows: Edges,
}

fn sets_of(level: Level, thread: u32) -> Sets {
    let pairs = (level.columns + 1u) / 2u;
    return Sets(
        edges_of(level, thread, pairs, vec2(0u, 0u), vec2(2u, 1u)),
        edges_of(level, thread, pairs, vec2(1u, 0u), vec2(2u, 1u)),
        edges_of(level, thread, level.columns, vec2(0u, 0u), vec2(1u, 2u)),
        edges_of(level, thread, level.columns, vec2(0u, 1u), vec2(1u, 2u)),
    );
}

fn relax_set(level: Level, edges: Edges, direction: u32) {
    for (var slot = 0u; slot < SLOTS; slot++) {
        relax_from(level, edges.starts[slot], edges.codes[slot], direction);
    }
    workgroupBarrier();
}

fn sweep(level: Level, thread: u32, sets: Sets) {
    if level.holds != 0u {
        for (var index = thread; index < level.count; index += THREADS) {
            hold(level, index);
        }
        workgroupBarrier();
    }
    relax_set(level, sets.even_columns, 0u);
    relax_set(level, sets.odd_columns, 0u);
    relax_set(level, sets.even_rows, 1u);
    relax_set(level, sets.odd_rows, 1u);
    relax_set(level, sets.even_rows, 4u);
    relax_set(level, sets.odd_rows, 4u);
    relax_set(level, sets.even_rows, 5u);
    relax_set(level, sets.odd_rows, 5u);
}
