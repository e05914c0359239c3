// All small levels in one dispatch of one workgroup: the level's points stand in its own memory, and a barrier is much
// cheaper than a dispatch. Each thread has the same few texels (SLOTS) all the time.

struct Tail {
    count: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
    levels: array<Level, MOST_LEVELS>, // coarsest first
}

@group(0) @binding(0) var<uniform> tail: Tail;
@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> stitches: array<StitchTerm>;
@group(0) @binding(6) var<storage, read> stitched_texels: array<StitchedTexel>;
@group(0) @binding(7) var<storage, read> stitch_terms: array<StitchTerm>;
@group(0) @binding(8) var<storage, read_write> pulls: array<vec4<f32>>;

var<workgroup> points: array<vec4<f32>, TEXELS>;

fn point(index: u32) -> vec4<f32> {
    return points[index];
}

fn set_point(index: u32, value: vec4<f32>) {
    points[index] = value;
}

// What stands in the workgroup's memory is the coarser level, until a level has begun.
fn coarser_point(index: u32) -> vec3<f32> {
    return points[index].xyz;
}

fn code_of(level: Level, index: u32) -> u32 {
    if index < level.count {
        return codes[level.first_code + index];
    }
    return 0u;
}

// What all threads have worked out becomes the level's points.
fn accept(level: Level, thread: u32, next: array<vec4<f32>, SLOTS>) {
    var values = next;
    workgroupBarrier();
    for (var slot = 0u; slot < SLOTS; slot++) {
        if thread + slot * THREADS < level.count {
            points[thread + slot * THREADS] = values[slot];
        }
    }
    workgroupBarrier();
}

// A pass in which no particle sees what another one does: the start of the level, springs, or Jacobi.
const BEGIN = 0u;
const SPRINGS = 1u;
const AVERAGE = 2u;

fn pass_over(level: Level, thread: u32, kind: u32) {
    var next: array<vec4<f32>, SLOTS>;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let index = thread + slot * THREADS;
        let code = code_of(level, index);
        if code == 0u {
            continue;
        }
        if kind == BEGIN {
            next[slot] = started(level, index, code);
        } else if kind == SPRINGS {
            next[slot] = sprung(level, index, code);
        } else {
            next[slot] = held_back(level, index, averaged(level, index, level.columns, index, code));
        }
    }
    accept(level, thread, next);
}

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

fn sew(level: Level, thread: u32) {
    for (var i = thread; i < level.stitches; i += THREADS) {
        pulls[level.first_stitch + i] = pull_of(level, i);
    }
    storageBarrier();
    workgroupBarrier();
    for (var i = thread; i < level.stitched; i += THREADS) {
        let beside = stitched_texels[level.first_stitched + i];
        points[beside.texel] = sewn(level, beside);
    }
    workgroupBarrier();
}

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) thread: u32) {
    for (var number = 0u; number < tail.count; number++) {
        let level = tail.levels[number];
        pass_over(level, thread, BEGIN);
        let sets = sets_of(level, thread);
        for (var iteration = 0u; iteration < level.iterations; iteration++) {
            if iteration < level.elastic_iterations {
                pass_over(level, thread, SPRINGS);
            } else if level.gauss_seidel == 1u {
                sweep(level, thread, sets);
            } else {
                pass_over(level, thread, AVERAGE);
            }
            if level.stitches > 0u {
                sew(level, thread);
            }
        }
    }
    let last = tail.levels[tail.count - 1u];
    for (var i = thread; i < last.count; i += THREADS) {
        back[last.first_point + i] = points[i];
    }
}
