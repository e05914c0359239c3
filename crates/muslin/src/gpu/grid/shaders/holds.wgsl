// What bounds a particle of the finest level, and those of other levels at its place.

struct Tether {
    texel: u32, // a held one of the finest level
    length: f32,
}

struct Hold {
    tethers: array<Tether, 2>, // the nearest first
    plane: vec4<f32>,          // n·x ≥ w outside; zero where nothing is near
}
