//! Quadratic bending (Bergou et al. 2006) as a correction of positions.
//!
//! Input: the four points of each hinge. Output: moved points.
//!
//! Energy of a hinge with edge x0–x1 and opposite corners x2, x3:
//!
//!   E = ½ B/(A0 + A1) · |C|²,  C = Σ k_i x_i
//!
//! where B is the plate's bending stiffness (N·m), A the triangles' areas, and k the cotangent weights of
//! the rest shape, which sum to zero and give C = 0 for flat cloth. |C| is the edge length times
//! 2 sin(θ/2), θ the fold angle. For cloth that does not stretch, k is constant, so C is linear
//! and E quadratic in x. (Bergou et al. print 3/(A0 + A1); the energy of a bent cylinder is then
//! three times the plate's ½ B κ² per area on irregular meshes, as the tests measure.)
//!
//! Explicit forces from E blow up unless B is tiny (errata 17). Here C is treated as a constraint
//! with compliance 1/(s h²), s = B/(A0 + A1), as in XPBD: with inverse masses w
//!
//!   λ = −C / (Σ w_i k_i² + 1/(s h²)),  x_i += w_i k_i λ
//!
//! which is the force h² w_i k_i (−s C) when h is small, and never overshoots when it is not.
//!
//! A rest shape that is not flat (a tube, a sphere) has a rest bend |C⁰|, signed by the side to
//! which the hinge folds. C always points along the bisector of the two triangles, so the target is
//! C's own direction at the rest length; near flat, where C has no direction, it is the normal.

use super::hinges::Hinges;
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, Real, WIDTH, dispatch};
use crate::math::vec3::V3;
use crate::solver::sweep::Sweep;
use crate::state::Point;

/// Eight hinges with their rest data.
#[derive(Clone, Debug)]
struct HingePack {
    vertices: [[u32; WIDTH]; 4],
    weights: [[f32; WIDTH]; 4],
    compliance: [f32; WIDTH],
    rest_bend: [f32; WIDTH],
    edge_scale: [f32; WIDTH],
}

/// Position-based quadratic bending of a cloth.
#[derive(Clone, Debug)]
pub(crate) struct QuadraticBending {
    sweep: Sweep<HingePack>,
    /// Whether any hinge is bent at rest.
    curved: bool,
}

impl QuadraticBending {
    /// Arranges the hinges of a mesh of `vertices` vertices for sweeping.
    pub fn new(vertices: usize, hinges: &Hinges) -> Self {
        let sweep = Sweep::new(vertices, &hinges.vertices, |source| HingePack {
            vertices: source.vertices(&hinges.vertices),
            weights: std::array::from_fn(|k| source.lanes(|h| hinges.rest[h].weights[k] as f32)),
            compliance: source.lanes(|h| hinges.compliances[h] as f32),
            rest_bend: source.lanes(|h| hinges.rest[h].rest_bend as f32),
            edge_scale: source.lanes(|h| 1e-3 * hinges.lengths[h] as f32),
        });
        Self { sweep, curved: hinges.curved }
    }

    /// One sweep over all hinges.
    pub fn apply<P: Point>(&self, points: &mut [P], execution: Execution) {
        let curved = self.curved;
        self.sweep.run(points, execution, &|packs, points, _| {
            dispatch(execution.instructions, BendHinges { packs, points, curved });
        });
    }
}

struct BendHinges<'a, P> {
    packs: &'a [HingePack],
    points: &'a mut [P],
    curved: bool,
}

