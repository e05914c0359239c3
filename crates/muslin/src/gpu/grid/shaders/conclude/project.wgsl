// The coarse mesh read from the grid ([Schmitt2013] §4.2): the mean of a vertex's stencils, one per side of a seam.

struct Stencil {
    texel: u32, // of 2×2 the one with the lowest column and row
    fractions: array<f32, 2>, // along columns and rows
    lift: f32, // of a place above what is read, metres
}

@group(0) @binding(1) var<storage, read> stencil_rows: array<u32>;
@group(0) @binding(2) var<storage, read> stencils: array<Stencil>;
@group(0) @binding(3) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> vertices: array<vec4<f32>>; // a place and a velocity each

// Errata 1: t0 + f (t1 − t0) for every f; outside 0…1 it extrapolates.
fn value(stencil: Stencil, corners: mat4x3<f32>) -> vec3<f32> {
    let low = corners[0] + stencil.fractions[0] * (corners[1] - corners[0]);
    let high = corners[2] + stencil.fractions[0] * (corners[3] - corners[2]);
    return low + stencil.fractions[1] * (high - low);
}

fn place(stencil: Stencil) -> vec3<f32> {
    let at = stencil.texel;
    let above = at + step.columns;
    let corners = mat4x3(points[at].xyz, points[at + 1u].xyz, points[above].xyz, points[above + 1u].xyz);
    let read = value(stencil, corners);
    let normal = cross(corners[3] - corners[0], corners[2] - corners[1]);
    let size = length(normal);
    if stencil.lift == 0.0 || size == 0.0 {
        return read;
    }
    return read + stencil.lift * (normal / size);
}

fn velocity(stencil: Stencil) -> vec3<f32> {
    let at = stencil.texel;
    let above = at + step.columns;
    let low = mat2x3(velocities[at].xyz, velocities[at + 1u].xyz);
    let high = mat2x3(velocities[above].xyz, velocities[above + 1u].xyz);
    return value(stencil, mat4x3(low[0], low[1], high[0], high[1]));
}

fn each(i: u32) {
    let first = stencil_rows[i];
    let end = stencil_rows[i + 1u];
    var places = vec3(0.0);
    var velocities = vec3(0.0);
    for (var i = first; i < end; i++) {
        places += place(stencils[i]);
        velocities += velocity(stencils[i]);
    }
    let count = f32(max(end - first, 1u));
    vertices[2u * i] = vec4(places / count, 0.0);
    vertices[2u * i + 1u] = vec4(velocities / count, 0.0);
}
