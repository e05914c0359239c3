// The neighbours of a vertex, in slices of 32 vertices: slot k of vertex v is at row.start + 32 k.
// Uses `slices` and `spokes`, which a kernel declares with its own bindings.
//
// Kernels take eight spokes at a time, or four where they compute more: their loads do not depend on each other, so
// a thread waits twice for memory and not sixteen times. Rows that are shorter repeat their last spoke, with no length.

struct Row {
    start: u32,
    end: u32,
    last: u32, // the row's last slot
}

fn fan_row(v: u32) -> Row {
    let slice = v / 32u;
    let end = slices[slice + 1u];
    return Row(slices[slice] + v % 32u, end, end - 32u + v % 32u);
}

struct Spoke {
    vertex: u32,
    length: f32, // 0: there is none; negative: the edge was met already
}

fn spoke_at(slot: u32, row: Row) -> Spoke {
    let packed = spokes[min(slot, row.last)];
    return Spoke(packed.x, select(0.0, bitcast<f32>(packed.y), slot < row.end));
}

fn eight_spokes(slot: u32, row: Row) -> array<Spoke, 8> {
    return array<Spoke, 8>(
        spoke_at(slot, row), spoke_at(slot + 32u, row), spoke_at(slot + 64u, row), spoke_at(slot + 96u, row),
        spoke_at(slot + 128u, row), spoke_at(slot + 160u, row), spoke_at(slot + 192u, row), spoke_at(slot + 224u, row),
    );
}