impl<P: Point> Kernel for BendHinges<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for pack in self.packs {
            let (a, w0) = P::gather::<L>(self.points, &pack.vertices[0]);
            let (b, w1) = P::gather::<L>(self.points, &pack.vertices[1]);
            let (c, w2) = P::gather::<L>(self.points, &pack.vertices[2]);
            let (d, w3) = P::gather::<L>(self.points, &pack.vertices[3]);
            let [x0, x1, x2, x3] = P::seen([a, b, c, d]);
            let (k0, k1) = (L::load(&pack.weights[0]), L::load(&pack.weights[1]));
            let (k2, k3) = (L::load(&pack.weights[2]), L::load(&pack.weights[3]));
            let mut bend = x0 * k0 + x1 * k1 + x2 * k2 + x3 * k3;
            if self.curved {
                bend = bend
                    - rest_bend([x0, x1, x2, x3], bend, L::load(&pack.rest_bend), L::load(&pack.edge_scale));
            }
            let (g0, g1, g2, g3) = (w0 * k0, w1 * k1, w2 * k2, w3 * k3);
            let mobility = g0 * k0 + g1 * k1 + g2 * k2 + g3 * k3;
            let lambda = bend * (L::splat(-1.0) / (mobility + L::load(&pack.compliance)));
            P::scatter(self.points, &pack.vertices[0], P::moved(a, lambda * g0), w0);
            P::scatter(self.points, &pack.vertices[1], P::moved(b, lambda * g1), w1);
            P::scatter(self.points, &pack.vertices[2], P::moved(c, lambda * g2), w2);
            P::scatter(self.points, &pack.vertices[3], P::moved(d, lambda * g3), w3);
        }
    }
}

/// Where C should be: at its rest length, on the side where it was at rest.
#[inline(always)]
pub(super) fn rest_bend<R: Real>(x: [V3<R>; 4], bend: V3<R>, rest: R, scale: R) -> V3<R> {
    let tiny = R::splat(1e-30);
    let normal = (x[1] - x[0]).cross(x[3] - x[2]);
    let side = bend.dot(normal);
    let length = bend.dot(bend).sqrt();
    let along_bend = bend * (R::splat(1.0) / length.max(tiny));
    let along_bend = along_bend * side.select_lt(R::splat(0.0), R::splat(-1.0), R::splat(1.0));
    let along_normal = normal * (R::splat(1.0) / normal.dot(normal).sqrt().max(tiny));
    along_bend.if_lt(scale, length, along_normal) * rest
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec4};

    use super::*;
    use crate::bending::hinges::HingeRest;
    use crate::mesh::Hinge;

    fn folded(angle: f64) -> [DVec3; 4] {
        [
            DVec3::ZERO,
            DVec3::new(0.0, 2.0, 0.0),
            DVec3::new(-1.0, 0.7, 0.0),
            DVec3::new(1.5 * angle.cos(), 1.2, 1.5 * angle.sin()),
        ]
    }

    #[test]
    fn weights_sum_to_zero_and_measure_the_fold() {
        let rest = HingeRest::new(folded(0.0));
        assert!(rest.weights.iter().sum::<f64>().abs() < 1e-12);
        assert!(rest.rest_bend.abs() < 1e-12);
        for angle in [0.3, -0.8] {
            let bend: DVec3 = folded(angle).iter().zip(rest.weights).map(|(&x, k)| x * k).sum();
            assert!((bend.length() - 2.0 * 2.0 * (angle / 2.0).sin().abs()).abs() < 1e-9);
        }
        assert!(HingeRest::new(folded(0.4)).rest_bend * HingeRest::new(folded(-0.4)).rest_bend < 0.0);
    }

    fn relax(start: f64, rest: f64) -> f64 {
        let hinge = Hinge { edge: [0, 1], opposite: [2, 3], triangles: [0, 1] };
        let hinges = Hinges::new(&folded(rest), &[hinge], 1e6, &[1.0; 4], 1.0);
        let bending = QuadraticBending::new(4, &hinges);
        let mut points: Vec<Vec4> = folded(start).iter().map(|x| x.as_vec3().extend(1.0)).collect();
        bending.apply(&mut points, Execution::default());
        // Measured with the weights of the rest shape, as the constraint does.
        let weights = HingeRest::new(folded(rest)).weights;
        let x: Vec<DVec3> = points.iter().map(|p| p.truncate().as_dvec3()).collect();
        let bend: DVec3 = x.iter().zip(weights).map(|(&x, k)| x * k).sum();
        bend.length().copysign(bend.dot((x[1] - x[0]).cross(x[3] - x[2])))
    }

    #[test]
    fn a_hinge_returns_to_its_rest_fold_on_its_own_side() {
        assert!(relax(0.5, 0.0).abs() < 1e-4);
        let bent = HingeRest::new(folded(0.4)).rest_bend;
        for start in [0.6, 0.4, 0.1, -0.1] {
            let ours = relax(start, 0.4);
            assert!((ours - bent).abs() < 1e-4, "from {start}: {ours}, should be {bent}");
        }
    }
}
