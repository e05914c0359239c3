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
