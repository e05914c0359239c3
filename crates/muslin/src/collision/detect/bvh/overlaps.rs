//! Pairs of primitives whose boxes overlap.
//!
//! Two trees (or one with itself) → pairs, in an order that does not depend on the threads: the descent
//! is cut into tasks, which depend only on the trees, and their pairs are put together in order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::leaf::slots;
use super::{Bvh, Marks, Node};
use crate::execution::Execution;

/// Tasks are subtrees of this part of the whole, so that threads with less to do find more …
const PARTS: usize = 128;

/// … but with at least this many leaves, so that starting one is worth it.
const SMALLEST_TASK: usize = 32;

/// Pairs of primitives, and the memory that finding them takes; to be used again for the next search.
#[derive(Debug, Default)]
pub(crate) struct Overlaps {
    /// What the last search found.
    pub pairs: Vec<[u32; 2]>,
    /// Pairs of subtrees whose boxes overlap.
    pub(super) tasks: Vec<[Node; 2]>,
    /// What each task found, where they run on several threads.
    found: Vec<Vec<[u32; 2]>>,
    /// The most overlaps of boxes, kept or not, after which a search is given up; `None` is no limit.
    pub most: Option<usize>,
    /// Whether the last search was given up: its pairs are then not complete. That depends on the trees only, not on
    /// the threads, but what was found until then does.
    pub gave_up: bool,
}

/// How many overlaps may still be found, by all tasks together. While tasks run, each may find as many as were left
/// when it began.
struct Budget {
    most: usize,
    taken: AtomicUsize,
    exceeded: AtomicBool,
}

impl Budget {
    fn new(most: Option<usize>) -> Self {
        Self {
            most: most.unwrap_or(usize::MAX),
            taken: AtomicUsize::new(0),
            exceeded: AtomicBool::new(false),
        }
    }

    fn left(&self) -> usize {
        self.most.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Books what a task has found.
    fn take(&self, count: usize) {
        if self.taken.fetch_add(count, Ordering::Relaxed).saturating_add(count) > self.most {
            self.exceed();
        }
    }

    fn exceed(&self) {
        self.exceeded.store(true, Ordering::Relaxed);
    }

    fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }
}

impl Bvh {
    /// Finds all pairs of primitives (one of this tree, one of the other) whose boxes overlap and that
    /// the caller wants to `keep`.
    pub fn overlaps_with(
        &self,
        other: &Self,
        execution: Execution,
        keep: impl Fn(u32, u32) -> bool + Sync,
        overlaps: &mut Overlaps,
    ) {
        self.marked_overlaps_with(other, None, execution, keep, overlaps);
    }

    /// As [`Bvh::overlaps_with`]; pairs of which neither is marked are left out.
    pub fn marked_overlaps_with(
        &self,
        other: &Self,
        marks: Option<[&Marks; 2]>,
        execution: Execution,
        keep: impl Fn(u32, u32) -> bool + Sync,
        overlaps: &mut Overlaps,
    ) {
        let budget = Budget::new(overlaps.most);
        let search = Search { trees: [self, other], marks, budget: &budget };
        overlaps.tasks.clear();
        if let (Some(a), Some(b)) = (self.root(), other.root()) {
            let grain = |tree: &Self| (tree.leaves.len() / PARTS).max(SMALLEST_TASK);
            let tasks = &mut overlaps.tasks;
            search.between(a, b, grain(self).max(grain(other)), &mut |a, b| tasks.push([a, b]));
        }
        overlaps.run(execution, |[a, b], pairs| {
            let (mut count, left) = (0, budget.left());
            let mut found = |a, b| {
                count += 1;
                if count > left {
                    budget.exceed();
                } else if keep(a, b) {
                    pairs.push([a, b]);
                }
            };
            search.between(a, b, 1, &mut |a, b| search.leaves(a, b, &mut found));
            budget.take(count);
        });
        overlaps.gave_up = budget.is_exceeded();
    }

    /// Finds all pairs of different primitives of this tree, the smaller index first, whose boxes
    /// overlap and that the caller wants to `keep`, each once.
    pub fn overlaps_within(
        &self,
        execution: Execution,
        keep: impl Fn(u32, u32) -> bool + Sync,
        overlaps: &mut Overlaps,
    ) {
        self.marked_overlaps_within(None, execution, keep, overlaps);
    }

    /// As [`Bvh::overlaps_within`]; pairs of which neither is marked are left out.
    pub fn marked_overlaps_within(
        &self,
        marks: Option<&Marks>,
        execution: Execution,
        keep: impl Fn(u32, u32) -> bool + Sync,
        overlaps: &mut Overlaps,
    ) {
        let budget = Budget::new(overlaps.most);
        let search =
            Search { trees: [self, self], marks: marks.map(|marks| [marks, marks]), budget: &budget };
        overlaps.tasks.clear();
        if let Some(root) = self.root() {
            let grain = (self.leaves.len() / PARTS).max(SMALLEST_TASK);
            let tasks = &mut overlaps.tasks;
            search.within(root, grain, &mut |a, b| tasks.push([a, b]));
        }
        overlaps.run(execution, |[a, b], pairs| {
            let (mut count, left) = (0, budget.left());
            let mut found = |a: u32, b: u32| {
                let (a, b) = (a.min(b), a.max(b));
                count += 1;
                if count > left {
                    budget.exceed();
                } else if keep(a, b) {
                    pairs.push([a, b]);
                }
            };
            let mut reached = |a: Node, b: Node| match a == b {
                true => search.one_leaf(a, &mut found),
                false => search.leaves(a, b, &mut found),
            };
            match a == b {
                true => search.within(a, 1, &mut reached),
                false => search.between(a, b, 1, &mut reached),
            }
            budget.take(count);
        });
        overlaps.gave_up = budget.is_exceeded();
    }
}

