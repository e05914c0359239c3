// One pass of bending on the finest level; derivation and twin: solver/multilevel/constraints/bend.rs.

@group(0) @binding(1) var<storage, read> codes: array<u32>;
@group(0) @binding(2) var<storage, read> front: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> back: array<vec4<f32>>;

// The sum of the absolute values of a row of fourth differences: no eigenvalue is larger.
const LARGEST = 16.0;

// x₋ − 2x + x₊ along a thread (0 weft, 1 warp); nothing where the thread ends.
fn second_difference(center: u32, axis: u32, along: u32) -> vec3<f32> {
    let both = 5u << axis;
    if (codes[center] & both) != both {
        return vec3(0.0);
    }
    let bend = (front[center + along].xyz + front[center - along].xyz) - 2.0 * front[center].xyz;
    if step.first_bend == 0u {
        return bend;
    }
    let at_rest = bitcast<f32>(codes[step.first_bend + 2u * center + axis]) + 2.0 * rounded(front[center].xyz);
    let own = length(bend);
    return bend * select(0.0, (own - at_rest) / own, own > at_rest);
}

// The fourth difference: beside a particle there is another one only where a link says so.
fn fourth_difference(index: u32, code: u32, axis: u32, along: u32) -> vec3<f32> {
    var sum = -2.0 * second_difference(index, axis, along);
    if ((code >> axis) & 1u) == 1u {
        sum += second_difference(index + along, axis, along);
    }
    if ((code >> (axis + 2u)) & 1u) == 1u {
        sum += second_difference(index - along, axis, along);
    }
    return sum;
}

fn each(i: u32) {
    let code = codes[i];
    if code == 0u {
        return;
    }
    let own = front[i];
    if own.w == 0.0 {
        back[i] = own;
        return;
    }
    let force = step.bend_weft * fourth_difference(i, code, 0u, 1u)
        + step.bend_warp * fourth_difference(i, code, 1u, step.columns);
    let bound = LARGEST * (step.bend_weft + step.bend_warp);
    back[i] = vec4(own.xyz - force * (own.w / (1.0 + own.w * bound)), own.w);
}
