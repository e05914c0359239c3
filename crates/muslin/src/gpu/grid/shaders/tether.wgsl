// Tethers; twin: solver/multilevel/tethers.rs. A kernel has `tethers` and the `finest` level's points.

struct Tether {
    texel: u32, // a held one of the finest level
    length: f32,
}

fn held_by(level: Level, tether: Tether, own: vec3<f32>) -> vec3<f32> {
    let apart = finest[tether.texel].xyz - own;
    let far = length(apart);
    let limit = tether.length * (1.0 + level.slack);
    if far > limit {
        return own + apart * (level.stretch_weft * (far - limit) / far);
    }
    return own;
}

// A particle brought back to where its tethers let it be, the nearest at last.
fn held_back(level: Level, index: u32, own: vec4<f32>) -> vec4<f32> {
    let row = index / level.columns;
    let at = (row * level.finest_columns + index % level.columns) * level.stride;
    let both = tethers[at];
    return vec4(held_by(level, both[0], held_by(level, both[1], own.xyz)), own.w);
}
