// Where particles would go without anything to hold them ([Bender2013] eq. 2), and where pins are at the
// end of the step. The w of a pinned particle's velocity names its place in the list of moving pins,
// counted from 1.

@group(0) @binding(1) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> pins: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= step.vertices {
        return;
    }
    let v = id.x;
    var x = start[v];
    let velocity = velocities[v];
    if x.w > 0.0 {
        x = vec4(x.xyz + velocity.xyz * step.dt + step.gravity * (step.dt * step.dt), x.w);
    } else if velocity.w > 0.0 {
        x = vec4(pins[step.first_pin + u32(velocity.w) - 1u].xyz, 0.0);
    }
    // Lost ones stay, before the solver spreads them over their neighbours; finish.wgsl counts them.
    back[v] = select(x, vec4(start[v].xyz, x.w), is_lost(x.xyz));
}
