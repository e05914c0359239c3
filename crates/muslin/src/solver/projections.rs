//! Single projections as pure functions: where the points of one constraint move to.
//!
//! Input: points, their inverse masses (1/kg, or any unit; 0 is fixed), rest data, and a fraction k: 1 projects
//! wholly. Output: the points afterwards. A simulation does the same arithmetic, eight constraints at once; these are
//! for tests, measurements, and solvers of one's own. The derivations stand in `bending/triangle.rs`,
//! `bending/dihedral.rs` and `solver/constraint/length.rs`.

use glam::Vec3;

use super::constraint::length::Distance;
use super::constraint::{Constraint, multiplier_change};
use crate::bending::dihedral::DihedralAngle;
use crate::bending::triangle::{SCALE, TriangleBend};
use crate::math::vec3::V3;

/// What triangle bends of a cloth have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BendOptions {
    /// κ, metres.
    pub kappa: f32,
    /// Only C < 0 is projected.
    pub inequality: bool,
    /// The mass weights of \[Kelager2010\] eq. 8.
    pub printed_masses: bool,
}

impl BendOptions {
    fn kind(self) -> TriangleBend {
        let Self { kappa, inequality, printed_masses } = self;
        TriangleBend { kappa, inequality, printed_masses, signed: false }
    }
}

#[inline(always)]
fn project<C: Constraint<N, K>, const N: usize, const K: usize>(
    kind: C,
    points: [Vec3; N],
    inverse_masses: [f32; N],
    rest: [f32; K],
    fraction: f32,
) -> [Vec3; N] {
    let mut x = [V3::new(0.0, 0.0, 0.0); N];
    for i in 0..N {
        x[i] = points[i].into();
    }
    let evaluation = kind.evaluate(x, inverse_masses, rest);
    let change = multiplier_change(&evaluation, fraction, 0.0, 0.0, kind.one_sided());
    let mut moved = points;
    for i in 0..N {
        moved[i] += Vec3::from(evaluation.gradients[i] * (inverse_masses[i] * change));
    }
    moved
}

/// Two points to a distance, in metres: a stretched edge, or a stick.
#[inline]
pub fn distance(points: [Vec3; 2], inverse_masses: [f32; 2], length: f32, fraction: f32) -> [Vec3; 2] {
    project(Distance, points, inverse_masses, [length], fraction)
}

/// b0, b1 and the tip v of a triangle bend to the distance κ + h0 of v from the centroid (\[Kelager2010\] eq. 9);
/// `height` is h0 in metres.
#[inline]
pub fn triangle_bend(
    points: [Vec3; 3],
    inverse_masses: [f32; 3],
    height: f32,
    options: BendOptions,
    fraction: f32,
) -> [Vec3; 3] {
    project::<_, 3, 1>(options.kind(), points, inverse_masses, [SCALE * height], fraction)
}

/// The same over an edge: b0, b1, and the ends of the edge whose middle is the tip (\[Kelager2010\] §4.1).
#[inline]
pub fn edge_bend(
    points: [Vec3; 4],
    inverse_masses: [f32; 4],
    height: f32,
    options: BendOptions,
    fraction: f32,
) -> [Vec3; 4] {
    project::<_, 4, 2>(options.kind(), points, inverse_masses, [SCALE * height, 0.0], fraction)
}

/// The ends of an edge and the opposite corners of its two triangles to an angle between the triangles' normals, in
/// radians; 0 is flat. `signed` tells a fold from its mirror image. One step of Newton's method.
#[inline]
pub fn dihedral_angle(
    points: [Vec3; 4],
    inverse_masses: [f32; 4],
    angle: f32,
    signed: bool,
    fraction: f32,
) -> [Vec3; 4] {
    project(DihedralAngle { signed }, points, inverse_masses, [angle], fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_paper() {
        let x = [Vec3::NEG_X, Vec3::X, Vec3::Z];
        let options = BendOptions { kappa: 0.1, ..BendOptions::default() };
        let [b0, b1, v] = triangle_bend(x, [1.0, 2.0, 3.0], 0.2, options, 1.0);
        assert!(((v - (b0 + b1 + v) / 3.0).length() - 0.3).abs() < 1e-6);
        let x = [Vec3::NEG_X, Vec3::X, Vec3::Z + Vec3::Y, Vec3::Z - Vec3::Y];
        let [b0, b1, p, q] = edge_bend(x, [1.0, 2.0, 3.0, 0.0], 0.2, options, 1.0);
        let v = 0.5 * (p + q);
        assert!(((v - (b0 + b1 + v) / 3.0).length() - 0.3).abs() < 1e-6 && q == x[3]);
        let [a, b] = distance([Vec3::ZERO, Vec3::X], [1.0, 1.0], 2.0, 0.5);
        assert!((a.distance(b) - 1.5).abs() < 1e-6);
        // A right angle, a little wider each time.
        let mut x = [Vec3::ZERO, Vec3::Y, Vec3::new(-1.0, 0.5, 0.0), Vec3::new(0.0, 0.5, 1.0)];
        for _ in 0..20 {
            x = dihedral_angle(x, [1.0; 4], 0.0, true, 1.0);
        }
        let (e, a, b) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        assert!(e.cross(a).normalize().dot(b.cross(e).normalize()) > 0.99999);
    }
}
