// Verlet: the last step's motion goes on, and gravity is added. Held particles go where they are told.

struct Status {
    longest: atomic<u32>,   // between neighbours along threads, the bits of metres
    contained: atomic<u32>,
}

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> held_numbers: array<u32>;
@group(0) @binding(3) var<storage, read> held_places: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> previous: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> status: Status;

fn motion(index: u32) -> vec3<f32> {
    return points[index].xyz - previous[index].xyz;
}

fn smoothed(index: u32, own: vec3<f32>) -> vec3<f32> {
    let code = codes[index];
    let steps = array<u32, 4>(1u, step.columns, 0u - 1u, 0u - step.columns);
    var sum = vec3(0.0);
    var count = 0.0;
    for (var k = 0u; k < 4u; k++) {
        if ((code >> k) & 1u) == 1u {
            sum += motion(index + steps[k]);
            count += 1.0;
        }
    }
    if count == 0.0 {
        return own;
    }
    return own + step.smoothing * (sum / count - own);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x == 0u {
        atomicStore(&status.longest, 0u);
        atomicStore(&status.contained, 0u);
    }
    if id.x >= step.texels || codes[id.x] == 0u {
        return;
    }
    let own = points[id.x];
    if own.w == 0.0 {
        let number = held_numbers[id.x];
        if number < step.held {
            back[id.x] = vec4(held_places[number].xyz, 0.0);
        } else {
            back[id.x] = own;
        }
        return;
    }
    var moved = motion(id.x);
    if step.smoothing > 0.0 {
        moved = smoothed(id.x, moved);
    }
    moved = moved * step.kept + step.fall;
    let distance = length(moved);
    if distance > step.farthest {
        moved *= step.farthest / distance;
    }
    back[id.x] = vec4(own.xyz + moved, own.w);
}
