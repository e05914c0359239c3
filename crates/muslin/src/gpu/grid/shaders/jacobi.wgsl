// A few Jacobi iterations of a level at once ([Schmitt2013] §5.1): a workgroup takes a tile and a margin around it into
// its memory, where each iteration leaves one more ring of the margin behind that may be wrong; the tile itself is right
// to the end. Iterations in that memory are several times cheaper than passes over all of a level.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

var<workgroup> points: array<vec4<f32>, TEXELS>;

fn point(index: u32) -> vec4<f32> {
    return points[index];
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let tiles = (level.columns + TILE - 1u) / TILE;
    let rows = level.count / level.columns;
    // Of the window, whose first columns and rows may lie outside of the level: these numbers wrap around.
    let first_column = group.x % tiles * TILE - MARGIN;
    let first_row = group.x / tiles * TILE - MARGIN;
    var indices: array<u32, SLOTS>;
    var own_codes: array<u32, SLOTS>;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let place = thread + slot * THREADS;
        let column = first_column + place % WINDOW;
        let row = first_row + place / WINDOW;
        if column < level.columns && row < rows {
            indices[slot] = row * level.columns + column;
            own_codes[slot] = codes[level.first_code + indices[slot]];
            points[place] = front[level.first_point + indices[slot]];
        }
    }
    workgroupBarrier();
    var next: array<vec4<f32>, SLOTS>;
    for (var ring = 1u; ring <= level.iterations; ring++) {
        for (var slot = 0u; slot < SLOTS; slot++) {
            let place = thread + slot * THREADS;
            let inside = min(min(place % WINDOW, place / WINDOW), WINDOW - 1u - max(place % WINDOW, place / WINDOW));
            next[slot] = points[place];
            if own_codes[slot] != 0u && inside >= ring {
                next[slot] = averaged(level, place, WINDOW, own_codes[slot]);
                if level.stride > 1u {
                    next[slot] = held_back(level, indices[slot], next[slot]);
                }
            }
        }
        workgroupBarrier();
        for (var slot = 0u; slot < SLOTS; slot++) {
            points[thread + slot * THREADS] = next[slot];
        }
        workgroupBarrier();
    }
    for (var slot = 0u; slot < SLOTS; slot++) {
        let place = thread + slot * THREADS;
        let column = place % WINDOW - MARGIN;
        let row = place / WINDOW - MARGIN;
        // No particle: zero in every set of points.
        if own_codes[slot] != 0u && column < TILE && row < TILE {
            back[level.first_point + indices[slot]] = points[place];
        }
    }
}
