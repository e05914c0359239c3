//! A sparse Cholesky factorisation whose symbolic part is made once.
//!
//! Input: a [`Matrix`], first its pattern, then its values. Output: solutions. Everything on one thread, so results are
//! the same on every machine.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use super::matrix::Matrix;
use crate::{Error, Feature};

/// The factor of a matrix.
pub(super) struct Cholesky {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    memory: MemBuffer,
}

impl Cholesky {
    /// Orders the pattern for little fill and takes all memory that will be needed.
    pub fn new(matrix: &Matrix) -> Result<Self, Error> {
        let too_large = |_| Error::Unsupported {
            by: "the linear system of impulses",
            feature: Feature::LinearSystem,
            what: "a factor that does not fit into memory (the iterative method needs none)",
        };
        let parameters = CholeskySymbolicParams::default();
        let symbolic =
            factorize_symbolic_cholesky(pattern(matrix), Side::Lower, SymmetricOrdering::Amd, parameters)
                .map_err(too_large)?;
        let need = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, faer::Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        Ok(Self { values: vec![0.0; symbolic.len_val()], memory: MemBuffer::new(need), symbolic })
    }

    /// Factorises; `false` if the matrix is not positive definite.
    pub fn factorise(&mut self, matrix: &Matrix) -> bool {
        let done = self.symbolic.factorize_numeric_llt(
            &mut self.values,
            SparseColMatRef::new(pattern(matrix), &matrix.values),
            Side::Lower,
            // A pivot that is not positive is an error, not something to be mended silently.
            LltRegularization { dynamic_regularization_delta: 0.0, dynamic_regularization_epsilon: 0.0 },
            Par::Seq,
            MemStack::new(&mut self.memory),
            faer::Spec::default(),
        );
        done.is_ok()
    }

    /// Turns a right-hand side into the solution for the matrix that was factorised last.
    pub fn solve(&mut self, right: &mut [f64]) {
        let rows = right.len();
        LltRef::<usize, f64>::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(right, rows, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }
}

fn pattern(matrix: &Matrix) -> SymbolicSparseColMatRef<'_, usize> {
    let size = matrix.starts.len() - 1;
    SymbolicSparseColMatRef::new_checked(size, size, &matrix.starts, None, &matrix.rows)
}
