//! A hierarchy of boxes: which primitives may touch?
//!
//! Boxes of primitives, which move during a step ([`MovingBox`]) → a binary tree, built once
//! ([`Bvh::new`]), whose boxes follow from step to step ([`Bvh::refit`]) → pairs of primitives whose
//! boxes overlap at some time, within one tree or between two, in an order that depends only on the
//! boxes.
//!
//! The primitives are halved at the median of their centres along the widest axis, until few enough
//! are left for one leaf. Nodes stand in preorder, so a subtree is a slice; where it ends follows from
//! how many leaves it has, and no links are stored. A search descends both trees at once; where only a few primitives have
//! moved out of their boxes, it descends only to these ([`Marks`]).
//!
//! What was tried: 20,000 triangles of a wavy sheet, boxes grown by a tenth of an edge, which gives
//! 167,008 pairs; ms on one thread of an AMD EPYC that others were using too: a low percentile of 101
//! runs, and a range where it was measured several times.
//!
//! | leaf                                   | refit | pairs |
//! | -------------------------------------- | ----- | ----- |
//! | 1 box                                  | 0.229 | 3.62  |
//! | 2 boxes, one after the other           | 0.135 | 1.73  |
//! | 4 boxes, one after the other           | 0.081 | 1.07  |
//! | 8 boxes, one after the other           | 0.046 | 0.90  |
//! | 4 boxes by coordinate                  | 0.090 | 1.07  |
//! | **8 boxes by coordinate**              | 0.058 | 0.83 to 0.93 |
//! | 16 boxes by coordinate                 | 0.046 | 0.80 to 1.05 |
//! | 32 boxes by coordinate                 | 0.040 | 1.35  |
//! | 8, all with all of the other leaf      | 0.058 | 1.02  |
//! | 8, both sides split at once            | 0.057 | 0.89  |
//! | 8, each leaf from the root             | 0.058 | 1.29  |
//!
//! So 8 and 16 by coordinate, and 8 one after the other, are hardly to be told apart here. With ten
//! times as many triangles refit takes 0.60 ms and the search 9.0 ms at best (8 one after the other:
//! 10.2 ms); the builds took 3 and 36 ms. Wider nodes were not tried: reaching the pairs of leaves takes
//! 0.16 ms. All this was measured with boxes that do not move; with moving ones the chosen leaf takes
//! 0.10 and 0.94 ms.

mod aabb;
mod leaf;
mod moving_box;
mod overlaps;
#[cfg(test)]
mod tests;

pub(crate) use aabb::Aabb;
use leaf::{Leaf, Query, WIDTH, slots};
pub(crate) use moving_box::MovingBox;
pub(crate) use overlaps::Overlaps;

use crate::execution::Execution;

/// A subtree with fewer leaves than this is refitted by one thread.
const SMALLEST_REFIT: usize = 128;

/// And there are at most about so many of them.
const MOST_SUBTREES: usize = 64;

/// A tree of boxes over primitives 0, 1, 2, …
#[derive(Clone, Debug, Default)]
pub(crate) struct Bvh {
    /// In preorder: a node, its left subtree, its right subtree. The last level are the leaves' boxes.
    nodes: Vec<MovingBox>,
    leaves: Vec<Leaf>,
    /// Which primitive has which slot of which leaf; only the last leaf has vacant slots, `u32::MAX`.
    primitives: Vec<[u32; WIDTH]>,
}

/// Which primitives of a tree count, and the subtrees that hold them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// Of each node.
    nodes: Vec<bool>,
    /// Of each leaf a bit for each slot.
    leaves: Vec<u32>,
}

impl Marks {
    /// Whether none does.
    pub fn are_none(&self) -> bool {
        self.nodes.first() != Some(&true)
    }

    fn holds(&self, node: Node) -> bool {
        self.nodes.get(node.index).is_some_and(|is_marked| *is_marked)
    }
}

/// A place in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    index: usize,
    first_leaf: usize,
    leaves: usize,
}

impl Node {
    /// Cuts the tree into subtrees of at most so many leaves, and the nodes above them, in the order of their numbers.
    fn share(self, most: usize, subtrees: &mut Vec<Self>, above: &mut Vec<Self>) {
        if self.leaves <= most {
            return subtrees.push(self);
        }
        above.push(self);
        self.children().into_iter().for_each(|child| child.share(most, subtrees, above));
    }

    fn children(self) -> [Self; 2] {
        let left = left_leaves(self.leaves);
        [
            Self { index: self.index + 1, first_leaf: self.first_leaf, leaves: left },
            Self {
                index: self.index + 2 * left,
                first_leaf: self.first_leaf + left,
                leaves: self.leaves - left,
            },
        ]
    }
}

