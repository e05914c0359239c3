//! The search for the first contact, by halving time.

use glam::DVec3;

use super::coplanarity::Coplanarity;
use super::relative::Relative;
use super::thorough;

/// The search looks at no more intervals than this. A simple contact takes as many as times have
/// digits, some forty; more come from motion along each other that nearly or quite touches.
const LARGEST_SEARCH: u32 = 2048;

/// A thorough look counts as so many intervals, as it takes as long.
const THOROUGH_LOOK: u32 = 8;

/// A search longer than this is no simple contact: then intervals of every other length get a
/// thorough look, lest it goes on in steps of the shortest. From the beginning it would make simple
/// contacts seven times as expensive.
const SIMPLE_SEARCH: u32 = 64;

/// A search under way.
struct Search<'a, F, const N: usize> {
    motion: &'a Relative<'a, N>,
    nearest: F,
    resolution: f64,
    /// Intervals looked at.
    looks: u32,
}

/// The first time at which the origin comes within the separation of the shape spanned by the
/// differences, or a little before; `nearest` gives the vector to its nearest point.
#[inline]
pub(super) fn first_contact<const N: usize>(
    motion: &Relative<N>,
    nearest: impl Fn(&[DVec3; N]) -> DVec3,
) -> Option<f64> {
    // Most pairs asked for are plainly apart; this is all that they cost. The mean of the differences
    // is a fair axis at no cost; the better one takes some 50 ns.
    let halfway = motion.at(0.5);
    let always = |axis: DVec3| motion.separated(axis, [0.0, 0.5, 1.0]) == [true, true];
    if always(halfway.iter().sum()) || always(nearest(&halfway)) {
        return None;
    }
    if nearest(&motion.start).length() <= motion.separation {
        return Some(0.0);
    }
    let mut search = Search { motion, nearest, resolution: motion.resolution(), looks: 0 };
    search.descend([0.0, 1.0], Coplanarity::new(motion), 0)
}

impl<F: Fn(&[DVec3; N]) -> DVec3, const N: usize> Search<'_, F, N> {
    /// The first contact in an interval, before which there is none; `depth` says how often time was
    /// halved to get there.
    fn descend(
        &mut self,
        mut interval: [f64; 2],
        mut coplanarity: Coplanarity,
        mut depth: u32,
    ) -> Option<f64> {
        loop {
            if coplanarity.excludes_contact() {
                return None;
            }
            let [from, to] = interval;
            let middle = 0.5 * (from + to);
            let axis = (self.nearest)(&self.motion.at(middle));
            let [early_separated, late_separated] = self.motion.separated(axis, [from, middle, to]);
            if early_separated && late_separated {
                return None;
            }
            self.looks += 1;
            let is_short = to - from <= self.resolution;
            if (is_short || depth % 2 == 1 && self.looks > SIMPLE_SEARCH) && self.look_thoroughly(interval) {
                return None;
            }
            if is_short || self.looks >= LARGEST_SEARCH {
                return Some(if early_separated { middle } else { from });
            }
            let [early, late] = coplanarity.halves();
            depth += 1;
            if !early_separated && let Some(time) = self.descend([from, middle], early, depth) {
                return Some(time);
            }
            if late_separated {
                return None;
            }
            (interval, coplanarity) = ([middle, to], late);
        }
    }

    /// Whether a thorough look shows that there is no contact in the interval. With a separation it
    /// is of no use: that is never as small as what ordinary digits lose.
    fn look_thoroughly(&mut self, interval: [f64; 2]) -> bool {
        if self.motion.separation > 0.0 {
            return false;
        }
        self.looks += THOROUGH_LOOK;
        thorough::separates(self.motion, interval)
    }
}
