// As predict.wgsl, with drag and lift on every triangle; twin: forces/wind.rs.

@group(0) @binding(1) var<storage, read_write> travel: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> pins: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> slices: array<u32>;
@group(0) @binding(4) var<storage, read> spokes: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> half_angles: array<f32>;
@group(0) @binding(6) var<storage, read> relative: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read> start: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> back: array<vec4<f32>>;

// The force on a triangle, N. Bounded so that the air takes at most all of the relative velocity.
fn push(double_area: vec3<f32>, wind: vec3<f32>, dt_per_mass: f32) -> vec3<f32> {
    let size = length(double_area);
    let speed = length(wind);
    let squarely = dot(double_area, wind) / max(size * speed, 1e-20);
    let facing = abs(squarely);
    let normal = double_area * (select(1.0, -1.0, squarely < 0.0) * speed / max(size, 1e-20));
    let pressure = 0.25 * step.air_density * speed * size * facing;
    let force = wind * (step.drag - step.lift * facing) + normal * step.lift;
    return force * (pressure / (1.0 + dt_per_mass * pressure * (step.drag + step.lift)));
}

fn push_on(v: u32, a: u32, b: u32) -> vec3<f32> {
    let x = start[v].xyz;
    let winds = array(relative[v], relative[a], relative[b]);
    let lightest = max(winds[0].w, max(winds[1].w, winds[2].w));
    let mean = (winds[0].xyz + winds[1].xyz + winds[2].xyz) / 3.0;
    return push(cross(start[a].xyz - x, start[b].xyz - x), mean, lightest * step.dt);
}

fn each(v: u32) {
    var velocity = travel[v];
    if start[v].w > 0.0 {
        let row = fan_row(v);
        var force = vec3(0.0);
        var first = v;
        var last = v;
        var half_angle = -1.0;
        for (var slot = row.start; slot < row.end; slot += 32u) {
            let spoke = spoke_at(slot, row);
            if spoke.length == 0.0 {
                break;
            }
            if slot == row.start {
                first = spoke.vertex;
            } else if half_angle >= 0.0 {
                force += push_on(v, last, spoke.vertex);
            }
            last = spoke.vertex;
            half_angle = half_angles[slot];
        }
        if half_angle >= 0.0 {
            force += push_on(v, last, first);
        }
        velocity += vec4(force * (step.dt * relative[v].w / 3.0), 0.0);
    }
    arrive(v, velocity);
}
