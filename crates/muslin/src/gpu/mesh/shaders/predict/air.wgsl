// The air's velocity relative to every particle; twin: forces/wind.rs. w: inverse mass, 1/kg.

@group(0) @binding(1) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> rest_places: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> relative: array<vec4<f32>>;

// 64-bit words as (low, high): WGSL has none.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    return vec2((other << 16u) | (low & 0xffffu), (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u));
}

fn multiply(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = wide_product(a.x, b.x);
    return vec2(low.x, low.y + a.x * b.y + a.y * b.x);
}

fn corner(cell: vec3<u32>) -> vec3<f32> {
    let scrambled = cell * vec3(0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du);
    let seeded = step.seed ^ scrambled.x ^ scrambled.y ^ scrambled.z;
    var h = multiply(vec2(seeded, 0u), vec2(0x7f4a7c15u, 0x9e3779b9u));
    let shifted = vec2((h.x >> 29u) | (h.y << 3u), h.y >> 29u);
    h = multiply(h ^ shifted, vec2(0x1ce4e5b9u, 0xbf58476du));
    let channels = vec3(h.x & 0xfffffu, ((h.x >> 20u) | (h.y << 12u)) & 0xfffffu, (h.y >> 8u) & 0xfffffu);
    return vec3<f32>(channels);
}

fn noise(p: vec3<f32>) -> vec3<f32> {
    let below = floor(p);
    var t = p - below;
    t = t * t * (3.0 - 2.0 * t);
    let cell = bitcast<vec3<u32>>(vec3<i32>(below));
    var ends: array<vec3<f32>, 2>;
    for (var k = 0u; k < 2u; k++) {
        let low = mix(corner(cell + vec3(0u, 0u, k)), corner(cell + vec3(1u, 0u, k)), t.x);
        let high = mix(corner(cell + vec3(0u, 1u, k)), corner(cell + vec3(1u, 1u, k)), t.x);
        ends[k] = mix(low, high, t.y);
    }
    return mix(ends[0], ends[1], t.z) / 524288.0 - 1.0;
}

fn each(i: u32) {
    var air = step.air_velocity;
    if step.gust_speed > 0.0 {
        air += noise(start[i].xyz * step.per_gust_size + step.gust_phase) * step.gust_speed;
    }
    relative[i] = vec4(air - velocities[i].xyz, rest_places[i].w);
}
