// Velocities from the change of places ([Bender2013] eq. 13), limited; twin: step.rs. A particle that lost its finite
// place goes back to where it was, at rest.

struct Status {
    limited: atomic<u32>,   // how often a particle had to be slowed down
    contained: atomic<u32>, // how often a particle had to be put back
    first: atomic<u32>,     // the smallest vertex that had to be
}

@group(0) @binding(1) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> travel: array<vec4<f32>>; // as in arrive.wgsl
@group(0) @binding(4) var<storage, read_write> status: Status;

fn each(v: u32) {
    let x = back[v];
    let old = travel[v];
    let before = start[v].xyz;
    var velocity = (x.xyz - before) / step.dt;
    var remainder = vec3(0.0);
    var is_contained = is_lost(x.xyz);
    if x.w > 0.0 {
        // The last digit of a place over a short step is a speed: velocities are changed by what was corrected.
        let way = travel[2u * step.vertices + v].xyz;
        let aim = before + way;
        is_contained = is_contained || is_lost(aim);
        velocity = old.xyz + step.gained + (x.xyz - aim) / step.dt;
        remainder = way - (aim - before);
    }
    if is_contained {
        if is_lost(x.xyz) {
            back[v] = vec4(before, x.w);
        }
        travel[v] = vec4(vec3(0.0), old.w);
        travel[step.vertices + v] = vec4(0.0);
        atomicAdd(&status.contained, 1u);
        atomicMin(&status.first, v);
        return;
    }
    let speed = length(velocity);
    if speed > step.max_speed {
        velocity *= step.max_speed / speed;
        atomicAdd(&status.limited, 1u);
    }
    travel[v] = vec4(velocity * step.kept, old.w);
    travel[step.vertices + v] = vec4(remainder, 0.0);
}
