//! What the team asks of the system; under a model checker, of the model.

#[cfg(not(any(loom, shuttle)))]
mod chosen {
    pub use std::hint::spin_loop;
    pub use std::sync::{Arc, Condvar, Mutex, atomic};
    pub use std::thread::{self, JoinHandle, Thread};
    /// A phase has at most so many tasks.
    pub const MOST_TASKS: usize = 128;
}

#[cfg(loom)]
mod chosen {
    pub use loom::hint::spin_loop;
    pub use loom::sync::{Arc, Condvar, Mutex, atomic};
    pub use loom::thread::{self, JoinHandle, Thread};
    pub const MOST_TASKS: usize = 2;
}

#[cfg(shuttle)]
mod chosen {
    pub use shuttle::hint::spin_loop;
    pub use shuttle::sync::{Arc, Condvar, Mutex, atomic};
    pub use shuttle::thread::{self, JoinHandle, Thread};
    pub const MOST_TASKS: usize = 8;
}

pub use chosen::*;

/// Models have no clock: whoever waits has waited for long enough for everything.
pub const IS_MODEL: bool = cfg!(any(loom, shuttle));

/// Two values on different cache lines do not slow each other down. (Two lines: processors fetch pairs.)
#[repr(align(128))]
pub struct Padded<T>(pub T);

/// An array of values, each on its own cache line.
pub fn padded<T>(count: usize, value: impl Fn() -> T) -> Box<[Padded<T>]> {
    (0..count).map(|_| Padded(value())).collect()
}
