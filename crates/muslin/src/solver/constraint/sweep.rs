//! Constraints one after the other, by eight: Gauss-Seidel in the order of a [`Sweep`].

use super::{Constraint, ConstraintList, multiplier_change};
use crate::execution::Execution;
use crate::math::lanes::{Kernel, Lanes, WIDTH, dispatch};
use crate::solver::sweep::Sweep;
use crate::state::Point;

/// Eight constraints.
#[derive(Clone, Debug)]
pub(crate) struct Pack<const N: usize, const K: usize> {
    vertices: [[u32; WIDTH]; N],
    rest: [[f32; WIDTH]; K],
    fraction: [f32; WIDTH],
    compliance: [f32; WIDTH],
    /// λ since the step began.
    multiplier: [f32; WIDTH],
}

/// Constraints in sweep order.
#[derive(Clone, Debug)]
pub(crate) struct SweptConstraints<C, const N: usize, const K: usize> {
    pub kind: C,
    sweep: Sweep<Pack<N, K>>,
    /// Whether any has a compliance; without, multipliers need not be kept.
    compliant: bool,
}

impl<C: Constraint<N, K>, const N: usize, const K: usize> SweptConstraints<C, N, K> {
    pub fn new(kind: C, vertices: usize, list: &ConstraintList<N, K>) -> Self {
        let sweep = Sweep::new(vertices, &list.vertices, |source| Pack {
            vertices: source.vertices(&list.vertices),
            rest: std::array::from_fn(|k| source.lanes(|c| list.rest[c][k])),
            fraction: source.lanes(|c| list.fractions[c]),
            compliance: source.lanes(|c| list.compliances[c]),
            multiplier: [0.0; WIDTH],
        });
        Self { kind, sweep, compliant: list.is_compliant() }
    }

    pub fn project<P: Point>(&mut self, first: bool, points: &mut [P], execution: Execution) {
        let Self { kind, sweep, compliant } = self;
        let (kind, compliant) = (*kind, *compliant);
        sweep.run_changing(points, execution, &|packs, points| {
            dispatch(execution.instructions, Project { kind, packs, points, first, compliant });
        });
    }
}

struct Project<'a, C, P, const N: usize, const K: usize> {
    kind: C,
    packs: &'a mut [Pack<N, K>],
    points: &'a mut [P],
    first: bool,
    compliant: bool,
}

impl<C: Constraint<N, K>, P: Point, const N: usize, const K: usize> Kernel for Project<'_, C, P, N, K> {
    type Output = ();

    // Loops rather than closures: those would not be compiled with the dispatcher's instructions.
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let zero = L::splat(0.0);
        for pack in self.packs {
            let (mut places, mut w) = ([P::gather::<L>(self.points, &pack.vertices[0]).0; N], [zero; N]);
            for i in 0..N {
                (places[i], w[i]) = P::gather::<L>(self.points, &pack.vertices[i]);
            }
            let x = P::seen(places);
            let mut rest = [zero; K];
            for (lanes, values) in rest.iter_mut().zip(&pack.rest) {
                *lanes = L::load(values);
            }
            let evaluation = self.kind.evaluate(x, w, rest);
            let fraction = L::load(&pack.fraction);
            let one_sided = self.kind.one_sided();
            let change = if self.compliant {
                let before = if self.first { zero } else { L::load(&pack.multiplier) };
                let compliance = L::load(&pack.compliance);
                let change = multiplier_change(&evaluation, fraction, compliance, before, one_sided);
                let after = L::to_points([before + change, zero, zero, zero]);
                for (multiplier, point) in pack.multiplier.iter_mut().zip(after) {
                    *multiplier = point.x;
                }
                change
            } else {
                multiplier_change(&evaluation, fraction, zero, zero, one_sided)
            };
            for i in 0..N {
                let place = P::moved(places[i], evaluation.gradients[i] * (w[i] * change));
                P::scatter(self.points, &pack.vertices[i], place, w[i]);
            }
        }
    }
}
