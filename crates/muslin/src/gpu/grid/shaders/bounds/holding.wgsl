// What bounds where particles may be, whatever level they are on; twin: solver/multilevel/bounds/holding.rs. A kernel
// has `holds` and the `finest` level's points.

fn held_by(level: Level, tether: Tether, own: vec3<f32>) -> vec3<f32> {
    let apart = finest[tether.texel].xyz - own;
    let far = length(apart);
    let limit = tether.length * (1.0 + level.slack);
    if far > limit {
        return own + apart * (level.stretch_weft * (far - limit) / far);
    }
    return own;
}

// A particle brought back to where its tethers let it be, the nearest at last, and out of what is near.
fn held_back(level: Level, index: u32, own: vec4<f32>) -> vec4<f32> {
    if level.holds == 0u || own.w == 0.0 {
        return own;
    }
    let row = index / level.columns;
    let at = (row * level.finest_columns + index % level.columns) * level.stride;
    var held = own.xyz;
    if (level.holds & TETHERS) != 0u {
        held = held_by(level, holds[at].tethers[0], held_by(level, holds[at].tethers[1], held));
    }
    if (level.holds & PLANES) != 0u {
        let out = way_out(holds[at].plane, held);
        held += out.xyz * out.w;
    }
    return vec4(held, own.w);
}
