//! The handle that is passed around.

use std::fmt;
use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use crate::stretches;
use crate::team::Team;
use crate::tree::Tree;

/// Threads that work together on one thing after the other; the thread that asks is one of them.
///
/// Clones are handles to the same threads, which end with the last handle. Any number of cloths may share them: who asks
/// while they are busy works alone meanwhile, with the same results. While nobody asks, they sleep.
#[derive(Clone, Default)]
pub struct Threads {
    /// None where there is one thread only.
    team: Option<Arc<Team>>,
}

impl Threads {
    /// No threads but the one that asks.
    pub const fn one() -> Self {
        Self { team: None }
    }

    /// New threads, `count` with the one that asks; 0 stands for [`default_count`].
    pub fn new(count: usize) -> io::Result<Self> {
        let count = if count == 0 { default_count() } else { count };
        let team = (count > 1).then(|| Team::new(count, cores())).transpose()?;
        Ok(Self { team: team.map(Arc::new) })
    }

    /// The threads of this process for everybody who wants `count` of them: made by the first who asks, and there until
    /// nobody has them any more. 0 stands for [`default_count`].
    pub fn shared(count: usize) -> io::Result<Self> {
        static SHARED: Mutex<Vec<Weak<Team>>> = Mutex::new(Vec::new());
        let count = if count == 0 { default_count() } else { count };
        let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        shared.retain(|team| team.strong_count() > 0);
        if let Some(team) = shared.iter().filter_map(Weak::upgrade).find(|team| team.members() == count) {
            return Ok(Self { team: Some(team) });
        }
        let made = Self::new(count)?;
        shared.extend(made.team.iter().map(Arc::downgrade));
        Ok(made)
    }

    /// How many threads these are.
    pub fn count(&self) -> usize {
        self.team.as_ref().map_or(1, |team| team.members())
    }

    /// Calls `body` with (first index, values) of pieces of an array, each value once. Pieces begin at multiples of `unit`
    /// and hold at least `least` values, unless the array is one piece.
    ///
    /// # Panics
    /// If `body` does, after all other pieces are done; or if `unit` is 0.
    pub fn for_each_piece<T: Send>(
        &self,
        values: &mut [T],
        unit: usize,
        least: usize,
        body: impl Fn(usize, &mut [T]) + Sync,
    ) {
        // An array of nothing takes no memory.
        let mut nothing = vec![(); values.len()];
        self.for_each_piece2(values, &mut nothing, unit, least, |first, values, _| body(first, values));
    }

    /// As [`Threads::for_each_piece`] over two arrays of the same length.
    ///
    /// # Panics
    /// As there, and if the lengths differ.
    pub fn for_each_piece2<A: Send, B: Send>(
        &self,
        a: &mut [A],
        b: &mut [B],
        unit: usize,
        least: usize,
        body: impl Fn(usize, &mut [A], &mut [B]) + Sync,
    ) {
        stretches::for_each_piece2(self.team.as_deref(), a, b, [unit, least], &body);
    }

    /// Visits each node of a tree after its halves: calls `body` with its number, what is its own, and its stretch of
    /// `data`.
    ///
    /// # Panics
    /// If `body` does, after all other nodes are done; or if there are not as many values in `own` as nodes and in
    /// `data` as the tree is long.
    pub fn sweep<N: Send, T: Send>(
        &self,
        tree: &Tree,
        own: &mut [N],
        data: &mut [T],
        body: impl Fn(usize, &mut N, &mut [T]) + Sync,
    ) {
        stretches::sweep(self.team.as_deref(), tree, own, data, &body);
    }
}

/// Whether two handles are of the same threads.
impl PartialEq for Threads {
    fn eq(&self, other: &Self) -> bool {
        let address = |threads: &Self| threads.team.as_ref().map(Arc::as_ptr);
        address(self) == address(other)
    }
}

impl Eq for Threads {}

// A panic of a task leaves nothing half done in a team.
impl UnwindSafe for Threads {}
impl RefUnwindSafe for Threads {}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Threads").field("count", &self.count()).finish()
    }
}

/// How many threads are worth having: one per physical core, as far as the process may use them.
///
/// Two threads on one core share its arithmetic units, which a step keeps busy, and a thread that waits awake takes
/// from its twin.
pub fn default_count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| cores().min(num_cpus::get_physical()).max(1))
}

/// How many threads can run at once. Asked of the system once: it reads files for the answer.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}
