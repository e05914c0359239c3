// Edges of triangles over the shading. Goes after frame.wgsl and surface.wgsl.
@group(1) @binding(4) var corners: texture_2d<u32>;

struct Wire {
    @builtin(position) clip: vec4f,
    @location(0) weights: vec3f,
}

@vertex
fn span_wire(@builtin(vertex_index) corner: u32) -> Wire {
    let number = textureLoad(corners, row(corner), 0).x;
    let which = corner % 3u;
    let weights = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(which));
    var clip = frame.clip * vec4f(placed(number).place, 1.0);
    // Before its own triangle.
    clip.z *= 1.0004;
    return Wire(clip, weights);
}

@fragment
fn draw_wire(wire: Wire) -> @location(0) vec4f {
    let step = max(fwidth(wire.weights), vec3f(1e-6));
    let pixels = wire.weights / step / frame.scale;
    let nearest = min(pixels.x, min(pixels.y, pixels.z));
    // Where triangles are as small as lines, there would be nothing but lines.
    let room = 1.0 / max(step.x, max(step.y, step.z)) / frame.scale;
    let line = 1.0 - smoothstep(0.2, 1.1, nearest);
    return vec4f(0.05, 0.06, 0.09, 0.5 * line * smoothstep(1.0, 5.0, room));
}
