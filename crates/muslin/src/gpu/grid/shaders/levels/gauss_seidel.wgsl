// One set of edges of a level, in place.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> holds: array<Hold>;
@group(0) @binding(3) var<storage, read> finest: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> points: array<vec4<f32>>;

fn point(index: u32) -> vec4<f32> {
    return points[level.first_point + index];
}

fn set_point(index: u32, value: vec4<f32>) {
    points[level.first_point + index] = value;
}

// What bounds particles comes before the edges. The first set pairs all particles in rows, so its threads can do both:
// for the other end too, or, at an end that is in no edge of the set, for themselves alone.
fn hold_ends(index: u32, code: u32) {
    let is_odd = ((code >> ODD_COLUMN) & 1u) == 1u;
    if is_odd && (code & 4u) != 0u {
        return;
    }
    hold(level, index);
    if !is_odd && (code & 1u) != 0u {
        hold(level, index + 1u);
    }
}

fn each(i: u32) {
    let code = codes[level.first_code + i];
    let is_first = level.direction == 0u && level.half == 0u;
    if is_first && level.holds != 0u && level.stride > 1u && code != 0u {
        hold_ends(i, code);
    }
    let parity = (code >> select(ODD_ROW, ODD_COLUMN, level.direction == 0u)) & 1u;
    if parity == level.half {
        relax_from(level, i, code, level.direction);
    }
}
