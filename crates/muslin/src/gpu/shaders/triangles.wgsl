// 2D shape matching by averaging ([Bender2013] eq. 6-12 and 16-18, section 5); twin:
// solver/shape_matching/{triangle,gather}.rs, where the closed forms are derived. Each thread sees
// a triangle with its own vertex as corner 1.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> half_angles: array<f32>;
@group(0) @binding(4) var<storage, read> rest_places: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> injections: array<u32>;
@group(0) @binding(6) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> entry: array<vec4<f32>>;

const TINY = 1e-30;
const COLLAPSED = 1e-5;
const NEARLY_FIXED = 1e-6;

fn mass_fractions(w: vec3<f32>) -> vec3<f32> {
    let u = max(w, vec3(NEARLY_FIXED));
    let n = vec3(u.y * u.z, u.x * u.z, u.x * u.y);
    return n / (n.x + n.y + n.z);
}

fn unit(c: f32, s: f32) -> vec2<f32> {
    let norm = sqrt(c * c + s * s);
    if norm <= TINY {
        return vec2(1.0, 0.0);
    }
    return vec2(c, s) / norm;
}

// The change of the edges 1-2 and 1-3 in the triangle's plane, as (c2, c3), towards the rotated rest shape.
fn rigid(mu: vec3<f32>, l: f32, d: f32, h: f32, p: vec3<f32>) -> vec4<f32> {
    let not2 = mu.x + mu.z;
    let not3 = mu.x + mu.y;
    let q2 = vec2(mu.y * (not2 * l - mu.z * d), -mu.y * mu.z * h);
    let q3 = vec2(mu.z * (not3 * d - mu.y * l), mu.z * not3 * h);
    let r = unit(p.x * q2.x + p.y * q3.x + p.z * q3.y, p.z * q3.x - p.x * q2.y - p.y * q3.y);
    return vec4(l * r.x - p.x, l * r.y, d * r.x - h * r.y - p.y, d * r.y + h * r.x - p.z);
}

// The same, but only stretch is undone.
fn without_stretch(l: f32, d: f32, h: f32, p: vec3<f32>) -> vec4<f32> {
    let a11 = p.x / l;
    let a12 = (p.y - a11 * d) / h;
    let a22 = p.z / h;
    let r = unit(a11 + a22, -a12);
    let v = vec3(r.x * a11, r.x * a12 + r.y * a22, r.x * a22 - r.y * a12);
    let mean = 0.5 * (v.x + v.z);
    let difference = 0.5 * (v.x - v.z);
    let radius = sqrt(difference * difference + v.y * v.y);
    let e = vec2(mean + radius, mean - radius);
    let undo = min(vec2(1.0) - e, vec2(0.0));
    let k = (undo.x - undo.y) / max(2.0 * radius, 1e-12);
    let m = vec3(undo.y + k * (v.x - e.y), k * v.y, undo.y + k * (v.z - e.y));
    let c1 = vec2(r.x * m.x - r.y * m.y, r.y * m.x + r.x * m.y);
    let c2 = vec2(r.x * m.y - r.y * m.z, r.y * m.y + r.x * m.z);
    return vec4(c1 * l, c1 * d + c2 * h);
}

// The frame of the rest pose for a triangle that has lost its own, a little out of its plane: a flat
// cloth whose points all fall together would else unfold within its plane (errata 12). All three corners
// come to the same plane.
fn rest_frame(v: u32, a: u32, b: u32) -> mat2x3<f32> {
    let e2 = rest_places[a].xyz - rest_places[v].xyz;
    let e3 = rest_places[b].xyz - rest_places[v].xyz;
    let scrambled = ((v + a + b) * 0x9e3779b9u) >> 8u;
    let tilt = vec3<f32>(vec3(scrambled & 0xffu, (scrambled >> 8u) & 0xffu, (scrambled >> 16u) & 0xffu));
    let normal = normalize(normalize(cross(e2, e3)) + 0.1 * (tilt / 255.0 - 0.5));
    let ax = normalize(e2 - normal * dot(e2, normal));
    let side = e3 - normal * dot(e3, normal);
    return mat2x3(ax, normalize(side - ax * dot(side, ax)));
}