/// How many of a node's leaves are on its left side. A tree of `n` leaves has `2 n − 1` nodes.
fn left_leaves(leaves: usize) -> usize {
    leaves.div_ceil(2)
}

impl Bvh {
    /// Builds the tree, for where the boxes start. Those with NaN are kept and overlap nothing.
    pub fn new(boxes: &[MovingBox]) -> Self {
        let mut centers: Vec<Center> =
            boxes.iter().zip(0..).map(|(b, id)| Center::new(&b.start, id)).collect();
        arrange(&mut centers);
        let primitives: Vec<[u32; WIDTH]> = centers
            .chunks(WIDTH)
            .map(|chunk| {
                let mut slots = [u32::MAX; WIDTH];
                slots.iter_mut().zip(chunk).for_each(|(slot, center)| *slot = center.primitive);
                // In order of the primitives, whatever the selection left behind.
                slots.sort_unstable();
                slots
            })
            .collect();
        let leaves = primitives.len();
        let mut tree = Self {
            nodes: vec![MovingBox::EMPTY; (2 * leaves).saturating_sub(1)],
            leaves: vec![Leaf::VACANT; leaves],
            primitives,
        };
        tree.refit(boxes, Execution::default());
        tree
    }

    /// How many primitives the tree is over.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.primitives.iter().flatten().filter(|&&primitive| primitive != u32::MAX).count()
    }

    /// The primitives have moved.
    ///
    /// # Panics
    /// If there are fewer boxes than primitives.
    pub fn refit(&mut self, boxes: &[MovingBox], execution: Execution) {
        self.refit_with(execution, |primitive| boxes[primitive as usize]);
    }

    /// As [`Bvh::refit`], with boxes computed where they are needed instead of stored before.
    pub fn refit_with(&mut self, execution: Execution, box_of: impl Fn(u32) -> MovingBox + Sync) {
        let Some(root) = self.root() else { return };
        if execution.threads.count() == 1 {
            refit(&mut self.nodes, &mut self.leaves, &self.primitives, &box_of);
            return;
        }
        let (mut subtrees, mut above) = (Vec::new(), Vec::new());
        root.share(SMALLEST_REFIT.max(self.leaves.len() / MOST_SUBTREES), &mut subtrees, &mut above);
        // Subtrees stand one after the other in all three arrays, but for the nodes above them.
        let (mut nodes, mut leaves, mut next) = (&mut self.nodes[..], &mut self.leaves[..], 0);
        let mut parts = Vec::with_capacity(subtrees.len());
        for subtree in subtrees {
            let from_here = &mut std::mem::take(&mut nodes)[subtree.index - next..];
            let (own, rest) = from_here.split_at_mut(2 * subtree.leaves - 1);
            (nodes, next) = (rest, subtree.index + own.len());
            let (own_leaves, rest) = std::mem::take(&mut leaves).split_at_mut(subtree.leaves);
            leaves = rest;
            parts.push((own, own_leaves, &self.primitives[subtree.first_leaf..]));
        }
        execution.for_each(&mut parts, |_, (nodes, leaves, primitives)| {
            refit(nodes, leaves, primitives, &box_of);
        });
        for node in above.into_iter().rev() {
            let [left, right] = node.children().map(|child| self.nodes[child.index]);
            self.nodes[node.index] = left.union(right);
        }
    }

    /// Marks the subtrees with primitives that count; whether there are any.
    pub fn mark(&self, counts: impl Fn(u32) -> bool, marks: &mut Marks) -> bool {
        marks.nodes.clear();
        marks.nodes.resize(self.nodes.len(), false);
        marks.leaves.clear();
        marks.leaves.resize(self.leaves.len(), 0);
        self.root().is_some_and(|root| self.mark_below(root, &counts, marks))
    }

    fn mark_below(&self, node: Node, counts: &impl Fn(u32) -> bool, marks: &mut Marks) -> bool {
        let is_marked = if node.leaves == 1 {
            let own = self.primitives[node.first_leaf].iter().take_while(|&&primitive| primitive != u32::MAX);
            let bits = own.enumerate().map(|(slot, &primitive)| u32::from(counts(primitive)) << slot);
            let own_marks = &mut marks.leaves[node.first_leaf];
            *own_marks = bits.sum();
            *own_marks != 0
        } else {
            let [left, right] = node.children().map(|child| self.mark_below(child, counts, marks));
            left | right
        };
        marks.nodes[node.index] = is_marked;
        is_marked
    }

    /// As [`Bvh::refit_with`], where only marked primitives have moved.
    pub fn refit_marked(&mut self, marks: &Marks, box_of: impl Fn(u32) -> MovingBox) {
        if let Some(root) = self.root() {
            self.refit_marked_below(root, marks, &box_of);
        }
    }

    fn refit_marked_below(&mut self, node: Node, marks: &Marks, box_of: &impl Fn(u32) -> MovingBox) {
        if !marks.nodes[node.index] {
            return;
        }
        self.nodes[node.index] = if node.leaves == 1 {
            let own = self.primitives[node.first_leaf].iter().take_while(|&&primitive| primitive != u32::MAX);
            self.leaves[node.first_leaf].fill(own.map(|&primitive| box_of(primitive)))
        } else {
            let children = node.children();
            children.into_iter().for_each(|child| self.refit_marked_below(child, marks, box_of));
            let [left, right] = children.map(|child| self.nodes[child.index]);
            left.union(right)
        };
    }

    /// Calls `found` for each primitive whose box overlaps the query.
    pub fn visit(&self, query: &MovingBox, mut found: impl FnMut(u32)) {
        if let Some(root) = self.root() {
            self.visit_below(root, query, &Query::new(query), &mut found);
        }
    }

    fn visit_below(&self, node: Node, query: &MovingBox, wide_query: &Query, found: &mut impl FnMut(u32)) {
        if !self.nodes[node.index].overlaps(query) {
            return;
        }
        if node.leaves == 1 {
            let hits = self.leaves[node.first_leaf].overlaps(wide_query);
            slots(hits).for_each(|slot| found(self.primitives[node.first_leaf][slot]));
        } else {
            node.children().into_iter().for_each(|child| self.visit_below(child, query, wide_query, found));
        }
    }

    fn root(&self) -> Option<Node> {
        (!self.leaves.is_empty()).then_some(Node { index: 0, first_leaf: 0, leaves: self.leaves.len() })
    }
}

