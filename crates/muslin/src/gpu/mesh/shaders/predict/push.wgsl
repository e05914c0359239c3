// Adds to velocities what pushes and forces from outside do; no two entries name the same vertex. An entry is m/s in x, y and z,
// and the vertex, whose highest bit is set where nothing else is left of the velocity.

@group(0) @binding(1) var<storage, read> pushes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> travel: array<vec4<f32>>;

fn each(i: u32) {
    let push = pushes[step.first_push + i];
    let v = push.w & 0x7fffffffu;
    let old = travel[v];
    let kept = select(old.xyz, vec3(0.0), push.w > v);
    travel[v] = vec4(kept + bitcast<vec3<f32>>(push.xyz), old.w);
}
