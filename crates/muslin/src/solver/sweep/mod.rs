//! Gauss-Seidel over elements in an order that is the same for any number of threads.
//!
//! Vertices come in bisection order ([`mesh::reorder`](crate::mesh::reorder)): the first half of
//! the array is one half of the cloth. A [`Sweep`] is a binary tree over the array. A leaf holds
//! the elements whose vertices all lie in its stretch of the array; an inner node holds those that
//! straddle its middle. To sweep a node: sweep its two halves (they share no vertex, so two
//! threads may do it), then its straddling elements. That order *is* the specification; threads
//! only decide who does the work ([`muslin_threads`]).
//!
//! The paper's way ([Bender2013] §5) is one parallel pass per colour over the whole mesh. A tree
//! has the same parallelism with a fraction of the barriers, and each leaf stays in a core's cache.

mod packing;

use muslin_threads::Tree;

use crate::execution::Execution;
use crate::math::lanes::WIDTH;

/// Stretches of more vertices than this are halved. About 20 µs of work: small enough to share
/// out, large enough to pay for a thread's wake-up.
const LEAF_VERTICES: usize = 1536;

/// Fine sweeps have so many leaves, as long as these have more than [`SMALLEST_LEAF`] vertices.
const FINE_LEAVES: usize = 32;

/// Smaller leaves cost more than they gain: more elements straddle, in packs that are not full. 200,000 triangles in leaves of
/// 200 vertices take a quarter longer on one thread, 20,000 in leaves of 313 a twentieth.
const SMALLEST_LEAF: usize = 320;

/// Elements of type `P` (a pack of eight with its rest data) in sweep order.
#[derive(Clone, Debug)]
pub(crate) struct Sweep<P> {
    tree: Tree,
    /// The packs of each node of the tree.
    packs: Vec<Vec<P>>,
}

/// Something to be done to each value by itself: gets the number of the first of a stretch, and the stretch.
pub(crate) type ForEach<'a, T> = &'a (dyn Fn(usize, &mut [T]) + Sync);

/// What a pack is made of: eight element numbers, and the vertex that index 0 stands for in the
/// slice that the pack will be given.
pub(crate) struct PackSource<'a> {
    pub elements: &'a [u32; WIDTH],
    pub start: u32,
}

impl PackSource<'_> {
    /// Collects a value per lane.
    pub fn lanes<T: Copy>(&self, value: impl Fn(usize) -> T) -> [T; WIDTH] {
        self.elements.map(|e| value(e as usize))
    }

    /// The vertices per corner and lane, relative to the node's stretch.
    pub fn vertices<const N: usize>(&self, elements: &[[u32; N]]) -> [[u32; WIDTH]; N] {
        std::array::from_fn(|corner| self.lanes(|e| elements[e][corner] - self.start))
    }
}

impl<P: Send + Sync> Sweep<P> {
    /// Arranges elements over `vertices` vertices; `make` turns eight of them into a pack.
    pub fn new<const N: usize>(
        vertices: usize,
        elements: &[[u32; N]],
        make: impl FnMut(PackSource) -> P,
    ) -> Self {
        Self::with_leaves(LEAF_VERTICES, vertices, elements, make)
    }

    /// As [`Sweep::new`], shared out more finely where the cloth is small: 10,000 vertices are eight leaves there, too few for
    /// sixteen threads. For shape matching alone: constraints one after the other converge worse in many small leaves
    /// (`scenes/collapse.toml` does not come back from there).
    pub fn fine<const N: usize>(
        vertices: usize,
        elements: &[[u32; N]],
        make: impl FnMut(PackSource) -> P,
    ) -> Self {
        // Two leaves at the least, or one.
        let leaf = match vertices > 2 * SMALLEST_LEAF {
            true => vertices.div_ceil(FINE_LEAVES).clamp(SMALLEST_LEAF, LEAF_VERTICES),
            false => LEAF_VERTICES,
        };
        Self::with_leaves(leaf, vertices, elements, make)
    }

    fn with_leaves<const N: usize>(
        leaf: usize,
        vertices: usize,
        elements: &[[u32; N]],
        mut make: impl FnMut(PackSource) -> P,
    ) -> Self {
        // In the order of their lowest vertex, elements that are near in space are near in the list.
        let mut members: Vec<u32> = (0..elements.len() as u32).collect();
        members.sort_by_key(|&e| elements[e as usize].iter().copied().min());
        let mut last_used = vec![0; vertices];
        let tree = Tree::new(vertices, leaf);
        let mut sweep = Self { packs: (0..tree.node_count()).map(|_| Vec::new()).collect(), tree };
        sweep.fill(sweep.tree.root(), elements, members, &mut last_used, &mut make);
        sweep
    }

