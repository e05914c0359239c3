//! Constraints all at once: Jacobi, gathered per vertex. What a GPU does, and without any order.
//!
//! A point of R constraints goes into each with the Rth part of its mass, and then takes the mean of the R places it
//! is asked to: with w the inverse mass,
//!
//!   Δλ = −k' (C + α λ)/(Σ R_i w_i |g_i|² + α),  x_i += ω w_i Σ g_i Δλ
//!
//! Shared masses keep the momentum, and make J W Jᵀ no larger than its block diagonal with the R_i: ω below 2
//! converges on every mesh, and up to 4 on regular ones, where neighbouring gradients partly cancel.

use glam::Vec3;

use super::{Constraint, ConstraintList, multiplier_change};
use crate::execution::Execution;
use crate::math::csr::Csr;
use crate::state::Point;

/// Constraints with their places in the sums of their vertices.
#[derive(Clone, Debug)]
pub(crate) struct AveragedConstraints<C, const N: usize, const K: usize> {
    pub kind: C,
    list: ConstraintList<N, K>,
    /// Per vertex: constraint number times N plus which of its points it is.
    slots: Csr,
    changes: Vec<[Vec3; N]>,
    /// λ since the step began.
    multipliers: Vec<f32>,
    over_relaxation: f32,
}

impl<C: Constraint<N, K>, const N: usize, const K: usize> AveragedConstraints<C, N, K> {
    pub fn new(kind: C, vertices: usize, list: ConstraintList<N, K>, over_relaxation: f32) -> Self {
        let constraints = list.vertices.iter().enumerate();
        let slots = constraints.flat_map(|(c, vs)| (0..N).map(move |i| (vs[i], (N * c + i) as u32)));
        Self {
            kind,
            slots: Csr::from_pairs(vertices, slots),
            changes: vec![[Vec3::ZERO; N]; list.vertices.len()],
            multipliers: vec![0.0; list.vertices.len()],
            list,
            over_relaxation,
        }
    }

    pub fn project<P: Point>(&mut self, first: bool, points: &mut [P], execution: Execution) {
        let Self { kind, list, slots, changes, multipliers, over_relaxation } = self;
        let seen: &[P] = points;
        execution.for_each_chunk2(changes, multipliers, |start, changes, multipliers| {
            for (offset, (changes, multiplier)) in changes.iter_mut().zip(multipliers).enumerate() {
                let c = start + offset;
                let x = P::seen(list.vertices[c].map(|v| seen[v as usize].place()));
                let w = list.vertices[c].map(|v| seen[v as usize].w() * slots.row(v as usize).len() as f32);
                let evaluation = kind.evaluate(x, w, list.rest[c]);
                let before = if first { 0.0 } else { *multiplier };
                let (fraction, compliance) = (list.fractions[c], list.compliances[c]);
                // Without compliance λ plays no part.
                let known = if compliance > 0.0 { before } else { 0.0 };
                let change = multiplier_change(&evaluation, fraction, compliance, known, kind.one_sided());
                let mut change = *over_relaxation * change;
                if kind.one_sided() {
                    change = change.max(-known); // λ ≥ 0: forces that only push
                }
                *multiplier = before + change;
                for (place, gradient) in changes.iter_mut().zip(evaluation.gradients) {
                    *place = (gradient * change).into();
                }
            }
        });
        execution.for_each_chunk(points, |start, chunk| {
            for (offset, point) in chunk.iter_mut().enumerate() {
                let row = slots.row(start + offset).iter();
                let sum: Vec3 = row.map(|&slot| changes[slot as usize / N][slot as usize % N]).sum();
                *point = point.plus((sum * point.w()).extend(0.0));
            }
        });
    }
}
