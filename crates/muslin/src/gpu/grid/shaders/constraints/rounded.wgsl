// What rounding may do to a distance from a particle, metres; twin: `rounded` in solver/multilevel/constraints/relax.rs.
fn rounded(place: vec3<f32>) -> f32 {
    let size = abs(place);
    return 4.7683716e-7 * max(size.x, max(size.y, size.z));
}
