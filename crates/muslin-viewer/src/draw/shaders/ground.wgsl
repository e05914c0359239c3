// Ground and sky. Goes after frame.wgsl, light.wgsl and floor.wgsl.
@fragment
fn shade_floor(floor: Floor) -> @location(0) vec4f {
    let ray = floor.place - frame.eye;
    let distance = length(floor.place - frame.middle - dot(floor.place - frame.middle, frame.up) * frame.up);
    let far = smoothstep(FADE.x, FADE.y, distance / frame.radius);
    let key = frame.key * max(dot(frame.toward, frame.up), 0.0);
    let sky = frame.sky;
    let clip = vec4f(floor.clip.xy, floor.clip.z * YIELD, 1.0);
    let fold = in_fold(open_share(clip), frame.ground);
    // Where nothing is in the way, the ground has its own colour.
    let light = (key * key_share(floor.place, frame.up, 0.0, floor.clip.xy) + fold * sky) / (key + sky);
    return developed(mix(frame.ground * light, behind(ray), far), floor.clip.xy);
}

struct Sky {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn span(@builtin(vertex_index) corner: u32) -> Sky {
    let at = covering(corner);
    let ray = vec4f(at * frame.lens, -1.0, 0.0) * frame.look;
    return Sky(vec4f(at, 0.0, 1.0), ray.xyz);
}

@fragment
fn shade_sky(sky: Sky) -> @location(0) vec4f {
    return developed(behind(sky.ray), sky.clip.xy);
}
