// A pass over the vertices of a surface: fetches each position, and sums up its normal from the triangles around it.
// The result is a texel per vertex: the bits of the position; the normal in 2 x 12 bits, and in 8 bits the logarithm of how far
// the vertices around it are from its tangent plane.
struct Spread {
    offset: vec3f,
    count: u32,
}

@group(0) @binding(0) var<uniform> spread: Spread;
@group(0) @binding(1) var places: texture_2d<f32>;
// Of each vertex: its element in `places`, where its ring begins, and how long that is.
@group(0) @binding(2) var rings: texture_2d<u32>;
// Of each triangle in a ring: the elements of its two other vertices, counter-clockwise.
@group(0) @binding(3) var pairs: texture_2d<u32>;

const ROW_BITS = 11u;

fn row(n: u32) -> vec2u {
    return vec2u(n & ((1u << ROW_BITS) - 1u), n >> ROW_BITS);
}

fn place(element: u32) -> vec3f {
    return textureLoad(places, row(element), 0).xyz;
}

// The normal of a sphere through all points, where they are on one (N. Max, 1999).
fn weighed(a: vec3f, b: vec3f) -> vec3f {
    let size = dot(a, a) * dot(b, b);
    return select(cross(a, b) / max(size, 1e-35), vec3f(0.0), size < 1e-30);
}

// The sphere of directions, unfolded into a square.
fn unfolded(n: vec3f) -> vec2f {
    let p = n.xy / (abs(n.x) + abs(n.y) + abs(n.z));
    let side = select(vec2f(-1.0), vec2f(1.0), p >= vec2f(0.0));
    return select((1.0 - abs(p.yx)) * side, p, n.z >= 0.0);
}

@vertex
fn cover(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
    return vec4f(f32(corner & 1u) * 4.0 - 1.0, f32(corner >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn gather(@builtin(position) at: vec4f) -> @location(0) vec4u {
    let number = (u32(at.y) << ROW_BITS) + u32(at.x);
    if number >= spread.count {
        return vec4u(0u);
    }
    let ring = textureLoad(rings, row(number), 0);
    let here = place(ring.x);
    var sum = vec3f(0.0);
    var middle = vec3f(0.0);
    for (var i = ring.y; i < ring.y + ring.z; i++) {
        let pair = textureLoad(pairs, row(i), 0).xy;
        let a = place(pair.x) - here;
        sum += weighed(a, place(pair.y) - here);
        middle += a;
    }
    let length = length(sum);
    let normal = select(vec3f(0.0, 0.0, 1.0), sum / length, length > 0.0);
    let bulge = abs(dot(middle, normal)) / f32(max(ring.z, 1u));
    return vec4u(bitcast<vec3u>(here + spread.offset), packed(unfolded(normal), bulge));
}

fn packed(normal: vec2f, bulge: f32) -> u32 {
    let n = vec2u(round(saturate(0.5 + 0.5 * normal) * 4095.0));
    let b = u32(clamp(8.0 * (log2(bulge + 1e-9) + 26.0), 0.0, 255.0));
    return n.x | (n.y << 12u) | (b << 24u);
}
