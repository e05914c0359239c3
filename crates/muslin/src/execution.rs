//! Who does the work: one thread or many, with which instructions. Never what the result is.

use std::sync::OnceLock;

use rayon::ThreadPool;

pub use crate::math::lanes::Instructions;

/// Fewer values than this are not worth a second thread.
const SMALLEST_CHUNK: usize = 2048;

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
        // An array of nothing takes part in the halving; it takes no memory.
        let mut nothing = vec![(); values.len()];
        self.for_each_chunk2(values, &mut nothing, |first, values, _| work(first, values));
    }

    /// As [`Execution::for_each_chunk`] over two arrays of the same length.
    pub fn for_each_chunk2<A: Send, B: Send>(
        self,
        a: &mut [A],
        b: &mut [B],
        work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
    ) {
        if self.parallel {
            halve(0, a, b, chunk_size(a.len()), &work);
        } else {
            work(0, a, b);
        }
    }
}

/// Halves two arrays until a piece has at most `size` values; the halves may run on two threads.
fn halve<A: Send, B: Send>(
    first: usize,
    a: &mut [A],
    b: &mut [B],
    size: usize,
    work: &(impl Fn(usize, &mut [A], &mut [B]) + Sync),
) {
    if a.len() <= size {
        return work(first, a, b);
    }
    let middle = a.len() / 2;
    let (lower_a, upper_a) = a.split_at_mut(middle);
    let (lower_b, upper_b) = b.split_at_mut(middle);
    rayon::join(
        || halve(first, lower_a, lower_b, size, work),
        || halve(first + middle, upper_a, upper_b, size, work),
    );
}

/// One chunk per thread, but none too small.
fn chunk_size(values: usize) -> usize {
    values.div_ceil(rayon::current_num_threads()).max(SMALLEST_CHUNK)
}

/// Runs `work` in a pool, if there is one.
pub(crate) fn in_pool<R: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> R + Send) -> R {
    let Some(pool) = pool else { return work() };
    pool.install(work)
}

/// How many threads can run at once. Asked of the system once: it reads files for the answer.
pub(crate) fn available_threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}
