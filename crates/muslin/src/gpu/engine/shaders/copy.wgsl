// Reads and writes memory, and does nothing else: a yardstick.

@group(0) @binding(0) var<uniform> points: vec4<u32>; // how many, four times
@group(0) @binding(1) var<storage, read> from_here: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> to_there: array<vec4<f32>>;

fn each(i: u32) {
    to_there[i] = from_here[i];
}