impl Overlaps {
    /// Runs all tasks; their pairs follow each other in the order of the tasks.
    fn run(&mut self, execution: Execution, work: impl Fn([Node; 2], &mut Vec<[u32; 2]>) + Sync) {
        self.pairs.clear();
        if execution.threads.count() == 1 || self.tasks.len() < 2 {
            return self.tasks.iter().for_each(|&task| work(task, &mut self.pairs));
        }
        self.found.resize_with(self.tasks.len().max(self.found.len()), Vec::new);
        let tasks = &self.tasks;
        execution.for_each(&mut self.found[..tasks.len()], |task, found| {
            found.clear();
            work(tasks[task], found);
        });
        self.found[..self.tasks.len()].iter().for_each(|found| self.pairs.extend_from_slice(found));
    }
}

/// The descent through two trees, which may be the same.
#[derive(Clone, Copy)]
struct Search<'a> {
    trees: [&'a Bvh; 2],
    /// Only pairs of which one is marked, if that is said.
    marks: Option<[&'a Marks; 2]>,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Descends from a pair of different subtrees to pairs of at most `grain` leaves each.
    fn between(self, a: Node, b: Node, grain: usize, reached: &mut impl FnMut(Node, Node)) {
        if !self.counts(a, b)
            || !self.trees[0].nodes[a.index].overlaps(&self.trees[1].nodes[b.index])
            || self.budget.is_exceeded()
        {
            return;
        }
        if a.leaves <= grain && b.leaves <= grain {
            reached(a, b);
        } else if a.leaves >= b.leaves {
            a.children().into_iter().for_each(|a| self.between(a, b, grain, reached));
        } else {
            b.children().into_iter().for_each(|b| self.between(a, b, grain, reached));
        }
    }

    /// Whether one of two subtrees is marked, if that is asked for.
    fn counts(self, a: Node, b: Node) -> bool {
        self.marks.is_none_or(|[of_a, of_b]| of_a.holds(a) || of_b.holds(b))
    }

    /// The bits of the primitives of two leaves that count.
    fn marked(self, a: Node, b: Node) -> [u32; 2] {
        self.marks
            .map_or([u32::MAX; 2], |[of_a, of_b]| [of_a.leaves[a.first_leaf], of_b.leaves[b.first_leaf]])
    }

    /// Descends from a subtree, paired with itself.
    fn within(self, node: Node, grain: usize, reached: &mut impl FnMut(Node, Node)) {
        if !self.counts(node, node) || self.budget.is_exceeded() {
            return;
        }
        if node.leaves <= grain {
            return reached(node, node);
        }
        let [left, right] = node.children();
        self.within(left, grain, reached);
        self.between(left, right, grain, reached);
        self.within(right, grain, reached);
    }

    /// The overlapping primitives of two leaves.
    #[inline]
    fn leaves(self, a: Node, b: Node, found: &mut impl FnMut(u32, u32)) {
        let [tree_a, tree_b] = self.trees;
        let (leaf_a, leaf_b) = (&tree_a.leaves[a.first_leaf], &tree_b.leaves[b.first_leaf]);
        let (ids_a, ids_b) = (&tree_a.primitives[a.first_leaf], &tree_b.primitives[b.first_leaf]);
        // Neighbouring leaves share a seam: most primitives of one do not reach the other.
        let near = leaf_a.overlaps(&super::Query::new(&tree_b.nodes[b.index]));
        let [marked_a, marked_b] = self.marked(a, b);
        for slot in slots(near) {
            let wanted = if marked_a >> slot & 1 == 1 { u32::MAX } else { marked_b };
            if wanted != 0 {
                let hits = leaf_b.overlaps(&leaf_a.query(slot)) & wanted;
                slots(hits).for_each(|hit| found(ids_a[slot], ids_b[hit]));
            }
        }
    }

    /// The overlapping primitives of one leaf.
    #[inline]
    fn one_leaf(self, node: Node, found: &mut impl FnMut(u32, u32)) {
        let leaf = &self.trees[0].leaves[node.first_leaf];
        let ids = &self.trees[0].primitives[node.first_leaf];
        let [marked, _] = self.marked(node, node);
        for slot in 0..ids.len() {
            let wanted = if marked >> slot & 1 == 1 { u32::MAX } else { marked };
            let later = u32::MAX.checked_shl(slot as u32 + 1).unwrap_or(0);
            let hits = leaf.overlaps(&leaf.query(slot)) & later & wanted;
            slots(hits).for_each(|hit| found(ids[slot], ids[hit]));
        }
    }
}
