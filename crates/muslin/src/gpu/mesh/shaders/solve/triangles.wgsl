// 2D shape matching by averaging ([Bender2013] section 5); twin: solver/shape_matching/regions/gather.rs. Each thread sees
// a triangle with its own vertex as corner 1.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> half_angles: array<f32>;
@group(0) @binding(4) var<storage, read> rest_places: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> back: array<vec4<f32>>;

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

fn each(i: u32) {
    let v = level.first + i;
    let x = front[v];
    let row = fan_row(v);
    var walk = Walk(vec3(0.0), 0.0, Spoke(v, 0.0), x, -1.0);
    var first = Spoke(v, 0.0);
    var first_place = x;
    for (var slot = row.start; slot < row.end; slot += 128u) {
        let s0 = spoke_at(slot, row);
        let s1 = spoke_at(slot + 32u, row);
        let s2 = spoke_at(slot + 64u, row);
        let s3 = spoke_at(slot + 96u, row);
        let t0 = half_angles[slot];
        let t1 = half_angles[min(slot + 32u, row.last)];
        let t2 = half_angles[min(slot + 64u, row.last)];
        let t3 = half_angles[min(slot + 96u, row.last)];
        let y0 = front[s0.vertex];
        let y1 = front[s1.vertex];
        let y2 = front[s2.vertex];
        let y3 = front[s3.vertex];
        if slot == row.start {
            first = s0;
            first_place = y0;
        }
        walk_on(&walk, v, x, s0, y0, t0);
        walk_on(&walk, v, x, s1, y1, t1);
        walk_on(&walk, v, x, s2, y2, t2);
        walk_on(&walk, v, x, s3, y3, t3);
    }
    if walk.half_angle >= 0.0 {
        walk.sum += triangle_correction(v, walk.spoke, first, walk.half_angle, x, walk.place, first_place);
    }
    let moved = select(vec3(0.0), walk.sum, x.w > 0.0);
    back[v] = vec4(x.xyz + moved * (level.alpha / max(walk.edges, 1.0)), x.w);
}
