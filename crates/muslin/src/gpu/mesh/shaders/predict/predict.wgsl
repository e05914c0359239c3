// Where particles would go without anything to hold them.

@group(0) @binding(1) var<storage, read_write> travel: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> pins: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> back: array<vec4<f32>>;

fn each(v: u32) {
    arrive(v, travel[v]);
}
