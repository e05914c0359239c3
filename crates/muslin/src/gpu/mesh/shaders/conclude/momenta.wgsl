// What the best rigid motion of a piece of cloth is made of (twin: damping/rigid_motion.rs): masses, momenta and moments
// of a stretch of its particles, free and pinned ones apart. One workgroup per stretch. Places and velocities are
// relative to those of one particle of the piece, because sums are in single precision.

@group(0) @binding(1) var<storage, read> pieces: array<u32>;
@group(0) @binding(2) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;
// The inverse mass in w, 1/kg; that of a point is times its edges.
@group(0) @binding(4) var<storage, read> rest_places: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> sums: array<vec4<f32>>;

// Σ m x and Σ m, Σ m v, Σ m x × v, Σ m x²; the last three with Σ m of yz, zx and xy.
struct Sums {
    place: vec4<f32>,
    momentum: vec4<f32>,
    angular: vec4<f32>,
    squares: vec4<f32>,
}

const LANES = 64u;
var<workgroup> free: array<Sums, LANES>;
var<workgroup> pinned: array<Sums, LANES>;

fn none() -> Sums {
    return Sums(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
}

fn plus(a: Sums, b: Sums) -> Sums {
    return Sums(a.place + b.place, a.momentum + b.momentum, a.angular + b.angular, a.squares + b.squares);
}

fn of_particle(mass: f32, x: vec3<f32>, v: vec3<f32>) -> Sums {
    return Sums(
        mass * vec4(x, 1.0),
        mass * vec4(v, x.y * x.z),
        mass * vec4(cross(x, v), x.z * x.x),
        mass * vec4(x * x, x.x * x.y),
    );
}

fn store(at: u32, sum: Sums) {
    sums[at] = sum.place;
    sums[at + 1u] = sum.momentum;
    sums[at + 2u] = sum.angular;
    sums[at + 3u] = sum.squares;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let count = pieces[0];
    for (var stretch = group.x; stretch < count; stretch += groups.x) {
        // First and end in the list of members, and the particle in whose frame sums are.
        let at = 2u + 2u * step.vertices + 3u * stretch;
        let end = pieces[at + 1u];
        let origin = pieces[at + 2u];
        let x0 = points[origin].xyz;
        let v0 = velocities[origin].xyz;
        var own_free = none();
        var own_pinned = none();
        for (var member = pieces[at] + lane; member < end; member += LANES) {
            let v = pieces[2u + step.vertices + member];
            let x = points[v];
            let place = x.xyz - x0;
            let velocity = velocities[v].xyz - v0;
            if x.w > 0.0 {
                own_free = plus(own_free, of_particle(1.0 / rest_places[v].w, place, velocity));
            } else {
                own_pinned = plus(own_pinned, of_particle(1.0, place, velocity));
            }
        }
        free[lane] = own_free;
        pinned[lane] = own_pinned;
        for (var half = LANES / 2u; half > 0u; half /= 2u) {
            workgroupBarrier();
            if lane < half {
                free[lane] = plus(free[lane], free[lane + half]);
                pinned[lane] = plus(pinned[lane], pinned[lane + half]);
            }
        }
        if lane == 0u {
            store(8u * stretch, free[0]);
            store(8u * stretch + 4u, pinned[0]);
        }
        workgroupBarrier();
    }
}
