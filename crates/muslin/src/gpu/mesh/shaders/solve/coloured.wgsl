// Constraints of one colour, of which no two share a vertex: each sees what the colours before did (Gauss-Seidel).

@group(0) @binding(1) var<storage, read> lengths: array<Length>;
@group(0) @binding(2) var<storage, read_write> back: array<vec4<f32>>;

fn place(v: u32) -> vec3<f32> {
    return back[v].xyz;
}

fn move_by(v: u32, change: vec3<f32>) {
    back[v] = vec4(back[v].xyz + change, back[v].w);
}

fn each(i: u32) {
    let c = lengths[level.first + i];
    let change = projection(c);
    for (var i = 0u; i < 4u; i++) {
        if c.shares[i] != 0.0 {
            move_by(c.vertices[i], change * c.shares[i]);
        }
    }
}
