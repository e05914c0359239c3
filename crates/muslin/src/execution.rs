//! Who does the work: one thread or many, with which instructions. Never what the result is.

pub use muslin_threads::Threads;

pub use crate::math::lanes::Instructions;

/// Fewer values than this are not worth a thread. A loop over them takes one to three microseconds, and threads that are awake
/// meet in as much. (With 1,024, transfers between the levels of 20,000 triangles gained nothing from more than two threads.)
const SMALLEST_CHUNK: usize = 128;

/// No threads but the one that asks.
static ONE: Threads = Threads::one();

/// How a stage is to be carried out. The results are the same bits for every choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Execution<'a> {
    /// Who takes part.
    pub threads: &'a Threads,
    /// Which vector instructions to use.
    pub instructions: Instructions,
}

impl Default for Execution<'static> {
    fn default() -> Self {
        Self { threads: &ONE, instructions: Instructions::default() }
    }
}

impl Execution<'_> {
    /// Calls `work` with (first index, values) for stretches of an array, each value once.
    pub fn for_each_chunk<T: Send>(self, values: &mut [T], work: impl Fn(usize, &mut [T]) + Sync) {
        self.threads.for_each_piece(values, 1, SMALLEST_CHUNK, work);
    }

    /// As [`Execution::for_each_chunk`] over two arrays of the same length.
    pub fn for_each_chunk2<A: Send, B: Send>(
        self,
        a: &mut [A],
        b: &mut [B],
        work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
    ) {
        self.threads.for_each_piece2(a, b, 1, SMALLEST_CHUNK, work);
    }

    /// As [`Execution::for_each_chunk`], with stretches that are whole rows of so many values; the last may be shorter.
    pub fn for_each_rows<T: Send>(
        self,
        values: &mut [T],
        columns: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        self.threads.for_each_piece(values, columns, SMALLEST_CHUNK, work);
    }

    /// Calls `work` with each value and its index, where one value is work enough for a thread.
    pub fn for_each<T: Send>(self, values: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        self.threads.for_each_piece(values, 1, 1, |first, values| {
            values.iter_mut().enumerate().for_each(|(offset, value)| work(first + offset, value));
        });
    }

    /// Lets `work` write what it makes of (first index, values) for stretches of `size` values into memory that is used again
    /// and again, in their order: for the whole at once where that is not worth a second thread.
    pub fn for_chunks<'a, T: Sync, R: Default + Send>(
        self,
        values: &[T],
        size: usize,
        memory: &'a mut Vec<R>,
        work: impl Fn(usize, &[T], &mut R) + Sync,
    ) -> &'a mut [R] {
        let whole = self.threads.count() == 1 || values.len() <= 2 * size;
        let count = if whole { 1 } else { values.len().div_ceil(size) };
        if memory.len() < count {
            memory.resize_with(count, R::default);
        }
        let results = &mut memory[..count];
        if whole {
            work(0, values, &mut results[0]);
        } else {
            self.for_each(results, |chunk, result| {
                let first = chunk * size;
                work(first, &values[first..values.len().min(first + size)], result);
            });
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_in_their_order() {
        let values: Vec<u32> = (0..10_000).collect();
        let threads = Threads::new(3).unwrap();
        let execution = Execution { threads: &threads, ..Execution::default() };
        let mut memory = vec![(7, vec![7])];
        let copy = |first, chunk: &[u32], copy: &mut (usize, Vec<u32>)| *copy = (first, chunk.to_vec());
        let chunks = execution.for_chunks(&values, 64, &mut memory, copy);
        assert_eq!(chunks.len(), 10_000usize.div_ceil(64));
        assert!(chunks.iter().all(|(first, chunk)| *first == chunk[0] as usize));
        assert_eq!(chunks.iter().flat_map(|(_, chunk)| chunk).copied().collect::<Vec<_>>(), values);
        let whole = Execution::default().for_chunks(&values, 64, &mut memory, copy);
        assert!(whole.len() == 1 && whole[0].1 == values);
    }
}
