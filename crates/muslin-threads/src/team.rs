//! The team: phases, claims, completion.
//!
//! A phase is a word: its number and how many tasks it has. The caller writes what is to be done, then the word (release);
//! members read the word (acquire) and claim tasks, each by one compare-exchange of the phase's number over an older one. Who
//! completes the last part writes the word into `done` (release), which the caller reads (acquire).
//!
//! *A claim keeps the phase alive*: a phase does not complete before each of its tasks has been claimed and run, so as long
//! as somebody holds a claim of a task that has not been counted, the caller waits, and what it has lent is there. Of a
//! phase that is over every task has been claimed, so who comes late finds nothing.

#![allow(unsafe_code)]

use std::io;
use std::sync::OnceLock;

use crate::sleep::{Beds, Waited, Watch, Who};
use crate::system::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering::*};
use crate::system::*;
use crate::tree::Tree;

/// The lower bits of a phase's word are the number of its tasks.
const BITS: u32 = 8;
const QUIT: u64 = u64::MAX;
const _: () = assert!(MOST_TASKS < 1 << BITS);

/// One piece of a phase's work.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// One of the tasks.
    Task(usize),
    /// One of the nodes of a tree above them, once its halves are done.
    Above(usize),
}

/// What is lent to the team for a phase.
#[derive(Clone, Copy)]
struct Work<'a> {
    run: &'a (dyn Fn(Part) + Sync),
    /// Without one, tasks are all there is.
    tree: Option<&'a Tree>,
}

struct Shared {
    members: usize,
    /// More members than cores.
    crowded: bool,
    /// The phase under way.
    phase: Padded<AtomicU64>,
    /// The last phase that was completed.
    done: Padded<AtomicU64>,
    /// A `*const Work` on the caller's stack. Read by holders of claims only.
    work: Padded<AtomicPtr<()>>,
    /// Per task the last phase in which somebody took it.
    claims: Box<[Padded<AtomicU64>]>,
    /// Without a tree: how many tasks are done.
    finished: Padded<AtomicU32>,
    /// With a tree: per node above the tasks how many of its halves are done.
    halves: Box<[Padded<AtomicU32>]>,
    beds: Beds,
    threads: Box<[OnceLock<Thread>]>,
    busy: AtomicBool,
}

/// A number of threads, of which the one that asks is the first.
pub(crate) struct Team {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl Team {
    /// A team of `members`, the caller counted in.
    pub fn new(members: usize, cores: usize) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            members,
            crowded: members > cores,
            phase: Padded(AtomicU64::new(0)),
            done: Padded(AtomicU64::new(0)),
            work: Padded(AtomicPtr::new(std::ptr::null_mut())),
            claims: padded(MOST_TASKS, || AtomicU64::new(0)),
            finished: Padded(AtomicU32::new(0)),
            halves: padded(MOST_TASKS, || AtomicU32::new(0)),
            beds: Beds::new(members),
            threads: (0..members).map(|_| OnceLock::new()).collect(),
            busy: AtomicBool::new(false),
        });
        // Filled one by one: if a thread cannot be had, dropping the team ends those that could.
        let mut team = Self { shared, workers: Vec::new() };
        for me in 1..members {
            let shared = Arc::clone(&team.shared);
            let worker = thread::Builder::new().name(format!("muslin {me}"));
            team.workers.push(worker.spawn(move || shared.attend(me))?);
        }
        Ok(team)
    }

    /// The caller counted in.
    pub fn members(&self) -> usize {
        self.shared.members
    }

    /// Runs all parts of a phase and returns true; or returns false because there is nobody to help, and does nothing.
    /// `run` must not panic.
    pub fn phase(&self, tasks: usize, tree: Option<&Tree>, run: &(dyn Fn(Part) + Sync)) -> bool {
        let shared = &*self.shared;
        debug_assert!(tasks <= MOST_TASKS);
        // Busy: we are called from within a phase, or from two threads at once.
        if tasks < 2 || shared.busy.swap(true, Acquire) {
            return false;
        }
        let work = Work { run, tree };
        let now = (((shared.phase.0.load(Relaxed) >> BITS) + 1) << BITS) | tasks as u64;
        shared.finished.0.store(0, Relaxed);
        shared.work.0.store((&raw const work).cast_mut().cast(), Relaxed);
        // Publishes the work, and all data.
        shared.phase.0.store(now, Release);
        shared.run_own(0, now);
        shared.wait_for(now);
        shared.busy.store(false, Release);
        true
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.phase.0.store(QUIT, SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // Workers do not panic; if one did, there is nobody to tell.
            let _ = worker.join();
        }
    }
}

