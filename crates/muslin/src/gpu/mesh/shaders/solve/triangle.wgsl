// A 2D region as one of its corners sees it ([Bender2013] eq. 6-12 and 16-18); the closed forms are derived in
// solver/shape_matching/regions/triangle.rs.

const TINY = 1e-30; // of squared lengths
const COLLAPSED = 1e-5;
const NEARLY_FIXED = 1e-6;

fn mass_fractions(w: vec3<f32>) -> vec3<f32> {
    let u = max(w, vec3(NEARLY_FIXED));
    let n = vec3(u.y * u.z, u.x * u.z, u.x * u.y);
    return n * (1.0 / (n.x + n.y + n.z));
}

fn unit(c: f32, s: f32) -> vec2<f32> {
    let norm_sq = c * c + s * s;
    if norm_sq <= TINY {
        return vec2(1.0, 0.0);
    }
    return vec2(c, s) * inverseSqrt(norm_sq);
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
    // Fans may run against the triangle's winding: the order of the numbers gives all corners one side.
    let forward = (u32(v < a) + u32(a < b) + u32(b < v)) == 2u;
    let side_up = normalize(cross(e2, e3)) * select(-1.0, 1.0, forward);
    let normal = normalize(side_up + 0.1 * (tilt / 255.0 - 0.5));
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
    let length_sq = dot(e2, e2);
    let per_length = inverseSqrt(max(length_sq, TINY));
    let length = length_sq * per_length;
    var ax = e2 * per_length;
    let along = dot(e3, ax);
    let up = e3 - ax * along;
    let height_sq = dot(up, up);
    let per_height = inverseSqrt(max(height_sq, TINY));
    let height = height_sq * per_height;
    var ay = up * per_height;
    if length < l * COLLAPSED || height < h * COLLAPSED {
        let frame = rest_frame(v, a.vertex, b.vertex);
        if length < l * COLLAPSED {
            ax = frame[0];
        }
        let first = frame[1] - ax * dot(frame[1], ax);
        let second = frame[0] - ax * dot(frame[0], ax);
        ay = normalize(select(second, first, dot(first, first) > 0.1));
    }
    let mu = mass_fractions(vec3(x.w, y.w, z.w));
    let p = vec3(length, along, height);
    var change: vec4<f32>;
    if level.only_stretched == 1u {
        change = without_stretch(l, d, h, p);
    } else {
        change = rigid(mu, l, d, h, p);
    }
    let own = -(mu.y * change.xy + mu.z * change.zw);
    return ax * own.x + ay * own.y;
}

