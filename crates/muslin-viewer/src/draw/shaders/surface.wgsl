// A surface: its looks, and its vertices as the pass over them left them.
struct Surface {
    pose: mat4x4f,
    front: vec3f,
    sheen: f32,
    back: vec3f,
    gloss: f32,
    second: vec3f,
    translucency: f32,
    // Of the weave, periods per metre.
    scale: f32,
    is_marked: u32,
    unused: vec2u,
}

@group(1) @binding(0) var<uniform> surface: Surface;
@group(1) @binding(1) var vertices: texture_2d<u32>;

struct Placed {
    place: vec3f,
    normal: vec3f,
    // How far the vertices around it are from its tangent plane.
    bulge: f32,
}

fn folded(p: vec2f) -> vec3f {
    let n = vec3f(p, 1.0 - abs(p.x) - abs(p.y));
    let below = max(-n.z, 0.0);
    let side = select(vec2f(1.0), vec2f(-1.0), n.xy >= vec2f(0.0));
    return normalize(vec3f(n.xy + side * below, n.z));
}

// Vertex `number` in the scenery.
fn placed(number: u32) -> Placed {
    let texel = textureLoad(vertices, row(number), 0);
    let place = surface.pose * vec4f(bitcast<vec3f>(texel.xyz), 1.0);
    let unfolded = vec2f(vec2u(texel.w, texel.w >> 12u) & vec2u(4095u)) / 2047.5 - 1.0;
    let normal = surface.pose * vec4f(folded(unfolded), 0.0);
    return Placed(place.xyz, normal.xyz, exp2(f32(texel.w >> 24u) / 8.0 - 26.0));
}
