//! Carrying values between two neighbouring levels ([Bender2013] §4.3, intergrid transfer).
//!
//! Prolongation (coarse to fine): each fine vertex takes the barycentric mean of the nearest
//! coarse triangle. Restriction (fine to coarse): the transposed weights, each row scaled to sum
//! 1. Both are linear and act on positions, differences of positions and scalars alike.

use std::iter::zip;
use std::ops::{AddAssign, Mul};

use glam::DVec3;

use super::levels::Level;
use super::surface_search::{SurfaceSearch, vertex_normals};
use crate::math::csr::Csr;

/// Where a fine vertex lies on the coarse level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interpolation {
    /// Coarse vertices: the corners of a triangle, or three times the same vertex.
    pub vertices: [u32; 3],
    /// Their weights: not negative, of sum 1.
    pub weights: [f32; 3],
}

impl Interpolation {
    /// A fine vertex that takes everything from one coarse vertex.
    fn at_vertex(vertex: u32) -> Self {
        Self { vertices: [vertex; 3], weights: [1.0, 0.0, 0.0] }
    }

    /// Narrows weights so that their sum stays 1: the largest takes up the rounding.
    fn new(vertices: [u32; 3], weights: [f64; 3]) -> Self {
        let mut narrow = weights.map(|w| w as f32);
        let largest = (0..3).fold(0, |best, k| if weights[k] > weights[best] { k } else { best });
        narrow[largest] = 1.0 - narrow[(largest + 1) % 3] - narrow[(largest + 2) % 3];
        Self { vertices, weights: narrow }
    }
}

/// The two operators between a level and the next finer one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfer {
    /// For each fine vertex the coarse vertices it follows.
    pub prolongation: Vec<Interpolation>,
    /// For each coarse vertex the (fine vertex, weight) pairs it gathers; weights of sum 1.
    pub restriction: Csr<(u32, f32)>,
}

impl Transfer {
    /// Coarse values on the fine vertices.
    ///
    /// # Panics
    /// If `coarse` is not as long as the coarse level.
    pub fn prolongate<T>(&self, coarse: &[T]) -> Vec<T>
    where
        T: Copy + Default + AddAssign + Mul<f64, Output = T>,
    {
        assert_eq!(coarse.len(), self.restriction.rows(), "one value per coarse vertex");
        let mean = |row: &Interpolation| {
            zip(row.vertices, row.weights).fold(T::default(), |mut sum, (vertex, weight)| {
                sum += coarse[vertex as usize] * f64::from(weight);
                sum
            })
        };
        self.prolongation.iter().map(mean).collect()
    }

    /// Fine values gathered on the coarse vertices.
    ///
    /// # Panics
    /// If `fine` is not as long as the fine level.
    pub fn restrict<T>(&self, fine: &[T]) -> Vec<T>
    where
        T: Copy + Default + AddAssign + Mul<f64, Output = T>,
    {
        assert_eq!(fine.len(), self.prolongation.len(), "one value per fine vertex");
        apply(&self.restriction, fine)
    }

    /// Masses of the coarse vertices in kg: each fine mass is handed to the coarse vertices that
    /// the fine vertex follows (Pᵀm), so an impulse on the coarse level carries over with the same
    /// momentum. Masses from coarse areas would not do that.
    ///
    /// # Panics
    /// If `fine` is not as long as the fine level.
    pub fn coarse_masses(&self, fine: &[f64]) -> Vec<f64> {
        assert_eq!(fine.len(), self.prolongation.len(), "one mass per fine vertex");
        let mut coarse = vec![0.0; self.restriction.rows()];
        for (row, mass) in zip(&self.prolongation, fine) {
            let weights = row.weights.map(f64::from);
            let sum: f64 = weights.iter().sum(); // 1 but for rounding, which must not lose mass
            zip(row.vertices, weights)
                .for_each(|(vertex, weight)| coarse[vertex as usize] += mass * weight / sum);
        }
        coarse
    }
}

/// Applies rows of weights.
pub(super) fn apply<T>(rows: &Csr<(u32, f32)>, values: &[T]) -> Vec<T>
where
    T: Copy + Default + AddAssign + Mul<f64, Output = T>,
{
    let gather = |row: &[(u32, f32)]| {
        row.iter().fold(T::default(), |mut sum, &(column, weight)| {
            sum += values[column as usize] * f64::from(weight);
            sum
        })
    };
    rows.iter().map(gather).collect()
}

