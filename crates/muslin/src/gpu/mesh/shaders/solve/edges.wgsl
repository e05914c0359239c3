// 1D shape matching by averaging ([Bender2013] eq. 14-15, section 5); twin: solver/shape_matching/regions/gather.rs.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;

fn eight_places(s: array<Spoke, 8>) -> array<vec4<f32>, 8> {
    return array<vec4<f32>, 8>(
        front[s[0].vertex], front[s[1].vertex], front[s[2].vertex], front[s[3].vertex],
        front[s[4].vertex], front[s[5].vertex], front[s[6].vertex], front[s[7].vertex],
    );
}

fn each(i: u32) {
    let v = level.first + i;
    let x = front[v];
    let row = fan_row(v);
    var sum = vec4(0.0);
    for (var slot = row.start; slot < row.end; slot += 256u) {
        let eight = eight_spokes(slot, row);
        sum += eight_edges(x, eight, eight_places(eight), level.only_stretched);
    }
    back[v] = vec4(x.xyz + sum.xyz * (level.beta / max(sum.w, 1.0)), x.w);
}
