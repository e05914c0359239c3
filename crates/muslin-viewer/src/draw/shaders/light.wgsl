// What reaches a point of the key light and of the sky. Goes after frame.wgsl.
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_depths: texture_2d<f32>;
@group(0) @binding(3) var nearer: sampler_comparison;
@group(0) @binding(4) var openness: texture_2d<f32>;
@group(0) @binding(5) var half_depths: texture_2d<f32>;

// Whether shadows are soft and folds dark.
override SOFT: bool = true;

const SEARCH_TAPS = 12.0;
const TAPS = 28.0;
// The softest a shadow becomes, as a part of the map.
const SOFTEST = 0.03;
// The shadow map is as deep as two of its sides are long.
const DEPTH = 2.0;
// What is farther from the light than the map reaches is in the shadow of all that is in it, but not of nothing, which is at 1.
const FARTHEST = 0.9999;

fn lit_at(at: vec2f, depth: f32) -> f32 {
    return textureSampleCompareLevel(shadow_map, nearer, at, min(depth, FARTHEST));
}

// Which share of the key light reaches a place of a surface with a normal. Triangles are nearer to each other than the smooth surface
// that they stand for: the place is taken from there, `bulge` above them.
fn key_share(place: vec3f, normal: vec3f, bulge: f32, pixel: vec2f) -> f32 {
    let toward = select(-normal, normal, dot(normal, frame.toward) > 0.0);
    let off = place + (1.5 * frame.texel + 0.6 * bulge) * toward;
    let seen = frame.shadow * vec4f(off, 1.0);
    let at = vec2f(0.5 + 0.5 * seen.x, 0.5 - 0.5 * seen.y);
    let margin = max(abs(seen.x), abs(seen.y));
    if margin >= 1.0 {
        return 1.0;
    }
    // The surface's slope in the map: a wide filter must not find the surface itself.
    let tilted = (frame.shadow * vec4f(toward, 0.0)).xyz * vec3f(0.5, -0.5, 1.0);
    let slope = clamp(-tilted.xy / min(tilted.z, -1e-4) / (DEPTH * DEPTH), vec2f(-3.0), vec2f(3.0));
    let size = 1.0 / f32(textureDimensions(shadow_depths).x);
    let depth = min(seen.z - 0.5 * size / DEPTH, FARTHEST);
    let edge = smoothstep(0.9, 1.0, margin);
    if !SOFT {
        return mix(lit_at(at, depth), 1.0, edge);
    }
    var way = turned(6.2831853 * noise(pixel));
    let width = penumbra(at, depth, seen.z - depth, slope, size, way);
    if width <= 0.0 {
        return select(1.0, edge, width == 0.0);
    }
    var sum = 0.0;
    for (var i = 0.0; i < TAPS; i += 1.0) {
        let tap = width * outward(i, TAPS) * way;
        way = GOLDEN * way;
        sum += lit_at(at + tap, depth + dot(slope, tap));
    }
    return mix(sum / TAPS, 1.0, edge);
}

// Half the width of the soft border around a place of the map; below zero where nothing is in the way, zero where all is dark.
fn penumbra(at: vec2f, depth: f32, beyond: f32, slope: vec2f, size: f32, first: vec2f) -> f32 {
    let per_depth = frame.softness * DEPTH;
    let reach = clamp(per_depth * depth, 2.0 * size, SOFTEST);
    var sum = vec2f(0.0);
    var way = first;
    for (var i = 0.0; i < SEARCH_TAPS; i += 1.0) {
        let tap = reach * outward(i, SEARCH_TAPS) * way;
        way = GOLDEN * way;
        let texel = vec2u(clamp((at + tap) / size, vec2f(0.0), vec2f(1.0 / size - 1.0)));
        let found = textureLoad(shadow_depths, texel, 0).x;
        sum += select(vec2f(0.0), vec2f(found, 1.0), found < min(depth + dot(slope, tap), FARTHEST));
    }
    if sum.y == SEARCH_TAPS {
        return 0.0;
    }
    let away = depth + beyond - sum.x / max(sum.y, 1.0);
    return select(-1.0, clamp(per_depth * away, 1.5 * size, SOFTEST), sum.y > 0.0);
}

// How open a place is to light from all around: of the half-resolution map what is as far away.
fn open_share(clip: vec4f) -> f32 {
    if !SOFT {
        return 1.0;
    }
    let most = vec2i(textureDimensions(openness)) - 1;
    let here = clip.xy / frame.size * vec2f(most + 1) - 0.5;
    let corner = vec2i(floor(here));
    let part = fract(here);
    let distance = frame.near / clip.z;
    var sum = vec2f(0.0);
    for (var i = 0; i < 4; i++) {
        let off = vec2i(i & 1, i >> 1u);
        let tap = clamp(corner + off, vec2i(0), most);
        let apart = abs(frame.near / max(textureLoad(half_depths, tap, 0).x, 1e-9) - distance) / (0.1 * frame.reach);
        let share = select(1.0 - part, part, off == vec2i(1));
        let weight = (share.x * share.y + 0.01) * max(1.0 - apart, 1e-3);
        sum += weight * vec2f(textureLoad(openness, tap, 0).x, 1.0);
    }
    return sum.x / sum.y;
}

// Light from all around on a surface with a normal.
fn around(normal: vec3f) -> vec3f {
    return mix(frame.bounce, frame.sky, 0.5 + 0.5 * dot(normal, frame.up));
}

// Of light from all around what arrives in a fold of a colour: some comes back from the fold itself (J. Jimenez et al., 2016).
fn in_fold(open: f32, color: vec3f) -> vec3f {
    let a = 2.0404 * color - 0.3324;
    let b = -4.7951 * color + 0.6417;
    let c = 2.7552 * color + 0.6903;
    return max(vec3f(open), ((open * a + b) * open + c) * open);
}

// What is seen where nothing is: `ray` of any length.
fn behind(ray: vec3f) -> vec3f {
    let rise = smoothstep(-0.1, 0.5, dot(ray, frame.up) / length(ray));
    return mix(frame.horizon, frame.top, rise);
}

// From an amount of light to what a picture stores. Above the knee it is compressed, so that bright cloth keeps its shading; a
// noise smaller than a step of the result breaks up bands.
fn developed(light: vec3f, pixel: vec2f) -> vec4f {
    let over = max(light - 0.72, vec3f(0.0));
    let shown = min(light, vec3f(0.72)) + 0.28 * (1.0 - exp(-over / 0.28));
    let curve = select(1.055 * pow(shown, vec3f(1.0 / 2.4)) - 0.055, 12.92 * shown, shown <= vec3f(0.0031308));
    return vec4f(curve + (noise(pixel + 17.0) - 0.5) / 255.0, 1.0);
}
