// Velocities from the change of places ([Bender2013] eq. 13), limited, and damped along edges (errata 15;
// twin: damping/mod.rs). A particle that lost its finite place goes back to where it was, at rest.

struct Status {
    limited: atomic<u32>,   // how often a particle had to be slowed down
    contained: atomic<u32>, // how often a particle had to be put back
    first: atomic<u32>,     // the smallest vertex that had to be
}

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> status: Status;

fn velocity(now: vec3<f32>, before: vec3<f32>) -> vec3<f32> {
    let free = (now - before) / step.dt;
    return free * min(1.0, step.max_speed / max(length(free), 1e-20));
}

// What the damping of an edge adds to the velocity of its end x, per mobility (xyz), and 1 (w) to count it.
fn damp(x: vec4<f32>, own: vec3<f32>, spoke: Spoke) -> vec4<f32> {
    var y = back[spoke.vertex];
    let before = start[spoke.vertex].xyz;
    // A lost neighbour is being put back just now: before or after that, it counts as there and at rest.
    if is_lost(y.xyz) {
        y = vec4(before, y.w);
    }
    let other = velocity(y.xyz, before);
    let along = y.xyz - x.xyz;
    let weight = max(dot(along, along) * (x.w + y.w), 1e-20);
    let change = along * (step.damping * dot(other - own, along) / weight);
    return select(vec4(0.0), vec4(change, 1.0), spoke.length > 0.0);
}

fn damped(v: u32, x: vec4<f32>, own: vec3<f32>) -> vec3<f32> {
    var sum = vec4(0.0);
    let row = fan_row(v);
    for (var slot = row.start; slot < row.end; slot += 128u) {
        let s0 = spoke_at(slot, row);
        let s1 = spoke_at(slot + 32u, row);
        let s2 = spoke_at(slot + 64u, row);
        let s3 = spoke_at(slot + 96u, row);
        sum += damp(x, own, s0) + damp(x, own, s1) + damp(x, own, s2) + damp(x, own, s3);
    }
    return own + sum.xyz * (x.w / max(sum.w, 1.0));
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= step.vertices {
        return;
    }
    let v = id.x;
    let x = back[v];
    let old = velocities[v];
    let aim = start[v].xyz + old.xyz * step.dt + step.gravity * (step.dt * step.dt);
    if is_lost(x.xyz) || (x.w > 0.0 && is_lost(aim)) {
        if is_lost(x.xyz) {
            back[v] = vec4(start[v].xyz, x.w);
        }
        velocities[v] = vec4(vec3(0.0), old.w);
        atomicAdd(&status.contained, 1u);
        atomicMin(&status.first, v);
        return;
    }
    var own = velocity(x.xyz, start[v].xyz);
    if length(x.xyz - start[v].xyz) > step.max_speed * step.dt {
        atomicAdd(&status.limited, 1u);
    }
    if step.damping > 0.0 && x.w > 0.0 {
        own = damped(v, x, own);
    }
    velocities[v] = vec4(own * step.kept, old.w);
}
