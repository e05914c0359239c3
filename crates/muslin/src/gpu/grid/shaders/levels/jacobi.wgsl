// A few Jacobi iterations of a level at once ([Schmitt2013] §5.1): a workgroup takes a tile and a margin around it into
// its memory, where each iteration leaves one more ring of the margin behind that may be wrong; the tile itself is right
// to the end. Iterations in that memory are several times cheaper than passes over all of a level.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;

var<workgroup> points: array<vec4<f32>, WORKGROUP>;

fn point(index: u32) -> vec4<f32> {
    return points[index];
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let margin = level.iterations;
    let tile = WINDOW - 2u * margin;
    let tiles = (level.columns + tile - 1u) / tile;
    let place = vec2(thread % WINDOW, thread / WINDOW);
    // The window's first columns and rows may lie outside of the level: then these numbers wrap around.
    let column = group.x % tiles * tile + place.x - margin;
    let row = group.x / tiles * tile + place.y - margin;
    let index = row * level.columns + column;
    var code = 0u;
    var own = vec4(0.0);
    if column < level.columns && row < level.count / level.columns {
        code = codes[level.first_code + index];
        own = front[level.first_point + index];
    }
    points[thread] = own;
    workgroupBarrier();
    let ring = min(min(place.x, place.y), WINDOW - 1u - max(place.x, place.y));
    for (var iteration = 1u; iteration <= margin; iteration++) {
        if code != 0u && ring >= iteration {
            own = averaged(level, thread, WINDOW, index, code);
            if level.stride > 1u {
                own = held_back(level, index, own);
            }
        }
        workgroupBarrier();
        points[thread] = own;
        workgroupBarrier();
    }
    // No particle: zero in every set of points.
    if code != 0u && ring >= margin {
        back[level.first_point + index] = own;
    }
}
