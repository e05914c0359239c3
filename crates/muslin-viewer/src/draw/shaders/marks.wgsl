// Points of constant size over everything. Goes after frame.wgsl.
struct Mark {
    @builtin(position) clip: vec4f,
    @location(0) off: vec2f,
    @location(1) @interpolate(flat) kind: u32,
}

const PIN = 0u;
const CONTACT = 1u;
const HOLD = 2u;

fn radius_of(kind: u32) -> f32 {
    if kind == CONTACT {
        return 2.4;
    }
    return select(6.5, 4.5, kind == PIN);
}

@vertex
fn put(@builtin(vertex_index) corner: u32, @location(0) place: vec3f, @location(1) kind: u32) -> Mark {
    // Two triangles: corners 0, 1, 2 and 3, 2, 1.
    let which = select(corner, 6u - corner, corner > 2u);
    let square = vec2f(f32(which & 1u), f32(which >> 1u)) * 2.0 - 1.0;
    let off = square * (radius_of(kind) + 2.0);
    let clip = frame.clip * vec4f(place, 1.0);
    let shift = 2.0 * off * frame.scale / frame.size * clip.w;
    return Mark(vec4f(clip.xy + shift, clip.z, clip.w), off, kind);
}

fn color_of(kind: u32) -> vec3f {
    switch kind {
        case PIN: {
            return vec3f(0.98, 0.72, 0.15);
        }
        case CONTACT: {
            return vec3f(0.90, 0.27, 0.22);
        }
        case HOLD: {
            return vec3f(0.18, 0.62, 0.98);
        }
        default: {
            return vec3f(1.0, 1.0, 1.0);
        }
    }
}

@fragment
fn draw_mark(mark: Mark) -> @location(0) vec4f {
    let radius = radius_of(mark.kind);
    let distance = length(mark.off);
    let soft = 0.5 / frame.scale + 0.25;
    let inside = 1.0 - smoothstep(radius - soft, radius + soft, distance);
    let is_ring = mark.kind > HOLD;
    let core = select(1.0, smoothstep(radius - 2.0 - soft, radius - 2.0 + soft, distance), is_ring);
    // A dark border makes it seen on any cloth.
    let border = select(radius - 1.2, radius, mark.kind == CONTACT);
    let dark = smoothstep(border - soft, border + soft, distance) * 0.75;
    return vec4f(mix(color_of(mark.kind), vec3f(0.08, 0.09, 0.11), dark), inside * core);
}
