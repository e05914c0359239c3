// Where the bend of every hinge of a curved rest shape should be; twin: bending/quadratic.rs. Here `level`
// counts hinges.

@group(0) @binding(1) var<storage, read> hinges: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> bends: array<vec2<f32>>; // rest bend, length below which C has no direction
@group(0) @binding(4) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> targets: array<vec4<f32>>;

fn each(i: u32) {
    let h = level.first + i;
    let corners = hinges[h];
    let x0 = front[corners.x].xyz;
    let x1 = front[corners.y].xyz;
    let x2 = front[corners.z].xyz;
    let x3 = front[corners.w].xyz;
    let k = weights[h];
    let bend = x0 * k.x + x1 * k.y + x2 * k.z + x3 * k.w;
    let normal = cross(x1 - x0, x3 - x2);
    let side = select(1.0, -1.0, dot(bend, normal) < 0.0);
    let size = length(bend);
    var direction = bend * (side / max(size, 1e-30));
    if size <= bends[h].y {
        direction = normal / max(length(normal), 1e-30);
    }
    targets[h] = vec4(direction * bends[h].x, 0.0);
}
