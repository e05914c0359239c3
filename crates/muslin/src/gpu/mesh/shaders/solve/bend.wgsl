// Bending as a product with a constant matrix, and tethers; twins: bending/gather.rs, cloth/tethers.rs. The uniform's
// alpha is 0 where only tethers are held, else 1.

@group(0) @binding(1) var<storage, read> slices: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> curved_slices: array<u32>;
@group(0) @binding(4) var<storage, read> curved_rows: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> targets: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> tethers: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> back: array<vec4<f32>>;

fn pulled(slot: u32, end: u32, last: u32, x: vec3<f32>) -> vec3<f32> {
    let term = rows[min(slot, last)];
    let pull = (front[term.x].xyz - x) * bitcast<f32>(term.y);
    return select(vec3(0.0), pull, slot < end && term.y != 0u);
}

fn bent(v: u32, x: vec3<f32>) -> vec3<f32> {
    var sum = vec3(0.0);
    let slice = v / 32u;
    let end = slices[slice + 1u];
    let last = end - 32u + v % 32u;
    // Four at a time: their loads do not wait for each other.
    for (var slot = slices[slice] + v % 32u; slot < end; slot += 128u) {
        sum += pulled(slot, end, last, x) + pulled(slot + 32u, end, last, x)
            + pulled(slot + 64u, end, last, x) + pulled(slot + 96u, end, last, x);
    }
    let curved_end = curved_slices[slice + 1u];
    for (var slot = curved_slices[slice] + v % 32u; slot < curved_end; slot += 32u) {
        let term = curved_rows[slot];
        sum += targets[term.x].xyz * bitcast<f32>(term.y);
    }
    return x + sum * level.alpha;
}

// Pulled back to the end of each tether that is taut. Only the finest level has them: its vertices are the
// first.
fn held(v: u32, place: vec3<f32>) -> vec3<f32> {
    var x = place;
    for (var k = 0u; k < level.tethers; k++) {
        let tether = tethers[k * level.count + v];
        if tether.x == NONE {
            break;
        }
        let pin = front[tether.x].xyz;
        let longest = bitcast<f32>(tether.y);
        let away = x - pin;
        let distance_sq = dot(away, away);
        if distance_sq > longest * longest {
            x = pin + away * (longest / sqrt(distance_sq));
        }
    }
    return x;
}

fn each(i: u32) {
    let v = level.first + i;
    let x = front[v];
    if x.w > 0.0 {
        back[v] = vec4(held(v, bent(v, x.xyz)), x.w);
    } else {
        back[v] = x;
    }
}
