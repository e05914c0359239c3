// Not finite, or out of bounds. By their bits: compilers may assume that there are no NaNs. Uses `step.bounds`.
fn is_lost(x: vec3<f32>) -> bool {
    let bits = bitcast<vec3<u32>>(x) & vec3(0x7f800000u);
    return any(bits == vec3(0x7f800000u)) || any(abs(x) > vec3(step.bounds));
}