impl Shared {
    /// The life of a worker.
    fn attend(&self, me: usize) {
        // By itself: before its thread is known it must not sleep, or nobody could wake it.
        let _ = self.threads[me].set(thread::current());
        let mut seen = 0;
        loop {
            seen = self.next_phase(me, seen);
            if seen == QUIT {
                return;
            }
            self.run_own(me, seen);
        }
    }

    /// Waits for another phase than `seen`, and helps with that one meanwhile.
    fn next_phase(&self, me: usize, seen: u64) -> u64 {
        let mut helped = seen == 0;
        let mut watch = Watch::new(Who::Worker, self.crowded);
        loop {
            let phase = self.phase.0.load(Acquire);
            if phase != seen {
                return phase;
            }
            let waited = watch.pause();
            if waited >= Waited::ForGrace && !helped {
                helped = true;
                self.run_any(me, seen);
            } else if waited == Waited::ForLong {
                self.beds.sleep(me, &self.phase.0, seen);
            }
        }
    }

    /// The caller waits for the end of a phase. Before it sleeps it has taken every task that nobody had begun.
    fn wait_for(&self, phase: u64) {
        let mut helped = false;
        let mut watch = Watch::new(Who::Caller, self.crowded);
        // Acquires what all tasks wrote.
        while self.done.0.load(Acquire) != phase {
            let waited = watch.pause();
            if waited >= Waited::ForGrace && !helped {
                helped = true;
                self.run_any(0, phase);
            } else if waited == Waited::ForLong {
                self.beds.sleep_until(&self.done.0, phase);
            }
        }
    }

    /// Takes the tasks that are a member's own.
    fn run_own(&self, me: usize, phase: u64) {
        let tasks = tasks_of(phase);
        let needed = tasks.min(self.members);
        if me < needed {
            self.beds.wake(me, needed, |member| self.threads[member].get().cloned());
            self.run_untaken((me * tasks).div_ceil(needed)..((me + 1) * tasks).div_ceil(needed), phase);
        }
    }

    /// Takes all tasks that nobody has begun, first those that come after a member's own.
    fn run_any(&self, me: usize, phase: u64) {
        let tasks = tasks_of(phase);
        let first = (me * tasks).div_ceil(self.members);
        self.run_untaken((first..tasks).chain(0..first), phase);
    }

    /// Runs those of the tasks that nobody has taken in this phase.
    fn run_untaken(&self, tasks: impl Iterator<Item = usize>, phase: u64) {
        let mut ran = 0;
        for task in tasks {
            let claim = &self.claims[task].0;
            let last = claim.load(Relaxed);
            // Relaxed: the claim only decides who runs the task; data come and go by `phase`, `halves`, `finished`, `done`.
            if last >= phase || claim.compare_exchange(last, phase, Relaxed, Relaxed).is_err() {
                continue;
            }
            // SAFETY: the task is claimed and not yet counted, so the phase is not complete and the caller, which has written
            // this pointer before the phase's word that we have acquired, is still in `Team::phase`.
            let Work { run, tree } = unsafe { *self.work.0.load(Relaxed).cast::<Work>() };
            run(Part::Task(task));
            let Some(tree) = tree else {
                ran += 1;
                continue;
            };
            // Up the tree, as long as we come second. No function has `run` or `tree` as an argument while a half is
            // counted: after that the caller may have taken them back.
            let mut link = tree.tasks()[task].above;
            loop {
                let Some(above) = link else {
                    self.complete(phase);
                    break;
                };
                link = tree.above()[above].above;
                // Releases our half, acquires the other.
                let halves = &self.halves[above].0;
                if halves.fetch_add(1, AcqRel) == 0 {
                    break;
                }
                halves.store(0, Relaxed);
                run(Part::Above(above));
            }
        }
        // Counted once for all, since all count here. Releases what was written, acquires what others wrote.
        if ran > 0 && self.finished.0.fetch_add(ran, AcqRel) + ran == tasks_of(phase) as u32 {
            self.complete(phase);
        }
    }

    fn complete(&self, phase: u64) {
        self.done.0.store(phase, Release);
        self.beds.wake_caller();
    }
}

fn tasks_of(phase: u64) -> usize {
    (phase & ((1 << BITS) - 1)) as usize
}
