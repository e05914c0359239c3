// The end of a prediction, with or without wind: where a particle comes to in a step, and where pins are at its
// end ([Bender2013] eq. 2). `velocity.w` names a pinned particle's place in the list of moving pins, counted from
// 1. Uses `start`, `back`, `travel` and `pins`, which a kernel declares with its own bindings.
//
// `travel` has three parts, of one entry per particle: velocities, what rounding took from places, and the way that was
// aimed at, which finish.wgsl compares with what became of it.

fn arrive(v: u32, velocity: vec4<f32>) {
    var x = start[v];
    if x.w > 0.0 {
        let way = velocity.xyz * step.dt + step.gained * step.dt + travel[step.vertices + v].xyz;
        travel[v] = velocity;
        travel[2u * step.vertices + v] = vec4(way, 0.0);
        x = vec4(x.xyz + way, x.w);
    } else if velocity.w > 0.0 {
        x = vec4(pins[step.first_pin + u32(velocity.w) - 1u].xyz, 0.0);
    }
    // Lost ones stay, before the solver spreads them over their neighbours; finish.wgsl counts them.
    back[v] = select(x, vec4(start[v].xyz, x.w), is_lost(x.xyz));
}
