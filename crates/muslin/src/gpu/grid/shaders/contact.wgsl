// Particles are moved out of what is near ([Schmitt2013] leaves that to the coarse mesh). Twin:
// solver/multilevel/contact.rs.

@group(0) @binding(1) var<storage, read> samples: array<vec4<u32>>; // two for each
@group(0) @binding(2) var<storage, read> planes: array<vec4<f32>>;  // per coarse vertex: n·x ≥ w outside
@group(0) @binding(3) var<storage, read_write> points: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= step.samples {
        return;
    }
    let sample = sample_at(id.x);
    let own = points[sample.texel];
    var normal = vec3(0.0);
    var depth = 0.0;
    for (var i = 0u; i < 3u; i++) {
        let plane = planes[sample.vertices[i]];
        let weight = max(sample.weights[i], 0.0);
        normal += weight * plane.xyz;
        depth += weight * (plane.w - dot(plane.xyz, own.xyz));
    }
    let size = length(normal);
    if depth > 0.0 && size > 0.0 && own.w > 0.0 {
        points[sample.texel] = vec4(own.xyz + normal * (depth / size), own.w);
    }
}
