//! Threads that step cloth: many short fork-joins, whose results do not depend on the number of threads.
//!
//! A step of a cloth with 20,000 triangles is some sixty loops of 5 to 50 µs each, one after the other. What a
//! pool of tasks does well (any task, at any time, from anywhere) is not needed there, and what it costs to
//! put workers to sleep and to wake them is more than a loop takes. So here is a *team*: threads that take part
//! in one *phase* after the other, and each phase is a known list of tasks.
//!
//! - **It cannot hang.** A thread that waits runs nothing but tasks of the phase that it waits for, and tasks wait
//!   for nothing. Before the caller waits it has taken every task that nobody had begun, so it waits only for tasks
//!   that are running. (rayon's workers may take up other jobs in the middle of a `join`, and a job that itself waits can
//!   so come to lie on top of what it waits for.)
//! - **Late threads cost nothing but their help**: asleep, descheduled or dead, nobody waits for who has not begun.
//! - **Idle threads cost nothing**: [`PATIENCE`] after the last phase they sleep.
//! - **Each task has an owner**, the same in every phase over the same array, so that its data stay in one core's
//!   cache; but who waits takes what others have not begun.
//! - **The same bits**: threads decide who runs a part and when, never what it is.
//!
//! [`Threads`] is the handle that is passed around; [`Tree`] is the order of a [`Threads::sweep`].
//!
//! ```
//! use muslin_threads::Threads;
//!
//! let threads = Threads::new(2)?;
//! let mut squares = vec![0u64; 10_000];
//! threads.for_each_piece(&mut squares, 1, 1000, |first, piece| {
//!     for (offset, square) in piece.iter_mut().enumerate() {
//!         *square = ((first + offset) as u64).pow(2);
//!     }
//! });
//! assert_eq!(squares[9_999], 99_980_001);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Unsafe code stands in two places, `team` (a closure that is borrowed for the time of a phase) and `stretches` (disjoint
//! parts of a slice), each with its argument. The synchronisation is checked with loom and shuttle
//! (`tests/team.rs`, run so by `cargo xtask test`).

mod sleep;
mod stretches;
mod system;
mod team;
mod threads;
mod tree;

pub use sleep::PATIENCE;
pub use threads::{Threads, default_count};
pub use tree::Tree;
