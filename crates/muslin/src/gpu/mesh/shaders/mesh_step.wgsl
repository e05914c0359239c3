// What changes from step to step.

struct Step {
    gained: vec3<f32>,   // by gravity, m/s
    dt: f32,
    air_velocity: vec3<f32>,
    gust_speed: f32,     // amplitude of gusts, m/s
    gust_phase: vec3<f32>,
    per_gust_size: f32,
    vertices: u32,       // of the finest level
    first_pin: u32,      // where this step's places of moving pins start
    max_speed: f32,
    bounds: f32,
    damping: f32,        // share of what velocities have beyond rigid motion that goes
    air_density: f32,
    drag: f32,
    lift: f32,
    seed: u32,
    kept: f32,           // share of all velocities that is kept: 1, or less to come to rest
    first_push: u32,     // where the changes of velocities start
    pushes: u32,         // and how many there are
}

@group(0) @binding(0) var<uniform> step: Step;
