// 1D shape matching by averaging ([Bender2013] eq. 14-15, section 5); twin: solver/shape_matching/gather.rs.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> injections: array<u32>;
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> entry: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= level.count {
        return;
    }
    let v = level.first + id.x;
    let x = front[v];
    let row = fan_row(v);
    var sum = vec4(0.0);
    for (var slot = row.start; slot < row.end; slot += 256u) {
        let s0 = spoke_at(slot, row);
        let s1 = spoke_at(slot + 32u, row);
        let s2 = spoke_at(slot + 64u, row);
        let s3 = spoke_at(slot + 96u, row);
        let s4 = spoke_at(slot + 128u, row);
        let s5 = spoke_at(slot + 160u, row);
        let s6 = spoke_at(slot + 192u, row);
        let s7 = spoke_at(slot + 224u, row);
        let y0 = front[s0.vertex];
        let y1 = front[s1.vertex];
        let y2 = front[s2.vertex];
        let y3 = front[s3.vertex];
        let y4 = front[s4.vertex];
        let y5 = front[s5.vertex];
        let y6 = front[s6.vertex];
        let y7 = front[s7.vertex];
        let stretched = level.only_stretched;
        sum += edge(x, s0, y0, stretched) + edge(x, s1, y1, stretched) + edge(x, s2, y2, stretched)
            + edge(x, s3, y3, stretched) + edge(x, s4, y4, stretched) + edge(x, s5, y5, stretched)
            + edge(x, s6, y6, stretched) + edge(x, s7, y7, stretched);
    }
    leave(v, vec4(x.xyz + sum.xyz * (level.beta / max(sum.w, 1.0)), x.w));
}
