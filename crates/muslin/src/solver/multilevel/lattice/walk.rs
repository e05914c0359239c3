//! Walks over triangles that are neighbours in the chart: whether two places hang together within a box.

use super::Lattice;
use super::clip::Square;
use crate::solver::multilevel::charts::{Charts, NONE};

/// Cloth that only touches a box's border does not connect anything inside it.
const OPEN: f64 = 1e-7;

/// A search with its memory.
pub(crate) struct Walk<'a> {
    pub charts: &'a Charts,
    /// Per triangle the number of the last search that saw it.
    seen: Vec<u32>,
    searches: u32,
    queue: Vec<u32>,
}

impl<'a> Walk<'a> {
    pub fn new(charts: &'a Charts) -> Self {
        Self { charts, seen: vec![0; charts.uvs.len()], searches: 0, queue: Vec::new() }
    }

    /// Whether the parts of two triangles inside a box (in steps of the grid) hang together inside it. A triangle's
    /// part is convex, so they do if a chain of neighbours leads there whose common sides all meet the box. Asking for
    /// sides and not for triangles keeps the banks of a cut apart that begins between two triangles.
    pub fn connected(&mut self, lattice: &Lattice, from: u32, to: u32, inside: Square) -> bool {
        if from == to {
            return true;
        }
        if self.charts.patch_of[from as usize] != self.charts.patch_of[to as usize] {
            return false;
        }
        let inside = inside.grown(-OPEN);
        self.start(from);
        let mut next = 0;
        while let Some(&triangle) = self.queue.get(next) {
            next += 1;
            let corners = lattice.corners(self.charts, triangle);
            for k in 0..3 {
                let beyond = self.charts.neighbours[triangle as usize][k];
                if beyond == NONE || self.seen[beyond as usize] == self.searches {
                    continue;
                }
                if inside.meets(corners[k], corners[(k + 1) % 3]) {
                    if beyond == to {
                        return true;
                    }
                    self.seen[beyond as usize] = self.searches;
                    self.queue.push(beyond);
                }
            }
        }
        false
    }

    /// The triangles up to `rings` neighbours away, the nearest rings first.
    pub fn rings(&mut self, from: &[u32], rings: usize) -> &[u32] {
        self.searches += 1;
        self.queue.clear();
        for &triangle in from {
            self.visit(triangle);
        }
        let mut first = 0;
        for _ in 0..rings {
            let ring = first..self.queue.len();
            first = ring.end;
            for at in ring {
                let triangle = self.queue[at];
                self.charts.neighbours[triangle as usize].iter().for_each(|&beyond| self.visit(beyond));
            }
        }
        &self.queue
    }

    fn start(&mut self, triangle: u32) {
        self.searches += 1;
        self.queue.clear();
        self.visit(triangle);
    }

    fn visit(&mut self, triangle: u32) {
        if triangle != NONE && self.seen[triangle as usize] != self.searches {
            self.seen[triangle as usize] = self.searches;
            self.queue.push(triangle);
        }
    }
}
