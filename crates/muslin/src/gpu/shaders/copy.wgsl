// Reads and writes memory, and does nothing else: a yardstick.

@group(0) @binding(0) var<storage, read> from_here: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> to_there: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    to_there[id.x] = from_here[id.x];
}
