// Surfaces seen by the light, and by the camera for ambient occlusion. Goes after frame.wgsl and surface.wgsl.
@vertex
fn seen_by_light(@builtin(vertex_index) number: u32) -> @builtin(position) vec4f {
    let clip = frame.shadow * vec4f(placed(number).place, 1.0);
    // What is nearer to the light than the map reaches throws its shadow all the same.
    return vec4f(clip.xy, max(clip.z, 0.0), clip.w);
}

struct Near {
    @builtin(position) clip: vec4f,
    @location(0) normal: vec3f,
    @location(1) to_eye: vec3f,
}

@vertex
fn seen_by_camera(@builtin(vertex_index) number: u32) -> Near {
    let vertex = placed(number);
    let normal = frame.look * vec4f(vertex.normal, 0.0);
    return Near(frame.clip * vec4f(vertex.place, 1.0), normal.xyz, frame.eye - vertex.place);
}

// The normal towards the camera, in its coordinates.
@fragment
fn normal(near: Near, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let normal = normalize(near.normal) * select(-1.0, 1.0, front);
    return vec4f(0.5 + 0.5 * normal, 1.0);
}
