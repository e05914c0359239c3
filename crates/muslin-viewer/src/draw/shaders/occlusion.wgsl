// Ambient occlusion of what the camera sees (M. McGuire et al., Scalable Ambient Obscurance, 2012), at half resolution, and a
// filter that takes its noise away. Goes after frame.wgsl.
@group(1) @binding(0) var depths: texture_2d<f32>;
@group(1) @binding(1) var normals: texture_2d<f32>;
@group(1) @binding(2) var occluded: texture_2d<f32>;

const TAPS = 16.0;
const STRENGTH = 2.2;
// How steep something must rise to count, as a part of the reach: smooth surfaces do not darken themselves.
const BIAS = 0.012;

@vertex
fn cover(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(covering(corner), 0.0, 1.0);
}

// How far away along the line of sight what a pixel shows is.
fn distance_at(pixel: vec2i) -> f32 {
    return frame.near / max(textureLoad(depths, pixel, 0).x, 1e-9);
}

fn place_at(pixel: vec2i, size: vec2f) -> vec3f {
    let distance = distance_at(pixel);
    let across = (2.0 * (vec2f(pixel) + 0.5) / size - 1.0) * vec2f(1.0, -1.0) * frame.lens;
    return vec3f(across * distance, -distance);
}

// A number from 0 to 15, each once among 4 x 4 pixels, far from those of its neighbours.
fn ordered(pixel: vec2u) -> f32 {
    let a = (pixel.x ^ pixel.y) & 1u;
    let b = ((pixel.x ^ pixel.y) >> 1u) & 1u;
    return f32((a << 3u) | ((pixel.y & 1u) << 2u) | (b << 1u) | ((pixel.y >> 1u) & 1u));
}

@fragment
fn occlude(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let most = vec2i(textureDimensions(depths)) - 1;
    let size = vec2f(most + 1);
    let pixel = vec2i(at.xy);
    if textureLoad(depths, pixel, 0).x <= 0.0 {
        return vec4f(1.0);
    }
    let place = place_at(pixel, size);
    let normal = normalize(textureLoad(normals, pixel, 0).xyz * 2.0 - 1.0);
    let pixels = clamp(0.5 * size.y * frame.reach / (-place.z * frame.lens.y), 2.0, 0.3 * size.y);
    let turn = 0.3926991 * ordered(vec2u(at.xy));
    let reach = frame.reach * frame.reach;
    var sum = 0.0;
    for (var i = 0.0; i < TAPS; i += 1.0) {
        let tap = clamp(vec2i(at.xy + pixels * spread(i, TAPS, turn)), vec2i(0), most);
        let away = place_at(tap, size) - place;
        let squared = dot(away, away);
        let rise = dot(away, normal) - BIAS * frame.reach;
        let near = max(1.0 - squared / reach, 0.0);
        sum += near * near * max(rise, 0.0) / (squared + 0.01 * reach);
    }
    return vec4f(max(1.0 - 2.0 * STRENGTH * frame.reach * sum / TAPS, 0.0));
}

// The mean of 4 x 4 pixels, which the noise repeats over, as far as they show the same surface.
@fragment
fn smooth_out(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let most = vec2i(textureDimensions(depths)) - 1;
    let pixel = vec2i(at.xy);
    let distance = distance_at(pixel);
    var sum = vec2f(0.0);
    for (var i = 0; i < 25; i++) {
        let off = vec2i(i % 5, i / 5) - 2;
        let tap = clamp(pixel + off, vec2i(0), most);
        let apart = abs(distance_at(tap) - distance) / (0.15 * frame.reach);
        let edge = select(1.0, 0.5, abs(off.x) == 2) * select(1.0, 0.5, abs(off.y) == 2);
        let weight = edge * max(1.0 - apart, 0.0) + 1e-4;
        sum += weight * vec2f(textureLoad(occluded, tap, 0).x, 1.0);
    }
    return vec4f(sum.x / sum.y);
}
