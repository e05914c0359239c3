// Takes a share of what velocities have beyond the rigid motion of their piece (twin: damping/rigid_motion.rs).

@group(0) @binding(1) var<storage, read> pieces: array<u32>;
@group(0) @binding(2) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> motions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4<f32>>;

fn each(v: u32) {
    let x = points[v];
    if x.w > 0.0 {
        let motion = 3u * pieces[2u + v];
        let own = velocities[v];
        let rigid = motions[motion + 1u].xyz + cross(motions[motion + 2u].xyz, x.xyz - motions[motion].xyz);
        velocities[v] = vec4(own.xyz + step.damping * (rigid - own.xyz), own.w);
    }
}
