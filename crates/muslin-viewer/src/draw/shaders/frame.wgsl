// What all shaders of a picture know: camera, light, surroundings. Light is linear.
struct Frame {
    // From the scenery to clip coordinates, where depth is `near` over the distance: 1 is near, 0 infinitely far.
    clip: mat4x4f,
    // To the camera, which looks along -z.
    look: mat4x4f,
    // To the shadow map: -1 to 1 across, depth 0 to 1 away from the light.
    shadow: mat4x4f,
    eye: vec3f,
    near: f32,
    // Towards the key light, and the tangent of half the angle under which it is seen.
    toward: vec3f,
    softness: f32,
    up: vec3f,
    ground_height: f32,
    // What the ground fades around, and from how far on.
    middle: vec3f,
    radius: f32,
    // Light of the key, from above, and back from below.
    key: vec3f,
    // Metres per texel of the shadow map.
    texel: f32,
    sky: vec3f,
    // How far ambient occlusion reaches, metres.
    reach: f32,
    bounce: vec3f,
    unused: f32,
    // Colours far above the horizon and at it.
    top: vec3f,
    // Pixels of this target for one of the picture.
    scale: f32,
    horizon: vec3f,
    unused_too: f32,
    ground: vec3f,
    unused_either: f32,
    // Half the picture at distance 1, and the target in pixels.
    lens: vec2f,
    size: vec2f,
}

@group(0) @binding(0) var<uniform> frame: Frame;

const ROW_BITS = 11u;

// Where number `n` is in an array that was laid into rows of a texture.
fn row(n: u32) -> vec2u {
    return vec2u(n & ((1u << ROW_BITS) - 1u), n >> ROW_BITS);
}

// The corners of a triangle that covers everything.
fn covering(corner: u32) -> vec2f {
    return vec2f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0);
}

// Noise from 0 to 1 that differs as much as it can among neighbouring pixels (J. Jimenez, 2014).
fn noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

// Point `i` of `count`, spread evenly over a disk of radius 1.
fn spread(i: f32, count: f32, turn: f32) -> vec2f {
    let angle = 2.3999632 * i + turn;
    return sqrt((i + 0.5) / count) * vec2f(cos(angle), sin(angle));
}
