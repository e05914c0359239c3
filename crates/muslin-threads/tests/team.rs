//! What must hold with real threads, and under a model checker.
//!
//! `cargo xtask test` runs this file as it is, with shuttle (`RUSTFLAGS="--cfg shuttle"`: many random schedules) and with loom
//! (`--cfg loom`: all schedules of a small team with few preemptions, with weak memory).

#![cfg_attr(loom, allow(unsafe_code))] // Cells that loom watches.

use muslin_threads::{Threads, Tree};
#[cfg(not(any(loom, shuttle)))]
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a test as it is, or many times under the model checker.
fn check(test: impl Fn() + Send + Sync + 'static) {
    #[cfg(not(any(loom, shuttle)))]
    test();
    #[cfg(shuttle)]
    {
        let test = std::sync::Arc::new(test);
        let again = std::sync::Arc::clone(&test);
        shuttle::check_random(move || test(), 20_000);
        shuttle::check_pct(move || again(), 20_000, 3);
    }
    #[cfg(loom)]
    {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(test);
    }
}

/// A number whose accesses loom watches: two that nothing orders are an error.
#[cfg(loom)]
struct Value(loom::cell::UnsafeCell<u64>);
#[cfg(loom)]
unsafe impl Sync for Value {}
#[cfg(not(loom))]
struct Value(std::cell::Cell<u64>);

impl Value {
    fn new(value: u64) -> Self {
        #[cfg(loom)]
        return Self(loom::cell::UnsafeCell::new(value));
        #[cfg(not(loom))]
        Self(value.into())
    }

    fn get(&self) -> u64 {
        #[cfg(loom)]
        return self.0.with(|value| unsafe { *value });
        #[cfg(not(loom))]
        self.0.get()
    }

    fn set(&mut self, new: u64) {
        #[cfg(loom)]
        self.0.with_mut(|value| unsafe { *value = new });
        #[cfg(not(loom))]
        self.0.set(new);
    }
}

/// A sweep in which each node mixes its stretch, so that every other order gives another result.
fn mix(threads: &Threads, tree: &Tree, data: &mut [Value]) {
    let mut visits = vec![0u64; tree.node_count()];
    threads.sweep(tree, &mut visits, data, |node, visits, stretch| {
        *visits += 1;
        let mut carry = node as u64 + 1;
        for value in stretch {
            carry = (carry ^ value.get()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            value.set(carry);
        }
    });
    assert!(visits.iter().all(|&visits| visits == 1), "{visits:?}");
}

/// A loop over pieces of an array.
fn add(threads: &Threads, data: &mut [Value]) {
    threads.for_each_piece(data, 1, 1, |first, piece| {
        for (offset, value) in piece.iter_mut().enumerate() {
            value.set(value.get().wrapping_add((first + offset) as u64));
        }
    });
}

fn rounds(threads: &Threads, tree: &Tree, rounds: usize) -> Vec<u64> {
    let mut data: Vec<Value> = (0..tree.stretch(tree.root()).1 as u64).map(Value::new).collect();
    for _ in 0..rounds {
        mix(threads, tree, &mut data);
        add(threads, &mut data);
    }
    data.iter().map(Value::get).collect()
}

#[test]
fn a_team_gives_the_result_of_one_thread_and_ends() {
    let members: &[usize] = if cfg!(loom) {
        &[2]
    } else if cfg!(shuttle) {
        &[2, 3]
    } else {
        &[2, 3, 5, 16]
    };
    let (len, times) = if cfg!(loom) {
        (2, 1)
    } else if cfg!(shuttle) {
        (6, 2)
    } else {
        (40, 5_000)
    };
    for &members in members {
        check(move || {
            let tree = Tree::new(len, 1);
            let threads = Threads::new(members).unwrap();
            assert_eq!(rounds(&threads, &tree, times), rounds(&Threads::one(), &tree, times));
        });
    }
}

#[cfg(not(any(loom, shuttle)))]
mod with_real_threads {
    use super::*;

    #[test]
    fn a_panic_of_a_task_comes_through_and_the_team_goes_on() {
        let threads = Threads::new(4).unwrap();
        for round in 0..200 {
            let panic = std::panic::catch_unwind(|| {
                threads.for_each_piece(&mut [0u8; 64], 1, 1, |first, _| {
                    assert!(first < 30, "piece {first} of round {round}");
                });
            });
            assert!(panic.is_err());
            let mut data: Vec<Value> = (0..100).map(Value::new).collect();
            add(&threads, &mut data);
            assert_eq!(data[99].get(), 2 * 99);
        }
    }

    #[test]
    fn who_asks_from_within_or_from_two_threads_at_once_is_served() {
        let threads = Threads::new(3).unwrap();
        let tree = Tree::new(1000, 10);
        let expected = rounds(&Threads::one(), &tree, 50);
        let ends = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    assert_eq!(rounds(&threads, &tree, 50), expected);
                    ends.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(ends.into_inner(), 4);
        threads.for_each_piece(&mut [0u8; 8], 1, 1, |_, _| {
            assert_eq!(rounds(&threads, &tree, 50), expected);
        });
    }

    #[test]
    fn pieces_begin_at_multiples_of_the_unit_and_cover_the_array() {
        let threads = Threads::new(4).unwrap();
        for len in [0, 1, 6, 7, 8, 100, 1001] {
            let mut counts = vec![0; len];
            threads.for_each_piece(&mut counts, 7, 1, |first, piece| {
                assert!(first % 7 == 0 && (piece.len() % 7 == 0 || first + piece.len() == len));
                piece.iter_mut().for_each(|count| *count += 1);
            });
            assert!(counts.iter().all(|&count| count == 1));
        }
    }

    #[test]
    fn equal_wishes_share_threads() {
        let first = Threads::shared(5).unwrap();
        let second = Threads::shared(5).unwrap();
        assert_eq!((first.count(), second.count()), (5, 5));
        assert_eq!(first, second);
        assert_ne!(first, Threads::new(5).unwrap());
        assert_ne!(first, Threads::shared(4).unwrap());
        assert_eq!(Threads::shared(1).unwrap(), Threads::one());
    }
}
