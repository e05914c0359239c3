//! Disjoint parts of slices for the tasks of a phase, and panics of tasks.

#![allow(unsafe_code)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;

use crate::system::MOST_TASKS;
use crate::team::{Part, Team};
use crate::tree::Tree;

/// More pieces than members, so that who is late leaves little to others.
const PIECES_PER_MEMBER: usize = 4;

/// A slice of which several threads change different parts.
struct Shared<T> {
    first: *mut T,
    len: usize,
}

// SAFETY: it hands out parts to be changed by other threads, as `&mut [T]` does when it is split and sent.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn new(values: &mut [T]) -> Self {
        Self { first: values.as_mut_ptr(), len: values.len() }
    }

    /// A stretch of the slice.
    ///
    /// # Safety
    /// The slice is still borrowed by whoever made this, and no other stretch that is in use overlaps this one.
    #[allow(clippy::mut_from_ref)] // The caller sees to it that stretches do not overlap.
    unsafe fn stretch(&self, start: usize, len: usize) -> &mut [T] {
        assert!(start <= self.len && len <= self.len - start);
        // SAFETY: within the slice by the line above, borrowed and not in use by the caller's word.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(start), len) }
    }
}

/// The first panic of a phase. All its tasks still come to an end, because others may wait for them.
#[derive(Default)]
struct Panic(Mutex<Option<Box<dyn Any + Send>>>);

impl Panic {
    fn catch(&self, body: impl FnOnce()) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
            self.0.lock().expect("nobody panics with this lock").get_or_insert(payload);
        }
    }

    fn resume(self) {
        if let Some(payload) = self.0.into_inner().expect("nobody panics with this lock") {
            resume_unwind(payload);
        }
    }
}

/// See [`Threads::for_each_piece2`](crate::Threads::for_each_piece2).
pub(crate) fn for_each_piece2<A: Send, B: Send>(
    team: Option<&Team>,
    a: &mut [A],
    b: &mut [B],
    [unit, least]: [usize; 2],
    body: &(impl Fn(usize, &mut [A], &mut [B]) + Sync),
) {
    let len = a.len();
    assert_eq!(len, b.len());
    let units = len.div_ceil(unit);
    let wanted = team.map_or(1, |team| PIECES_PER_MEMBER * team.members());
    let pieces = (len / least.max(1)).min(units).min(wanted).clamp(1, MOST_TASKS);
    if pieces == 1 {
        return body(0, a, b);
    }
    let (a, b, panic) = (Shared::new(a), Shared::new(b), Panic::default());
    let visit = |piece: usize| {
        let [start, end] = [piece, piece + 1].map(|piece| (piece * units / pieces * unit).min(len));
        // SAFETY: both slices are borrowed until the phase is over, and pieces end where the next begin.
        let (a, b) = unsafe { (a.stretch(start, end - start), b.stretch(start, end - start)) };
        panic.catch(|| body(start, a, b));
    };
    let run = |part| {
        // Without a tree there is nothing above.
        let Part::Task(piece) = part else { return };
        visit(piece);
    };
    if !team.is_some_and(|team| team.phase(pieces, None, &run)) {
        (0..pieces).for_each(visit);
    }
    panic.resume();
}

/// See [`Threads::sweep`](crate::Threads::sweep).
pub(crate) fn sweep<N: Send, T: Send>(
    team: Option<&Team>,
    tree: &Tree,
    own: &mut [N],
    data: &mut [T],
    body: &(impl Fn(usize, &mut N, &mut [T]) + Sync),
) {
    assert_eq!(own.len(), tree.node_count());
    assert_eq!(data.len(), tree.stretch(tree.root()).1);
    let (own, data, panic) = (Shared::new(own), Shared::new(data), Panic::default());
    let visit = |node: usize| {
        let (start, len) = tree.stretch(node);
        // SAFETY: both slices are borrowed until the phase is over. Each node is visited once. A node's stretch overlaps
        // those of the nodes above and below it only, and is used after those below are done and before those
        // above begin: within a task by its order, else because whoever counts the second half goes on.
        let (own, stretch) = unsafe { (own.stretch(node, 1), data.stretch(start, len)) };
        panic.catch(|| body(node, &mut own[0], stretch));
    };
    let run = |part| match part {
        Part::Task(task) => tree.subtree(tree.tasks()[task].node).for_each(visit),
        Part::Above(above) => visit(tree.above()[above].node),
    };
    if !team.is_some_and(|team| team.phase(tree.tasks().len(), Some(tree), &run)) {
        tree.subtree(tree.root()).for_each(visit);
    }
    panic.resume();
}
