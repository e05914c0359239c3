//! Who does the work: one thread or many, with which instructions. Never what the result is.

use rayon::prelude::*;

pub use crate::math::lanes::Instructions;

/// Values per task when an array is worked through in parallel.
const CHUNK: usize = 2048;

/// How a stage is to be carried out. The results are the same bits for every choice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Execution {
    /// Use the rayon pool that this is called in.
    pub parallel: bool,
    /// Which vector instructions to use.
    pub instructions: Instructions,
}

impl Execution {
    /// Calls `work` with (first index, values) for stretches of an array, each value once.
    pub fn for_each_chunk<T: Send>(self, values: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
        if self.parallel && values.len() > CHUNK {
            values.par_chunks_mut(CHUNK).enumerate().for_each(|(i, chunk)| work(i * CHUNK, chunk));
        } else {
            work(0, values);
        }
    }

    /// As [`Execution::for_each_chunk`] over two arrays of the same length.
    pub fn for_each_chunk2<A: Send, B: Send>(
        self,
        a: &mut [A],
        b: &mut [B],
        work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
    ) {
        if self.parallel && a.len() > CHUNK {
            let chunks = a.par_chunks_mut(CHUNK).zip(b.par_chunks_mut(CHUNK)).enumerate();
            chunks.for_each(|(i, (a, b))| work(i * CHUNK, a, b));
        } else {
            work(0, a, b);
        }
    }
}
