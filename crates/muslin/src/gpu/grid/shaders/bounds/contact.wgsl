// Particles of the finest level are moved out of what is near, with friction ([Schmitt2013] leaves that to the coarse
// mesh), and their planes are kept for the other levels. Twin: solver/multilevel/bounds/contact.rs.

struct Near {
    plane: vec4<f32>,    // n·x ≥ w outside, at the end of the step
    before: vec4<f32>,   // at its start
    friction: vec4<f32>, // while sliding, at rest
    moved: vec4<f32>,    // in the step
}

@group(0) @binding(1) var<storage, read> samples: array<vec4<u32>>; // two for each
@group(0) @binding(2) var<storage, read> near: array<Near>;         // per coarse vertex
@group(0) @binding(3) var<storage, read> previous: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> points: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> holds: array<Hold>;

fn each(i: u32) {
    let sample = sample_at(i);
    var plane = vec4(0.0);
    var before = vec4(0.0);
    var friction = vec2(0.0);
    var moved = vec3(0.0);
    var weights = 0.0;
    var known_weight = 0.0;
    for (var i = 0u; i < 3u; i++) {
        let weight = max(sample.weights[i], 0.0);
        let known = near[sample.vertices[i]];
        plane += weight * known.plane;
        before += weight * known.before;
        friction += weight * known.friction.xy;
        moved += weight * known.moved.xyz;
        weights += weight;
        known_weight += select(0.0, weight, any(known.plane != vec4(0.0)));
    }
    plane /= max(weights, 1.0);
    before /= max(weights, 1.0);
    friction /= max(weights, 1.0);
    let came_from = previous[sample.texel].xyz;
    plane.w -= max(before.w - dot(before.xyz, came_from), 0.0);
    holds[sample.texel].plane = plane;
    let own = points[sample.texel];
    let way = way_out(plane, own.xyz);
    if way.w <= 0.0 || own.w == 0.0 {
        return;
    }
    let out = own.xyz + way.xyz * way.w;
    let slid = out - came_from - moved / max(known_weight, 1e-6);
    let along = slid - way.xyz * dot(way.xyz, slid);
    let far = length(along);
    var share = 1.0;
    if far > friction.y * way.w {
        share = min(friction.x * way.w / far, 1.0);
    }
    points[sample.texel] = vec4(out - along * share, own.w);
}
