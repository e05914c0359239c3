//! Pairs of features that may come near each other.

use glam::{DVec3, Vec4};

use crate::math::proximity;

/// What two features are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PairKind {
    /// A point and the three corners of a face.
    PointFace,
    /// Two ends of an edge and two of another.
    EdgeEdge,
}

/// Two features that may come near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub points: [u32; 4],
    pub kind: PairKind,
    /// The bodies of the first and of the second feature.
    pub bodies: [u16; 2],
}

/// A pair in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    pub pair: Pair,
    /// Metres between the features where they start, beyond the radii of round ones, a little less rather than more; −∞ if it
    /// was never measured. Where that is more than what makes a contact it may be much less.
    pub clearance: f32,
}

impl Listed {
    /// A pair that was just found.
    pub fn new(pair: Pair) -> Self {
        Self { pair, clearance: f32::NEG_INFINITY }
    }

    pub fn name(&self) -> u128 {
        self.pair.name()
    }
}

impl Pair {
    /// One number for each pair, so that sorting compares without branches: the points, which tell the bodies, and the kind.
    /// There are fewer than 2³¹ points.
    #[inline]
    pub fn name(&self) -> u128 {
        let points = self.points.iter().fold(0, |name: u128, &p| name << 32 | u128::from(p));
        points | u128::from(self.kind == PairKind::EdgeEdge) << 127
    }

    /// Weights w of the closest points of the two features: Σ wᵢ xᵢ is the vector from the second
    /// to the first.
    pub fn closest(&self, x: &[DVec3; 4]) -> [f64; 4] {
        match self.kind {
            PairKind::PointFace => {
                let [a, b, c] = proximity::point_triangle(x[0], [x[1], x[2], x[3]]);
                [1.0, -a, -b, -c]
            }
            PairKind::EdgeEdge => {
                let [s, t] = proximity::edge_edge([x[0], x[1]], [x[2], x[3]]);
                [1.0 - s, s, t - 1.0, -t]
            }
        }
    }

    /// The largest motion of a point of one feature against a point of the other, by the motions of all points.
    #[inline]
    pub fn largest_motion(&self, motions: &[Vec4]) -> f64 {
        let moved = self.points.map(|p| motions[p as usize]);
        let apart = |a: usize, b: usize| (moved[a] - moved[b]).truncate().length_squared();
        let squared = match self.kind {
            PairKind::PointFace => apart(0, 1).max(apart(0, 2)).max(apart(0, 3)),
            PairKind::EdgeEdge => apart(0, 2).max(apart(0, 3)).max(apart(1, 2)).max(apart(1, 3)),
        };
        // Rounding of the differences, generously.
        f64::from(squared).sqrt() * (1.0 + 1e-5)
    }

    /// The square of the same or of more, in less time: by boxes around the motions of both features.
    #[inline]
    pub fn motion_squared_within(&self, motions: &[Vec4]) -> f32 {
        let [a, b, c, d] = self.points.map(|p| motions[p as usize]);
        let (low, high) = (c.min(d), c.max(d));
        let most = match self.kind {
            PairKind::PointFace => (high.max(b) - a).max(a - low.min(b)),
            PairKind::EdgeEdge => (high - a.min(b)).max(a.max(b) - low),
        };
        most.truncate().length_squared() * (1.0 + 3e-5)
    }
}

/// Σ wᵢ xᵢ.
pub(crate) fn combine(weights: [f64; 4], x: &[DVec3; 4]) -> DVec3 {
    (0..4).map(|i| x[i] * weights[i]).sum()
}
