// Distance constraints ([Schmitt2013] eq. 1, errata 3 and 4).

// By how much two particles are to approach each other.
fn excess(level: Level, apart: f32, stretch: f32, rest: f32) -> f32 {
    let limit = rest * (1.0 + level.slack);
    if apart > limit {
        return stretch * (apart - limit);
    }
    if apart < rest {
        return level.compression * stretch * (apart - rest);
    }
    return 0.0;
}
