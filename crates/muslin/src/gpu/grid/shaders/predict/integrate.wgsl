// Particles go on with their velocities, and gravity is added. Held particles go where they are told.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> held_numbers: array<u32>;
@group(0) @binding(3) var<storage, read> held_places: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> back: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> status: Status;
@group(0) @binding(8) var<storage, read_write> rests: array<Rest>;

fn smoothed(index: u32, own: vec3<f32>) -> vec3<f32> {
    let code = codes[index];
    let steps = array<u32, 4>(1u, step.columns, 0u - 1u, 0u - step.columns);
    var sum = vec3(0.0);
    var count = 0.0;
    for (var k = 0u; k < 4u; k++) {
        if ((code >> k) & 1u) == 1u {
            sum += velocities[index + steps[k]].xyz;
            count += 1.0;
        }
    }
    return own + (0.25 * step.smoothing) * (sum - count * own);
}

fn each(i: u32) {
    if i == 0u {
        atomicStore(&status.longest, 0u);
        atomicStore(&status.contained, 0u);
    }
    if codes[i] == 0u {
        return;
    }
    let own = points[i];
    if own.w == 0.0 {
        let number = held_numbers[i];
        if number < step.held {
            back[i] = vec4(held_places[number].xyz, 0.0);
        } else {
            back[i] = own;
        }
        rests[i].unsaid = vec4(0.0);
        return;
    }
    var velocity = velocities[i].xyz;
    if step.smoothing > 0.0 {
        velocity = smoothed(i, velocity);
    }
    var moved = velocity * step.dt + step.fall;
    let distance = length(moved);
    if distance > step.farthest {
        moved *= step.farthest / distance;
    }
    let remainder = rests[i].remainder.xyz;
    let place = own.xyz + (moved + remainder);
    let unsaid = moved - said(place, own.xyz);
    rests[i] = Rest(vec4(remainder + unsaid, 0.0), vec4(unsaid, 0.0));
    back[i] = vec4(place, own.w);
}
