//! The last proof that there is no contact in an interval of time: every axis worth trying, in twice
//! the digits of a double.
//!
//! The differences at both ends of the interval are N + N vectors, and an axis separates if all have
//! a positive component along it. Which axis does is a matter of their directions alone, so that a
//! corner that passes another at a distance of 10⁻¹⁷ of the edges counts as much as the far ends.

use glam::DVec3;

use super::relative::{ROUNDING, Relative};

/// Components along an axis, of vectors of length 1, that rounding may have made of 0.
const NEARLY_ZERO: f64 = 1e-14;

/// Axes that suffer no rounding themselves: the symmetry axes of a cube. Built shapes are often
/// aligned with them, and then pass each other at distances that any other axis misses.
const SYMMETRY_AXES: [[i8; 3]; 13] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [-1, 1, 1],
];

/// Whether some axis surely separates for all the interval.
pub(super) fn separates<const N: usize>(motion: &Relative<N>, interval: [f64; 2]) -> bool {
    let vectors = interval.map(|time| motion.at_precisely(time));
    let directions = vectors.map(|vectors| vectors.map(|vector| vector.high.normalize_or_zero()));
    let surely = |axis: DVec3| {
        // 12u²·M for the differences and 28u²·M for the component, see `precise`.
        let required = 64.0 * ROUNDING * ROUNDING * axis.abs().dot(motion.magnitude) + f64::MIN_POSITIVE;
        vectors.as_flattened().iter().all(|vector| vector.along(axis) > required)
    };
    separates_by_directions(directions.as_flattened(), surely)
}

/// Offers the axes that have all directions on one side, nearly, until one is accepted.
fn separates_by_directions(directions: &[DVec3], accept: impl Fn(DVec3) -> bool) -> bool {
    let range = |axis: DVec3| {
        directions.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, largest], direction| {
            let component = axis.dot(*direction);
            [least.min(component), largest.max(component)]
        })
    };
    // All separating axes form a cone, whose edges are perpendicular to two of the directions each;
    // the sum of the edges is well inside. If the directions lie in a plane or fill less than one
    // half of it, the edges cancel or say nothing, and the bisector of two of the directions is best.
    let mut inside = DVec3::ZERO;
    for (i, first) in directions.iter().enumerate() {
        for second in &directions[..i] {
            let bisector = first + second;
            if range(bisector)[0] > -NEARLY_ZERO && accept(bisector) {
                return true;
            }
            let edge = first.cross(*second).normalize_or_zero();
            let [least, largest] = range(edge);
            if least > -NEARLY_ZERO {
                inside += edge;
            }
            if largest < NEARLY_ZERO {
                inside -= edge;
            }
        }
    }
    if accept(inside) {
        return true;
    }
    SYMMETRY_AXES.iter().any(|axis| {
        let axis = DVec3::from_array(axis.map(f64::from));
        let [least, largest] = range(axis);
        least > -NEARLY_ZERO && accept(axis) || largest < NEARLY_ZERO && accept(-axis)
    })
}
