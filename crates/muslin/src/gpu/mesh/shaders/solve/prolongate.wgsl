// Carries what happened on the next coarser level since it was entered to a level (errata 7).

@group(0) @binding(1) var<storage, read> interpolations: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> entry: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;

fn change(coarse: u32) -> vec3<f32> {
    var now = front[coarse];
    if level.coarse_in_back == 1u {
        now = back[coarse];
    }
    return now.xyz - entry[coarse].xyz;
}

fn each(i: u32) {
    let v = level.first + i;
    var x = front[v];
    if x.w > 0.0 {
        let place = interpolations[v];
        let weights = unpack2x16unorm(place.w);
        let moved = change(place.x) * weights.x + change(place.y) * weights.y
            + change(place.z) * (1.0 - weights.x - weights.y);
        x = vec4(x.xyz + moved, x.w);
    }
    back[v] = x;
}
