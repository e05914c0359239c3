//! The order of a sweep: a binary tree over an array.

use std::ops::RangeInclusive;

use crate::system::MOST_TASKS;

/// A stretch of an array with its place in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// First index of the stretch.
    pub start: usize,
    /// Length of the stretch.
    pub len: usize,
    /// The first of the nodes below this; itself, if there is none.
    pub first: usize,
}

/// A node that is waited for, and by which of [`Tree::above`]: none by the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub node: usize,
    pub above: Option<usize>,
}

/// A binary tree over an array: the whole is halved, and its halves, until no stretch is longer than a leaf.
///
/// Nodes are numbered as one thread visits them: all of the lower half, all of the upper half, then the node itself; the root
/// is the last. To sweep a node is to sweep its halves, in any order or at once, and then the node. The tree depends on
/// lengths alone.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Private, and made by [`Tree::new`] alone: unsafe code relies on halves that lie in their node and apart.
    nodes: Vec<Node>,
    /// Subtrees that one thread sweeps, from left to right; at most [`MOST_TASKS`].
    tasks: Vec<Link>,
    /// The nodes above them.
    above: Vec<Link>,
}

impl Tree {
    /// A tree over `len` values with leaves of at most `leaf` values.
    ///
    /// # Panics
    /// If `leaf` is 0.
    pub fn new(len: usize, leaf: usize) -> Self {
        assert!(leaf > 0, "a leaf holds something");
        let mut tree = Self { nodes: Vec::new(), tasks: Vec::new(), above: Vec::new() };
        tree.add(0, len, leaf);
        // At the depth at which there are `MOST_TASKS` nodes, none is longer than this.
        tree.share(tree.root(), None, len.div_ceil(MOST_TASKS).max(leaf));
        tree
    }

    fn add(&mut self, start: usize, len: usize, leaf: usize) {
        let first = self.nodes.len();
        if len > leaf {
            self.add(start, len / 2, leaf);
            self.add(start + len / 2, len - len / 2, leaf);
        }
        self.nodes.push(Node { start, len, first });
    }

    /// Makes tasks of subtrees of at most `most` values.
    fn share(&mut self, node: usize, above: Option<usize>, most: usize) {
        let link = Link { node, above };
        match self.halves(node) {
            Some([lower, upper]) if self.nodes[node].len > most => {
                let own = Some(self.above.len());
                self.above.push(link);
                self.share(lower, own, most);
                self.share(upper, own, most);
            }
            _ => self.tasks.push(link),
        }
    }

    /// The node whose stretch is the whole array.
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The stretch of the array that is a node's: first index and length.
    pub fn stretch(&self, node: usize) -> (usize, usize) {
        (self.nodes[node].start, self.nodes[node].len)
    }

    /// The halves of a node; none of a leaf.
    pub fn halves(&self, node: usize) -> Option<[usize; 2]> {
        (self.nodes[node].first < node).then(|| [self.nodes[node - 1].first - 1, node - 1])
    }

    /// All nodes of a subtree, in the order of one thread.
    pub(crate) fn subtree(&self, node: usize) -> RangeInclusive<usize> {
        self.nodes[node].first..=node
    }

    pub(crate) fn tasks(&self) -> &[Link] {
        &self.tasks
    }

    pub(crate) fn above(&self) -> &[Link] {
        &self.above
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_share_out_their_node_and_tasks_the_array() {
        for (len, leaf) in [(0, 1), (1, 1), (7, 2), (1000, 10), (100_000, 384), (1_000_003, 384)] {
            let tree = Tree::new(len, leaf);
            for node in 0..tree.node_count() {
                let (start, len) = tree.stretch(node);
                match tree.halves(node) {
                    Some([lower, upper]) => {
                        assert_eq!(tree.stretch(lower).0, start);
                        assert_eq!(tree.stretch(lower).0 + tree.stretch(lower).1, tree.stretch(upper).0);
                        assert_eq!(tree.stretch(upper).0 + tree.stretch(upper).1, start + len);
                    }
                    None => assert!(len <= leaf),
                }
            }
            assert!(tree.tasks.len() <= MOST_TASKS && tree.above.len() < MOST_TASKS, "{len}");
            let mut next = 0;
            for task in &tree.tasks {
                let (start, len) = tree.stretch(task.node);
                assert_eq!(start, next);
                next += len;
            }
            assert_eq!(next, len);
            let below: usize = tree.tasks.iter().map(|task| tree.subtree(task.node).count()).sum();
            assert_eq!(below + tree.above.len(), tree.node_count());
        }
    }
}
