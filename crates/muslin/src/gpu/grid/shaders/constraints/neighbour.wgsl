// The neighbour in a direction; the particle itself where there is none, which asks for nothing: all eight are then read at
// once. A kernel says where points are (`point`).
fn neighbour(index: u32, code: u32, direction: u32, step: u32) -> vec4<f32> {
    return point(index + select(0u, step, ((code >> direction) & 1u) == 1u));
}
