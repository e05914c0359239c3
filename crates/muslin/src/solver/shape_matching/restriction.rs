//! From a level to the next coarser one: where coarse points begin.
//!
//! Input: the points of a level. Output: points of the coarser one. The prolongation P carries what a coarse level did
//! back to the finer one; a coarse correction M_c⁻¹ ∇C, prolongated, is the gradient of C in the metric of the fine
//! masses only if the coarse points are M_c⁻¹ Pᵀ M x. With injection (a coarse vertex starts where its own
//! finer vertex is) it is not, and the corrections do net work: measured on a swinging cloth with steps of 0.17 ms, eight
//! levels fed half of its energy in within three seconds; with means they feed none.
//!
//! Particles that are held do not follow P, and so have no part in the mean; a coarse particle that is held is its finer
//! one.

use std::ops::{Add, Mul, Sub};

use glam::{DVec3, Vec4};

use crate::hierarchy::{Level, Transfer};
use crate::math::csr::Csr;
use crate::state::Point;

/// For each coarse vertex the mean over finer ones that it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Restriction {
    /// The finer vertex that a coarse one came from.
    pub own: Vec<u32>,
    /// The other finer vertices in the mean, with their weights. Means are taken of differences from the own one,
    /// which single precision knows better than places.
    pub others: Csr<(u32, f32)>,
}

impl Restriction {
    /// The mean that belongs to a prolongation, and the coarse masses (kg): what is free of the finer ones, handed to the
    /// coarse vertices that follow.
    pub fn adjoint(transfer: &Transfer, fine: &Level, masses: &[f64], coarse: &Level) -> (Self, Vec<f64>) {
        let mut coarse_masses = vec![0.0; coarse.finer_vertex.len()];
        let mut pairs: Vec<(u32, (u32, f64))> = Vec::new();
        for (v, row) in transfer.prolongation.iter().enumerate() {
            let sum: f64 = row.weights.iter().map(|&weight| f64::from(weight)).sum();
            for (&vertex, &weight) in row.vertices.iter().zip(&row.weights) {
                let is_own = coarse.finer_vertex[vertex as usize] as usize == v;
                let share = masses[v] * f64::from(weight) / sum;
                // A coarse vertex that is held weighs what it did; nobody asks.
                if share > 0.0 && (!fine.fixed[v] || is_own) {
                    coarse_masses[vertex as usize] += share;
                    pairs.push((vertex, (v as u32, share)));
                }
            }
        }
        let others = pairs.into_iter().filter(|&(vertex, (v, _))| {
            !coarse.fixed[vertex as usize] && coarse.finer_vertex[vertex as usize] != v
        });
        let others: Vec<(u32, (u32, f32))> = others
            .map(|(vertex, (v, share))| (vertex, (v, (share / coarse_masses[vertex as usize]) as f32)))
            .collect();
        let others = Csr::from_pairs(coarse.finer_vertex.len(), others.iter().copied());
        (Self { own: coarse.finer_vertex.clone(), others }, coarse_masses)
    }

    /// What the paper does: a copy on nested levels, else the mean that gave the coarse vertices their places.
    pub fn printed(transfer: &Transfer, coarse: &Level) -> Self {
        let own = coarse.finer_vertex.clone();
        let is_copy = |c: usize| {
            let finer = &transfer.prolongation[own[c] as usize];
            finer.vertices[0] as usize == c && finer.weights[0] == 1.0
        };
        let rows = (0..own.len()).filter(|&c| !is_copy(c)).flat_map(|c| {
            let own = coarse.finer_vertex[c];
            let row = transfer.restriction.row(c).iter().filter(move |&&(v, _)| v != own);
            row.map(move |&entry| (c as u32, entry))
        });
        Self { others: Csr::from_pairs(own.len(), rows.collect::<Vec<_>>().into_iter()), own }
    }

    /// Where coarse points are if the finer ones are at `fine`.
    pub fn places(&self, fine: &[DVec3]) -> Vec<DVec3> {
        (0..self.own.len()).map(|c| self.mean(c, |v| fine[v])).collect()
    }

    /// The mean of a coarse vertex over what its finer ones have.
    pub fn mean<T>(&self, coarse: usize, fine: impl Fn(usize) -> T) -> T
    where
        T: Copy + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
    {
        let own = fine(self.own[coarse] as usize);
        let row = self.others.row(coarse).iter();
        row.fold(own, |sum, &(v, weight)| sum + (fine(v as usize) - own) * f64::from(weight))
    }

    /// The same for one coarse vertex in single precision; w is the own one's.
    #[inline]
    pub fn place<P: Point>(&self, coarse: usize, fine: &[P]) -> P {
        let own = fine[self.own[coarse] as usize];
        let row = self.others.row(coarse).iter();
        own.plus(row.map(|&(v, weight)| fine[v as usize].way_from(own) * weight).sum::<Vec4>())
    }
}