/// Refits a subtree, given as slices, and returns the box around it.
fn refit(
    nodes: &mut [MovingBox],
    leaves: &mut [Leaf],
    primitives: &[[u32; WIDTH]],
    box_of: &impl Fn(u32) -> MovingBox,
) -> MovingBox {
    let around = if let [leaf] = leaves {
        leaf.fill(primitives[0].iter().take_while(|&&primitive| primitive != u32::MAX).map(|&p| box_of(p)))
    } else {
        let middle = left_leaves(leaves.len());
        let (left_nodes, right_nodes) = nodes[1..].split_at_mut(2 * middle - 1);
        let (left_leaves, right_leaves) = leaves.split_at_mut(middle);
        let (left_primitives, right_primitives) = primitives.split_at(middle);
        let left = refit(left_nodes, left_leaves, left_primitives, box_of);
        left.union(refit(right_nodes, right_leaves, right_primitives, box_of))
    };
    nodes[0] = around;
    around
}

/// Twice the centre of a primitive's box, for the build.
#[derive(Clone, Copy)]
struct Center {
    coordinates: [f32; 3],
    primitive: u32,
}

impl Center {
    fn new(around: &Aabb, primitive: u32) -> Self {
        let sum = around.min + around.max;
        Self { coordinates: [sum.x, sum.y, sum.z], primitive }
    }
}

/// Brings the centres into the order of the leaves: halves them along the widest axis until they fit
/// into one leaf. Which centre lands in which leaf is settled by the index where coordinates are equal.
fn arrange(centers: &mut [Center]) {
    let leaves = centers.len().div_ceil(WIDTH);
    if leaves <= 1 {
        return;
    }
    let extent = |axis: usize| {
        let range = |(low, high): (f32, f32), center: &Center| {
            let coordinate = center.coordinates[axis];
            (low.min(coordinate), high.max(coordinate))
        };
        let (low, high) = centers.iter().fold((f32::INFINITY, f32::NEG_INFINITY), range);
        high - low
    };
    let extents = [0, 1, 2].map(extent);
    let wider = |a: usize, b: usize| if extents[b] > extents[a] { b } else { a };
    let axis = wider(wider(0, 1), 2);
    let middle = WIDTH * left_leaves(leaves);
    centers.select_nth_unstable_by(middle, |a, b| {
        a.coordinates[axis].total_cmp(&b.coordinates[axis]).then(a.primitive.cmp(&b.primitive))
    });
    let (left, right) = centers.split_at_mut(middle);
    arrange(left);
    arrange(right);
}
