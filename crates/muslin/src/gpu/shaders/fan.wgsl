// The neighbours of a vertex, in slices of 32 vertices: slot k of vertex v is at row.start + 32 k.
// Uses `slices` and `spokes`, which a kernel declares with its own bindings.

struct Row {
    start: u32,
    end: u32,
}

fn fan_row(v: u32) -> Row {
    let slice = v / 32u;
    return Row(slices[slice] + v % 32u, slices[slice + 1u]);
}

struct Spoke {
    vertex: u32,
    length: f32, // 0: the fan is over; negative: the edge was met already
}

fn spoke_at(slot: u32) -> Spoke {
    let packed = spokes[slot];
    return Spoke(packed.x, bitcast<f32>(packed.y));
}
