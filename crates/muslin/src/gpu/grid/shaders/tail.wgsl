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

// What stands in the workgroup's memory is the coarser level, until `begin` is done.
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

fn begin(level: Level, thread: u32) {
    var next: array<vec4<f32>, SLOTS>;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let code = code_of(level, thread + slot * THREADS);
        if code != 0u {
            next[slot] = started(level, thread + slot * THREADS, code);
        }
    }
    accept(level, thread, next);
}

fn average(level: Level, thread: u32) {
    var next: array<vec4<f32>, SLOTS>;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let code = code_of(level, thread + slot * THREADS);
        if code != 0u {
            next[slot] = averaged(level, thread + slot * THREADS, code);
        }
    }
    accept(level, thread, next);
}

fn pull_springs(level: Level, thread: u32) {
    var next: array<vec4<f32>, SLOTS>;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let code = code_of(level, thread + slot * THREADS);
        if code != 0u {
            next[slot] = sprung(level, thread + slot * THREADS, code);
        }
    }
    accept(level, thread, next);
}

fn sweep(level: Level, thread: u32) {
    var own: array<u32, SLOTS>;
    for (var slot = 0u; slot < SLOTS; slot++) {
        own[slot] = code_of(level, thread + slot * THREADS);
    }
    for (var number = 0u; number < 8u; number++) {
        // 0, 1, 4, 5: along rows, columns, and either diagonal.
        let direction = (number >> 1u) + (number & 4u) / 2u;
        for (var slot = 0u; slot < SLOTS; slot++) {
            relax_set(level, thread + slot * THREADS, own[slot], direction, number & 1u);
        }
        workgroupBarrier();
    }
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
        begin(level, thread);
        for (var iteration = 0u; iteration < level.iterations; iteration++) {
            if iteration < level.elastic_iterations {
                pull_springs(level, thread);
            } else if level.gauss_seidel == 1u {
                sweep(level, thread);
            } else {
                average(level, thread);
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