// What a triangle asks of its corner x; y and z are the others, t the tangent of half its angle at x.
fn triangle_correction(v: u32, a: Spoke, b: Spoke, t: f32, x: vec4<f32>, y: vec4<f32>, z: vec4<f32>) -> vec3<f32> {
    let l = abs(a.length);
    let k = abs(b.length) / (1.0 + t * t);
    let d = k * (1.0 - t * t);
    let h = k * 2.0 * t;
    let e2 = y.xyz - x.xyz;
    let e3 = z.xyz - x.xyz;
    let length = sqrt(dot(e2, e2));
    var ax = e2 / max(length, TINY);
    let along = dot(e3, ax);
    let up = e3 - ax * along;
    let height = sqrt(dot(up, up));
    var ay = up / max(height, TINY);
    if length < l * COLLAPSED || height < h * COLLAPSED {
        let frame = rest_frame(v, a.vertex, b.vertex);
        if length < l * COLLAPSED {
            ax = frame[0];
        }
        let first = frame[1] - ax * dot(frame[1], ax);
        let second = frame[0] - ax * dot(frame[0], ax);
        ay = normalize(select(second, first, dot(first, first) > 0.1));
    }
    let e1 = z.xyz - y.xyz;
    let rest1 = vec2(d - l, h);
    let strains = vec3(length / l, sqrt(dot(e3, e3)) / abs(b.length), sqrt(dot(e1, e1) / dot(rest1, rest1))) - 1.0;
    if level.only_stretched == 2u && min(strains.x, min(strains.y, strains.z)) < 0.0 {
        return vec3(0.0);
    }
    let most = max(strains.x, max(strains.y, strains.z));
    if level.only_stretched >= 3u && most <= 0.0 {
        return vec3(0.0);
    }
    let mu = mass_fractions(vec3(x.w, y.w, z.w));
    let p = vec3(length, along, height);
    var change: vec4<f32>;
    if level.only_stretched >= 1u {
        change = without_stretch(l, d, h, p);
        if level.only_stretched == 4u {
            let a11 = p.x / l;
            let a12 = (p.y - a11 * d) / h;
            let a22 = p.z / h;
            let r = unit(a11 + a22, -a12);
            let v = vec3(r.x * a11, r.x * a12 + r.y * a22, r.x * a22 - r.y * a12);
            let radius = sqrt(0.25 * (v.x - v.z) * (v.x - v.z) + v.y * v.y);
            let stretch = 0.5 * (v.x + v.z) + radius - 1.0;
            change *= clamp(most / max(stretch, 1e-9), 0.0, 1.0);
        }
    } else {
        change = rigid(mu, l, d, h, p);
    }
    let own = -(mu.y * change.xy + mu.z * change.zw);
    return ax * own.x + ay * own.y;
}

// How far around its fan a thread has come.
struct Walk {
    sum: vec3<f32>,
    edges: f32,
    spoke: Spoke,
    place: vec4<f32>,
    half_angle: f32, // to the next spoke; negative: no triangle
}

fn walk_on(walk: ptr<function, Walk>, v: u32, x: vec4<f32>, spoke: Spoke, place: vec4<f32>, half_angle: f32) {
    if spoke.length == 0.0 {
        return;
    }
    let w = *walk;
    if w.half_angle >= 0.0 {
        (*walk).sum += triangle_correction(v, w.spoke, spoke, w.half_angle, x, w.place, place);
    }
    (*walk).edges += select(0.0, 1.0, spoke.length > 0.0);
    (*walk).spoke = spoke;
    (*walk).place = place;
    (*walk).half_angle = half_angle;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= level.count {
        return;
    }
    let v = level.first + id.x;
    let x = front[v];
    let row = fan_row(v);
    var walk = Walk(vec3(0.0), 0.0, Spoke(v, 0.0), x, -1.0);
    var first = Spoke(v, 0.0);
    var first_place = x;
    for (var slot = row.start; slot < row.end; slot += 256u) {
        let s0 = spoke_at(slot, row);
        let s1 = spoke_at(slot + 32u, row);
        let s2 = spoke_at(slot + 64u, row);
        let s3 = spoke_at(slot + 96u, row);
        let s4 = spoke_at(slot + 128u, row);
        let s5 = spoke_at(slot + 160u, row);
        let s6 = spoke_at(slot + 192u, row);
        let s7 = spoke_at(slot + 224u, row);
        let t0 = half_angles[slot];
        let t1 = half_angles[min(slot + 32u, row.last)];
        let t2 = half_angles[min(slot + 64u, row.last)];
        let t3 = half_angles[min(slot + 96u, row.last)];
        let t4 = half_angles[min(slot + 128u, row.last)];
        let t5 = half_angles[min(slot + 160u, row.last)];
        let t6 = half_angles[min(slot + 192u, row.last)];
        let t7 = half_angles[min(slot + 224u, row.last)];
        let y0 = front[s0.vertex];
        let y1 = front[s1.vertex];
        let y2 = front[s2.vertex];
        let y3 = front[s3.vertex];
        let y4 = front[s4.vertex];
        let y5 = front[s5.vertex];
        let y6 = front[s6.vertex];
        let y7 = front[s7.vertex];
        if slot == row.start {
            first = s0;
            first_place = y0;
        }
        walk_on(&walk, v, x, s0, y0, t0);
        walk_on(&walk, v, x, s1, y1, t1);
        walk_on(&walk, v, x, s2, y2, t2);
        walk_on(&walk, v, x, s3, y3, t3);
        walk_on(&walk, v, x, s4, y4, t4);
        walk_on(&walk, v, x, s5, y5, t5);
        walk_on(&walk, v, x, s6, y6, t6);
        walk_on(&walk, v, x, s7, y7, t7);
    }
    if walk.half_angle >= 0.0 {
        walk.sum += triangle_correction(v, walk.spoke, first, walk.half_angle, x, walk.place, first_place);
    }
    let moved = select(vec3(0.0), walk.sum, x.w > 0.0);
    leave(v, vec4(x.xyz + moved * (level.alpha / max(walk.edges, 1.0)), x.w));
}
