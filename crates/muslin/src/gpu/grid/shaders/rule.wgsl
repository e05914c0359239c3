// Distance constraints. A kernel says where points are (`point`), and has `anchors` and the `finest` level's points.

struct Anchor {
    texel: u32, // of the finest level
    distance: f32,
}

// By how much two particles are to approach each other ([Schmitt2013] eq. 1, errata 3 and 4).
fn excess(level: Level, apart: f32, stretch: f32, rest: f32) -> f32 {
    let limit = rest * (1.0 + level.slack);
    if apart > limit {
        return stretch * (apart - limit);
    }
    if apart < rest {
        return level.compression * stretch * (apart - rest);
    }
    return 0.0;
}

// What brings an anchored particle back to where its anchor lets it be (xyz), and 1 (w) if it is not there.
fn anchor_pull(level: Level, index: u32, own: vec4<f32>) -> vec4<f32> {
    let anchor = anchors[level.first_anchor + index];
    let apart = finest[anchor.texel].xyz - own.xyz;
    let far = length(apart);
    let limit = anchor.distance * (1.0 + level.slack);
    if far > limit {
        return vec4(apart * ((far - limit) / far), 1.0);
    }
    return vec4(0.0);
}
