// All small levels in one dispatch of one workgroup: their points stand in its own memory, and a barrier is
// much cheaper than a dispatch. Edges only, as on all coarse levels of the full approximation scheme.
//
// Where a coarse vertex entered stands in `back`, which has no other use for coarse levels.

struct SmallLevel {
    first: u32,  // in the array of all points
    count: u32,
    offset: u32, // in the workgroup's memory
    only_stretched: u32,
    beta: f32,
    down: u32,   // passes on the way down
    up: u32,     // passes on the way up
    padding: u32,
}

@group(0) @binding(1) var<storage, read> levels: array<SmallLevel>; // coarsest first
@group(0) @binding(2) var<storage, read> slices: array<u32>;
@group(0) @binding(3) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> mean_slices: array<u32>;
@group(0) @binding(5) var<storage, read> mean_rows: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> interpolations: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> back: array<vec4<f32>>;

var<workgroup> points: array<vec4<f32>, TOTAL>;
var<workgroup> next: array<vec4<f32>, LARGEST>;

fn relaxed(level: SmallLevel, i: u32) -> vec4<f32> {
    let x = points[level.offset + i];
    let row = fan_row(level.first + i);
    let shift = level.offset - level.first;
    var sum = vec4(0.0);
    for (var slot = row.start; slot < row.end; slot += 256u) {
        let s = eight_spokes(slot, row);
        let places = array<vec4<f32>, 8>(
            points[s[0].vertex + shift], points[s[1].vertex + shift], points[s[2].vertex + shift],
            points[s[3].vertex + shift], points[s[4].vertex + shift], points[s[5].vertex + shift],
            points[s[6].vertex + shift], points[s[7].vertex + shift],
        );
        sum += eight_edges(x, s, places, level.only_stretched);
    }
    return vec4(x.xyz + sum.xyz * (level.beta / max(sum.w, 1.0)), x.w);
}

// What `next` holds becomes the level's points.
fn accept(level: SmallLevel, thread: u32) {
    workgroupBarrier();
    for (var i = thread; i < level.count; i += THREADS) {
        points[level.offset + i] = next[i];
    }
    workgroupBarrier();
}

fn match_edges(number: u32, passes: u32, thread: u32) {
    let level = levels[number];
    for (var pass_number = 0u; pass_number < passes; pass_number++) {
        for (var i = thread; i < level.count; i += THREADS) {
            next[i] = relaxed(level, i);
        }
        accept(level, thread);
    }
}

// As restrict.wgsl.
fn start_coarser(number: u32, thread: u32) {
    let coarse = levels[number];
    let fine = levels[number + 1u];
    let shift = fine.offset - fine.first;
    for (var i = thread; i < coarse.count; i += THREADS) {
        let v = coarse.first + i;
        let start = mean_slices[v / 32u] + v % 32u;
        let end = mean_slices[v / 32u + 1u];
        let own = points[mean_rows[start].x + shift].xyz;
        var off = vec3(0.0);
        for (var slot = start + 32u; slot < end; slot += 32u) {
            let other = mean_rows[slot];
            off += (points[other.x + shift].xyz - own) * bitcast<f32>(other.y);
        }
        let entered = vec4(own + off, back[v].w);
        points[coarse.offset + i] = entered;
        back[v] = entered;
    }
    storageBarrier();
    workgroupBarrier();
}

fn change(coarse: SmallLevel, v: u32) -> vec3<f32> {
    return points[v - coarse.first + coarse.offset].xyz - back[v].xyz;
}

fn prolongate(number: u32, thread: u32) {
    let coarse = levels[number - 1u];
    let fine = levels[number];
    for (var i = thread; i < fine.count; i += THREADS) {
        var x = points[fine.offset + i];
        if x.w > 0.0 {
            let place = interpolations[fine.first + i];
            let weights = unpack2x16unorm(place.w);
            let moved = change(coarse, place.x) * weights.x + change(coarse, place.y) * weights.y
                + change(coarse, place.z) * (1.0 - weights.x - weights.y);
            x = vec4(x.xyz + moved, x.w);
        }
        next[i] = x;
    }
    accept(fine, thread);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) thread: u32) {
    let finest = level.count - 1u; // the uniform counts levels here
    let top = levels[finest];
    for (var i = thread; i < top.count; i += THREADS) {
        points[top.offset + i] = front[top.first + i];
    }
    workgroupBarrier();
    for (var number = finest; number > 0u; number--) {
        match_edges(number, levels[number].down, thread);
        start_coarser(number - 1u, thread);
    }
    match_edges(0u, levels[0].up, thread);
    for (var number = 1u; number <= finest; number++) {
        prolongate(number, thread);
        match_edges(number, levels[number].up, thread);
    }
    for (var i = thread; i < top.count; i += THREADS) {
        back[top.first + i] = points[top.offset + i];
    }
}