/// The prolongation from `coarse` to `fine`. `coarse_vertex` names for each fine vertex the coarse
/// one into which it was collapsed, where the search starts. In a `nested` pair the fine vertices
/// that survive follow their own copy and nothing else.
pub(super) fn prolongation(
    fine: &Level,
    coarse: &Level,
    coarse_vertex: &[u32],
    nested: bool,
) -> Vec<Interpolation> {
    let normals = vertex_normals(&fine.positions, &fine.triangles);
    let mut search = SurfaceSearch::new(&coarse.positions, &coarse.triangles);
    let mut interpolate = |vertex: usize| {
        let start = coarse_vertex[vertex];
        let survives = coarse.finer_vertex[start as usize] as usize == vertex;
        if survives && (nested || coarse.positions[start as usize] == fine.positions[vertex]) {
            return Interpolation::at_vertex(start);
        }
        match search.nearest(fine.positions[vertex], normals[vertex], start) {
            Some((triangle, point)) => Interpolation::new(coarse.triangles[triangle as usize], point.weights),
            None => Interpolation::at_vertex(start),
        }
    };
    (0..fine.positions.len()).map(&mut interpolate).collect()
}

/// The restriction that belongs to a prolongation onto `coarse_vertices` vertices. Only pairs for
/// which `keep(coarse, fine)` holds count; a coarse vertex left with none takes its value from the
/// fine vertex in `finer_vertex`.
pub(super) fn restriction(
    prolongation: &[Interpolation],
    finer_vertex: &[u32],
    keep: impl Fn(u32, u32) -> bool + Clone,
) -> Csr<(u32, f32)> {
    let entries = prolongation.iter().enumerate().flat_map(|(fine, row)| {
        zip(row.vertices, row.weights).map(move |(coarse, weight)| (coarse, fine as u32, weight))
    });
    let entries = entries.filter(|&(coarse, fine, weight)| weight > 0.0 && keep(coarse, fine));
    let mut sums = vec![0.0_f64; finer_vertex.len()];
    entries.clone().for_each(|(coarse, _, weight)| sums[coarse as usize] += f64::from(weight));

    let scaled = entries
        .map(|(coarse, fine, weight)| (coarse, (fine, (f64::from(weight) / sums[coarse as usize]) as f32)));
    let lonely = (0..finer_vertex.len()).filter(|&coarse| sums[coarse] == 0.0);
    let injected = lonely.map(|coarse| (coarse as u32, (finer_vertex[coarse], 1.0)));
    Csr::from_pairs(finer_vertex.len(), scaled.chain(injected))
}

/// The transfer of a nested pair of levels.
pub(super) fn nested(fine: &Level, coarse: &Level, coarse_vertex: &[u32]) -> Transfer {
    let prolongation = prolongation(fine, coarse, coarse_vertex, true);
    let restriction = restriction(&prolongation, &coarse.finer_vertex, |_, _| true);
    Transfer { prolongation, restriction }
}

/// Moves the vertices of a coarse level to the weighted means of the fine vertices around them and
/// returns the transfer to the moved level.
///
/// The restriction is the one that gave the new positions, not the transpose of the new
/// prolongation: at rest it then reproduces the coarse rest positions, without which the coarse
/// level would start each step strained. Fixed vertices and corners (`stays`) do not move, and a
/// boundary vertex averages over the boundary only; otherwise the outline would shrink from level
/// to level and fine boundary vertices would have no coarse triangle below them.
pub(super) fn non_nested(
    fine: &Level,
    coarse: &mut Level,
    coarse_vertex: &[u32],
    stays: &[bool],
    on_boundary: &[bool],
) -> Transfer {
    let rows = prolongation(fine, coarse, coarse_vertex, true);
    let finer_vertex = coarse.finer_vertex.clone();
    let keep = |coarse: u32, vertex: u32| {
        let own = finer_vertex[coarse as usize];
        let alike = !on_boundary[own as usize] || on_boundary[vertex as usize];
        vertex == own || (alike && !stays[coarse as usize])
    };
    let restriction = restriction(&rows, &finer_vertex, keep);
    let positions: Vec<DVec3> = apply(&restriction, &fine.positions);
    for (vertex, position) in positions.into_iter().enumerate() {
        if !stays[vertex] {
            coarse.positions[vertex] = position;
        }
    }
    Transfer { prolongation: prolongation(fine, coarse, coarse_vertex, false), restriction }
}
