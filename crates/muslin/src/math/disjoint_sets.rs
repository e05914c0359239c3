//! Sets of points that are joined again and again.

/// Each point is in one set, which is named after its smallest member: the result does not depend on the
/// order of joining.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// Every point in a set of its own.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The name of a point's set.
    pub fn root(&self, point: u32) -> u32 {
        let mut root = point;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        root
    }

    /// Makes one set of those of two points; whether they were different.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.shorten(a), self.shorten(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// As [`DisjointSets::root`], and halves the way to it.
    fn shorten(&mut self, point: u32) -> u32 {
        let mut p = point;
        while self.parent[p as usize] != p {
            self.parent[p as usize] = self.parent[self.parent[p as usize] as usize];
            p = self.parent[p as usize];
        }
        p
    }
}
