// What bounds a particle of the finest level, and those of other levels at its place.

struct Tether {
    texel: u32, // a held one of the finest level
    length: f32,
}

struct Hold {
    tethers: array<Tether, 2>, // the nearest first
    plane: vec4<f32>,          // n·x ≥ w outside; zero where nothing is near
}

// The direction (xyz) and the length (w) of the way out of what a plane bounds; no way where a particle is outside.
fn way_out(plane: vec4<f32>, own: vec3<f32>) -> vec4<f32> {
    let size = length(plane.xyz);
    if size == 0.0 {
        return vec4(0.0);
    }
    return vec4(plane.xyz / size, max(plane.w - dot(plane.xyz, own), 0.0));
}