    /// Packs the elements of a node: first those of its halves, then those that straddle its middle.
    fn fill<const N: usize>(
        &mut self,
        node: usize,
        elements: &[[u32; N]],
        members: Vec<u32>,
        last_used: &mut [u32],
        make: &mut impl FnMut(PackSource) -> P,
    ) {
        let mut own = members;
        if let Some([lower, upper]) = self.tree.halves(node) {
            let (middle, _) = self.tree.stretch(upper);
            let (mut below, mut above, mut straddling) = (Vec::new(), Vec::new(), Vec::new());
            for element in own {
                let vertices = &elements[element as usize];
                let list = match vertices.iter().filter(|&&v| (v as usize) < middle).count() {
                    0 => &mut above,
                    n if n == N => &mut below,
                    _ => &mut straddling,
                };
                list.push(element);
            }
            self.fill(lower, elements, below, last_used, make);
            self.fill(upper, elements, above, last_used, make);
            own = straddling;
        }
        let start = self.tree.stretch(node).0 as u32;
        let packs = packing::pack(elements, &own, last_used);
        self.packs[node] = packs.iter().map(|pack| make(PackSource { elements: pack, start })).collect();
    }

    /// Sweeps once. `body` gets packs, the stretch of `data` that their vertices count from, and
    /// the number of that stretch's first vertex.
    pub fn run<T: Send>(
        &self,
        data: &mut [T],
        execution: Execution,
        body: &(impl Fn(&[P], &mut [T], usize) + Sync),
    ) {
        self.run_after(None, data, execution, body);
    }

    /// As [`Sweep::run`], after something that concerns each value by itself: each leaf does its part of that first. As a
    /// loop of its own it would cost the threads one more meeting, and the values another way through the caches.
    pub fn run_after<T: Send>(
        &self,
        first: Option<ForEach<T>>,
        data: &mut [T],
        execution: Execution,
        body: &(impl Fn(&[P], &mut [T], usize) + Sync),
    ) {
        // Values of nothing take no memory.
        let mut nothing = vec![(); self.packs.len()];
        execution.threads.sweep(&self.tree, &mut nothing, data, |node, (), stretch| {
            let (start, _) = self.tree.stretch(node);
            if let (Some(first), None) = (first, self.tree.halves(node)) {
                first(start, stretch);
            }
            body(&self.packs[node], stretch, start);
        });
    }

    /// As [`Sweep::run`] for packs that remember something.
    pub fn run_changing<T: Send>(
        &mut self,
        data: &mut [T],
        execution: Execution,
        body: &(impl Fn(&mut [P], &mut [T]) + Sync),
    ) {
        execution.threads.sweep(&self.tree, &mut self.packs, data, |_, packs, stretch| body(packs, stretch));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::Threads;

    /// A band of edges over `n` vertices.
    fn band(n: u32) -> Vec<[u32; 2]> {
        (0..n - 1).map(|i| [i, i + 1]).collect()
    }

    #[test]
    fn every_element_is_swept_once_whatever_the_threads() {
        let elements = band(10_000);
        let sweep = Sweep::new(10_000, &elements, |source| (*source.elements, source.vertices(&elements)));
        let mut counts = vec![0u32; 10_000];
        let threads = Threads::new(3).unwrap();
        let execution = Execution { threads: &threads, ..Execution::default() };
        sweep.run(&mut counts, execution, &|packs, slice, start| {
            for (numbers, vertices) in packs {
                let filled = (1..WIDTH).find(|&l| numbers[l] == numbers[0]).unwrap_or(WIDTH);
                for lane in 0..filled {
                    for corner in vertices {
                        slice[corner[lane] as usize] += 1;
                        assert!(start + (corner[lane] as usize) < 10_000);
                    }
                }
            }
        });
        assert!(counts[1..9_999].iter().all(|&n| n == 2));
        assert_eq!((counts[0], counts[9_999]), (1, 1));
    }

    #[test]
    fn threads_do_not_change_the_order() {
        let elements = band(20_000);
        let sweep = Sweep::new(20_000, &elements, |source| (*source.elements, source.vertices(&elements)));
        let run = |threads: &Threads| {
            let mut data: Vec<f32> = (0..20_000).map(|i| (i as f32 * 0.37).sin()).collect();
            sweep.run(&mut data, Execution { threads, ..Execution::default() }, &|packs, slice, _| {
                for (_, [a, b]) in packs {
                    for lane in 0..WIDTH {
                        let mean = 0.5 * (slice[a[lane] as usize] + slice[b[lane] as usize]);
                        slice[a[lane] as usize] = mean * 1.01;
                        slice[b[lane] as usize] = mean * 0.97;
                    }
                }
            });
            data
        };
        for count in [2, 3, 7, 16, 33] {
            assert_eq!(run(&Threads::one()), run(&Threads::new(count).unwrap()), "{count} threads");
        }
    }
}
