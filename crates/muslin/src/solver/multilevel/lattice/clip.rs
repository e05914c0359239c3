//! Triangles and segments against upright boxes, in steps of the grid.

use glam::DVec2;

/// An upright box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Square {
    pub low: DVec2,
    pub high: DVec2,
}

impl Square {
    /// The cell around a texel's centre.
    pub fn cell(centre: DVec2) -> Self {
        Self { low: centre - 0.5, high: centre + 0.5 }
    }

    /// The smallest box around two.
    pub fn around(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The box grown by a length on all sides, or shrunk by a negative one.
    pub fn grown(self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// Whether a segment meets the box.
    pub fn meets(&self, a: DVec2, b: DVec2) -> bool {
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            let step = b[axis] - a[axis];
            let (near, far) = (self.low[axis] - a[axis], self.high[axis] - a[axis]);
            if step == 0.0 {
                if near > 0.0 || far < 0.0 {
                    return false;
                }
            } else {
                enter = enter.max((near / step).min(far / step));
                leave = leave.min((near / step).max(far / step));
            }
        }
        enter <= leave
    }

    /// The area of the part of a counter-clockwise triangle inside the box.
    pub fn area_inside(&self, triangle: [DVec2; 3]) -> f64 {
        // Each of the four cuts adds one corner at the most.
        let mut polygon = [DVec2::ZERO; 8];
        polygon[..3].copy_from_slice(&triangle);
        let mut count = 3;
        for axis in 0..2 {
            for (sign, border) in [(1.0, self.low[axis]), (-1.0, self.high[axis])] {
                let inside = |p: DVec2| sign * (p[axis] - border);
                let mut cut = [DVec2::ZERO; 8];
                let mut kept = 0;
                for k in 0..count {
                    let (a, b) = (polygon[k], polygon[(k + 1) % count]);
                    let (da, db) = (inside(a), inside(b));
                    if da >= 0.0 {
                        cut[kept] = a;
                        kept += 1;
                    }
                    if (da < 0.0) != (db < 0.0) {
                        cut[kept] = a + (b - a) * (da / (da - db));
                        kept += 1;
                    }
                }
                (polygon, count) = (cut, kept);
                if count < 3 {
                    return 0.0;
                }
            }
        }
        // Relative to a corner, so that a large column number costs no digits.
        let fan = |k: usize| (polygon[k] - polygon[0]).perp_dot(polygon[k + 1] - polygon[0]);
        0.5 * (1..count - 1).map(fan).sum::<f64>()
    }
}
