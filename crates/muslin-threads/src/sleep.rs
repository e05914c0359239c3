//! How members wait: first awake, then asleep.
//!
//! A phase is a few microseconds long, a wake-up as much again: members that expect the next phase soon look out for it. After
//! a moment a worker lets others have its core between two looks: beside busy programs it may share the core with the caller
//! itself. If another program gets it, for some milliseconds, nobody waits. The caller never does that, for
//! everybody would wait for it: it looks out, then it sleeps, and a sleeper that is woken comes to run at once.

use std::time::{Duration, Instant};

use crate::system::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::*, fence};
use crate::system::*;

/// A thread that has found nothing to do for so long goes to sleep.
pub const PATIENCE: Duration = Duration::from_micros(50);

/// A thread that has done its own tasks waits for so long before it takes those of others: their data are in
/// others' caches, and others are probably about to begin.
const GRACE: Duration = Duration::from_micros(3);

/// The clock is read once in so many looks.
const LOOKS: u32 = 16;

/// Who waits.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Who {
    Caller,
    Worker,
}

/// How long somebody has been waiting.
pub(crate) struct Watch {
    who: Who,
    looks: u32,
    since: Option<Instant>,
    /// With more members than cores who waits only takes time from who works.
    crowded: bool,
}

/// What to do next while waiting.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Waited {
    Little,
    /// Take what others have not begun.
    ForGrace,
    /// Sleep.
    ForLong,
}

impl Watch {
    pub fn new(who: Who, crowded: bool) -> Self {
        Self { who, looks: 0, since: None, crowded }
    }

    /// Pauses for a moment.
    pub fn pause(&mut self) -> Waited {
        if IS_MODEL || self.crowded {
            return Waited::ForLong;
        }
        spin_loop();
        self.looks += 1;
        if !self.looks.is_multiple_of(LOOKS) {
            return Waited::Little;
        }
        match self.since.get_or_insert_with(Instant::now).elapsed() {
            waited if waited >= PATIENCE => Waited::ForLong,
            waited if waited >= GRACE => {
                if self.who == Who::Worker {
                    thread::yield_now();
                }
                Waited::ForGrace
            }
            _ => Waited::Little,
        }
    }
}

/// The beds of a team's workers, and of the one who waits for them.
pub(crate) struct Beds {
    /// How many workers are asleep, or about to be.
    asleep: Padded<AtomicUsize>,
    sleeping: Box<[Padded<AtomicBool>]>,
    caller_sleeps: Padded<AtomicBool>,
    caller: (Mutex<()>, Condvar),
}

impl Beds {
    pub fn new(members: usize) -> Self {
        Self {
            asleep: Padded(AtomicUsize::new(0)),
            sleeping: padded(members, || AtomicBool::new(false)),
            caller_sleeps: Padded(AtomicBool::new(false)),
            caller: (Mutex::new(()), Condvar::new()),
        }
    }

    /// A worker sleeps until `phase` is another than `seen`.
    ///
    /// It says that it sleeps and then looks at the phase; who begins a phase writes the phase and then looks who sleeps
    /// ([`Beds::wake`]). Of the two fences in between one comes first, so at least one of the two sees the other.
    pub fn sleep(&self, me: usize, phase: &AtomicU64, seen: u64) {
        self.asleep.0.fetch_add(1, Relaxed);
        loop {
            // Again each time: a wake-up may come late, meant for an earlier sleep.
            self.sleeping[me].0.store(true, Relaxed);
            fence(SeqCst);
            if phase.load(Relaxed) != seen {
                break;
            }
            thread::park();
        }
        self.sleeping[me].0.store(false, Relaxed);
        self.asleep.0.fetch_sub(1, Relaxed);
    }

    /// Wakes two workers, who wake two each in turn, of those that a phase needs.
    pub fn wake(&self, me: usize, needed: usize, thread: impl Fn(usize) -> Option<Thread>) {
        fence(SeqCst);
        if self.asleep.0.load(Relaxed) == 0 {
            return;
        }
        for next in [2 * me + 1, 2 * me + 2] {
            if next < needed && self.sleeping[next].0.swap(false, Relaxed) {
                thread(next).iter().for_each(Thread::unpark);
            }
        }
    }

    /// The caller sleeps until `done` is `phase`. Flag and phase as in [`Beds::sleep`]; and whoever sees the flag takes the
    /// lock before it notifies, so that the caller has either not yet looked at `done`, or is waiting.
    pub fn sleep_until(&self, done: &AtomicU64, phase: u64) {
        let (lock, wake_up) = &self.caller;
        let mut guard = lock.lock().expect("nobody panics with this lock");
        self.caller_sleeps.0.store(true, Relaxed);
        fence(SeqCst);
        while done.load(Acquire) != phase {
            guard = wake_up.wait(guard).expect("nobody panics with this lock");
        }
        self.caller_sleeps.0.store(false, Relaxed);
    }

    /// Wakes the caller after `done` was written, if it sleeps.
    pub fn wake_caller(&self) {
        fence(SeqCst);
        if self.caller_sleeps.0.load(Relaxed) {
            drop(self.caller.0.lock().expect("nobody panics with this lock"));
            self.caller.1.notify_one();
        }
    }
}
