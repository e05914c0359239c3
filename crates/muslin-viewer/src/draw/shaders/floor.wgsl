// The ground as a square around the middle, for all passes. Goes after frame.wgsl.
struct Floor {
    @builtin(position) clip: vec4f,
    @location(0) place: vec3f,
}

// From where to where the ground fades, in radii.
const FADE = vec2f(2.0, 9.0);
// How much farther away the ground is taken to be, so that what lies on it is not cut.
const YIELD = 1.003;

@vertex
fn lay(@builtin(vertex_index) number: u32) -> Floor {
    // Two triangles: corners 0, 1, 2 and 3, 2, 1.
    let which = select(number, 6u - number, number > 2u);
    let corner = vec2f(f32(which & 1u), f32(which >> 1u)) * 2.0 - 1.0;
    let side = normalize(select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(frame.up.x) > 0.6));
    let across = normalize(cross(frame.up, side));
    let along = cross(across, frame.up);
    let below = frame.middle + (frame.ground_height - dot(frame.middle, frame.up)) * frame.up;
    let place = below + FADE.y * frame.radius * (corner.x * across + corner.y * along);
    var clip = frame.clip * vec4f(place, 1.0);
    clip.z /= YIELD;
    return Floor(clip, place);
}

@fragment
fn floor_normal(floor: Floor) -> @location(0) vec4f {
    return vec4f(0.5 + 0.5 * (frame.look * vec4f(frame.up, 0.0)).xyz, 1.0);
}
