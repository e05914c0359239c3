// Starts all coarse levels at once from the finest: levels are nested, every coarse vertex is a fine one.
// For the cycle that does nothing on the way down.

@group(0) @binding(1) var<storage, read> finest_vertices: array<u32>;
@group(0) @binding(2) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> entry: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= level.count {
        return;
    }
    let v = level.first + id.x;
    let fine = finest_vertices[v];
    if fine != NONE {
        let entered = vec4(front[fine].xyz, back[v].w);
        back[v] = entered;
        entry[v] = entered;
    }
}
