// Distance constraints ([Schmitt2013] eq. 1, errata 3 and 4).

// By how much two particles are to approach each other; `rest` is between which lengths they are at rest. Without branches: this decides the time of a step.
fn excess(level: Level, apart: f32, stretch: f32, rest: vec2<f32>) -> f32 {
    let beyond = max(apart - rest.y * (1.0 + level.slack), 0.0);
    return stretch * (beyond + level.compression * min(apart - rest.x, 0.0));
}

// What to multiply the vector between two particles by, so that it moves one of inverse mass 1. `square` is that of the
// vector's length, `weights` the sum of both inverse masses. Divisions are slow: one root gives 1/(length · weights).
fn pull_factor(level: Level, square: f32, weights: f32, stretch: f32, rest: vec2<f32>) -> f32 {
    let inverse = inverseSqrt(max(square * weights * weights, 1e-30));
    return excess(level, square * inverse * weights, stretch, rest) * inverse;
}
