// Puts lost particles back to where they were, at rest, finds velocities, and measures the strain along threads.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> points: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> status: Status;
@group(0) @binding(5) var<storage, read_write> velocities: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> rests: array<Rest>;

var<workgroup> longest_here: atomic<u32>;

// Where a particle is after all are put back. Its own thread may be doing that just now: before and after it, this is
// the same.
fn contained(index: u32) -> vec4<f32> {
    let x = points[index];
    if x.w > 0.0 && is_lost(x.xyz) {
        return vec4(start[index].xyz, x.w);
    }
    return x;
}

// The bits of a positive number are in the order of numbers; what is not finite does not count, nor what lies between
// held particles, where nothing can be done.
fn length_bits(a: vec4<f32>, b: vec4<f32>) -> u32 {
    let bits = bitcast<u32>(length(b.xyz - a.xyz));
    return select(0u, bits, bits < 0x7f800000u && (a.w > 0.0 || b.w > 0.0));
}

fn finish(index: u32, code: u32) {
    var place = points[index];
    if place.w > 0.0 && is_lost(place.xyz) {
        place = vec4(start[index].xyz, place.w);
        points[index] = place;
        rests[index] = Rest(vec4(0.0), vec4(0.0));
        atomicAdd(&status.contained, 1u);
    }
    let gone = (place.xyz - start[index].xyz) + rests[index].unsaid.xyz;
    velocities[index] = vec4(gone / step.dt, 0.0);
    var bits = 0u;
    if (code & 1u) != 0u {
        bits = length_bits(place, contained(index + 1u));
    }
    if (code & 2u) != 0u {
        bits = max(bits, length_bits(place, contained(index + step.columns)));
    }
    atomicMax(&longest_here, bits);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    if thread == 0u {
        atomicStore(&longest_here, 0u);
    }
    workgroupBarrier();
    if id.x < step.texels {
        let code = codes[id.x];
        if code != 0u {
            finish(id.x, code);
        }
    }
    workgroupBarrier();
    if thread == 0u {
        atomicMax(&status.longest, atomicLoad(&longest_here));
    }
}
