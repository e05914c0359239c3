//! A sparse, symmetric, positive definite system, on one thread: the same bits on every run.

use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Col, Side, prelude::Solve};

/// The matrix while it is put together.
pub(super) struct System {
    size: usize,
    /// The lower triangle; elements may come in parts.
    parts: Vec<Triplet<usize, usize, f64>>,
}

/// Its factor.
pub(super) struct Factor {
    llt: Llt<usize, f64>,
}

impl System {
    pub fn new(size: usize) -> Self {
        Self { size, parts: Vec::new() }
    }

    /// Adds to an element; those above the diagonal are known by symmetry and left out.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        if row >= column {
            self.parts.push(Triplet::new(row, column, value));
        }
    }

    /// `None` if the matrix is not positive definite.
    pub fn factorise(&self) -> Option<Factor> {
        let matrix = SparseColMat::try_new_from_triplets(self.size, self.size, &self.parts).ok()?;
        Some(Factor { llt: matrix.sp_cholesky(Side::Lower).ok()? })
    }
}

impl Factor {
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let solution = self.llt.solve(Col::from_fn(right.len(), |i| right[i]));
        solution.iter().copied().collect()
    }
}
