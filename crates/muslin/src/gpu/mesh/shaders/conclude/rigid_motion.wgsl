// The best rigid motion of each piece of cloth, from the sums of its stretches (twin: damping/rigid_motion.rs, where the
// formulas are). One workgroup per piece.

@group(0) @binding(1) var<storage, read> pieces: array<u32>;
@group(0) @binding(2) var<storage, read> points: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> velocities: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> sums: array<vec4<f32>>;
// Centre, velocity and rotation of each piece.
@group(0) @binding(5) var<storage, read_write> motions: array<vec4<f32>>;

// Weight of all pins of a piece, relative to its free mass.
const PINS = 1000.0;
// Added to moments of inertia, relative to their sum: a piece in a line has none about it.
const LEAST_INERTIA = 2e-8;

const LANES = 64u;
// Four vectors of free particles, four of pins.
var<workgroup> lanes: array<array<vec4<f32>, 8>, LANES>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    for (var piece = group.x; piece < pieces[1]; piece += groups.x) {
        let first = pieces[firsts() + piece];
        let end = pieces[firsts() + piece + 1u];
        var own = array<vec4<f32>, 8>();
        for (var stretch = first + lane; stretch < end; stretch += LANES) {
            for (var i = 0u; i < 8u; i++) {
                own[i] += sums[8u * stretch + i];
            }
        }
        lanes[lane] = own;
        for (var half = LANES / 2u; half > 0u; half /= 2u) {
            workgroupBarrier();
            if lane < half {
                for (var i = 0u; i < 8u; i++) {
                    lanes[lane][i] += lanes[lane + half][i];
                }
            }
        }
        if lane == 0u {
            each(piece, pieces[stretches() + 3u * first + 2u]);
        }
        workgroupBarrier();
    }
}

fn stretches() -> u32 {
    return 2u + 2u * step.vertices;
}

fn firsts() -> u32 {
    return stretches() + 3u * pieces[0];
}

// A piece whose sums stand in the first lane, relative to a particle.
fn each(piece: u32, origin: u32) {
    let weight = PINS * lanes[0][0].w / max(lanes[0][4].w, 1.0);
    var all = array<vec4<f32>, 4>();
    for (var i = 0u; i < 4u; i++) {
        all[i] = lanes[0][i] + weight * lanes[0][i + 4u];
    }
    let mass = max(all[0].w, 1e-30);
    let centre = all[0].xyz / mass;
    let velocity = all[1].xyz / mass;
    let angular = all[2].xyz - cross(all[0].xyz, velocity);
    let squares = max(all[3].xyz - all[0].xyz * centre, vec3(0.0));
    let p = vec3(all[1].w, all[2].w, all[3].w) - mass * centre.yzx * centre.zxy;
    let sum = squares.x + squares.y + squares.z;
    // Not the sum less one: what is heavy about the pins would hide what is light about their line.
    let m = squares.yzx + squares.zxy + vec3(sum * LEAST_INERTIA);
    // The inverse by cofactors; the inertia is symmetric with −p beside its diagonal. Scaled, or cubes would overflow.
    let scale = 1.0 / max(sum, 1e-30);
    let d = m * scale;
    let o = -p * scale;
    let diagonal = d.yzx * d.zxy - o * o;
    let beside = o.yzx * o.zxy - d * o;
    let determinant = d.x * diagonal.x + o.z * beside.z + o.y * beside.y;
    let l = angular * scale;
    var rotation = vec3(
        diagonal.x * l.x + beside.z * l.y + beside.y * l.z,
        beside.z * l.x + diagonal.y * l.y + beside.x * l.z,
        beside.y * l.x + beside.x * l.y + diagonal.z * l.z,
    ) / determinant;
    if !(determinant > 0.0) {
        rotation = vec3(0.0);
    }
    motions[3u * piece] = vec4(points[origin].xyz + centre, 0.0);
    motions[3u * piece + 1u] = vec4(velocities[origin].xyz + velocity, 0.0);
    motions[3u * piece + 2u] = vec4(rotation, 0.0);
}
