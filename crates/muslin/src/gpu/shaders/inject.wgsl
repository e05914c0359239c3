// The end of a pass: the new place of a vertex, and, on the way down, of the coarser vertex which it is.

fn leave(v: u32, x: vec4<f32>) {
    back[v] = x;
    if level.inject == 1u {
        let coarse = injections[v];
        if coarse != NONE {
            let entered = vec4(x.xyz, back[coarse].w);
            back[coarse] = entered;
            entry[coarse] = entered;
        }
    }
}
