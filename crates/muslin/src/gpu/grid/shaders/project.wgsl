// The coarse mesh read from the grid ([Schmitt2013] §4.2): the mean of a vertex's stencils, one per side of a seam.

struct Stencil {
    texel: u32, // of 2×2 the one with the lowest column and row
    fraction_column: f32,
    fraction_row: f32,
}

@group(0) @binding(1) var<storage, read> stencil_rows: array<u32>;
@group(0) @binding(2) var<storage, read> stencils: array<Stencil>;
@group(0) @binding(3) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> vertices: array<vec4<f32>>;

// Errata 1: t0 + f (t1 − t0) for every f; outside 0…1 it extrapolates.
fn value(stencil: Stencil) -> vec3<f32> {
    let at = stencil.texel;
    let above = at + step.columns;
    let low = points[at].xyz + stencil.fraction_column * (points[at + 1u].xyz - points[at].xyz);
    let high = points[above].xyz + stencil.fraction_column * (points[above + 1u].xyz - points[above].xyz);
    return low + stencil.fraction_row * (high - low);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= step.vertices {
        return;
    }
    let first = stencil_rows[id.x];
    let end = stencil_rows[id.x + 1u];
    var sum = vec3(0.0);
    for (var i = first; i < end; i++) {
        sum += value(stencils[i]);
    }
    vertices[id.x] = vec4(sum / f32(max(end - first, 1u)), 0.0);
}
