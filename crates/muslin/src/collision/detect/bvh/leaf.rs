//! A few boxes side by side: one box → which of them it overlaps.

use glam::Vec4;

use super::aabb::Aabb;
use super::moving_box::MovingBox;

/// How many primitives a leaf holds.
pub(super) const WIDTH: usize = 8;

/// Four lanes are compared at once.
const LANES: usize = 4;

/// Boxes by coordinate, so that one comparison looks at the same side of four boxes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Leaf {
    /// By axis: at the start of the step, at its end.
    min: [[[f32; WIDTH]; 2]; 3],
    max: [[[f32; WIDTH]; 2]; 3],
}

/// A box to compare with, each coordinate in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Query {
    min: [[Vec4; 2]; 3],
    max: [[Vec4; 2]; 3],
}

impl Query {
    #[inline]
    pub fn new(MovingBox { start, end }: &MovingBox) -> Self {
        let splat = |start: Vec4, end: Vec4| {
            let both = |start, end| [Vec4::splat(start), Vec4::splat(end)];
            [both(start.x, end.x), both(start.y, end.y), both(start.z, end.z)]
        };
        Self { min: splat(start.min, end.min), max: splat(start.max, end.max) }
    }
}

impl Leaf {
    /// Overlaps nothing: NaN compares false, while an empty box would overlap an infinite one.
    pub const VACANT: Self = Self { min: [[[f32::NAN; WIDTH]; 2]; 3], max: [[[f32::NAN; WIDTH]; 2]; 3] };

    /// Sets the boxes of the first slots and returns the box around them. Boxes with NaN are left out
    /// of it, as they overlap nothing.
    #[inline]
    pub fn fill(&mut self, boxes: impl Iterator<Item = MovingBox>) -> MovingBox {
        let mut around = MovingBox::EMPTY;
        for (slot, mut primitive) in boxes.take(WIDTH).enumerate() {
            if primitive.is_sound() {
                around = around.union(primitive);
            } else {
                // NaN at one end only must not leave the box at the other.
                primitive = MovingBox::NOWHERE;
            }
            for (end, Aabb { min, max }) in [primitive.start, primitive.end].into_iter().enumerate() {
                let (min, max) = (min.to_array(), max.to_array());
                for axis in 0..3 {
                    self.min[axis][end][slot] = min[axis];
                    self.max[axis][end][slot] = max[axis];
                }
            }
        }
        around
    }

    /// The box in one slot, for comparing with other leaves.
    #[inline]
    pub fn query(&self, slot: usize) -> Query {
        // By hand: `array::map` over arrays of this size is not inlined.
        let mut query = Query { min: [[Vec4::ZERO; 2]; 3], max: [[Vec4::ZERO; 2]; 3] };
        for axis in 0..3 {
            for end in 0..2 {
                query.min[axis][end] = Vec4::splat(self.min[axis][end][slot]);
                query.max[axis][end] = Vec4::splat(self.max[axis][end][slot]);
            }
        }
        query
    }

    /// One bit per slot: does its box overlap the query? As [`MovingBox::overlaps`].
    #[inline]
    pub fn overlaps(&self, query: &Query) -> u32 {
        let mut slots = 0;
        for lane in (0..WIDTH).step_by(LANES) {
            let load = |side: &[f32; WIDTH]| Vec4::from_slice(&side[lane..lane + LANES]);
            let along = |axis: usize| {
                let ([min_0, min_1], [max_0, max_1]) = (&self.min[axis], &self.max[axis]);
                let ([low_0, low_1], [high_0, high_1]) = (query.min[axis], query.max[axis]);
                (load(min_0).cmple(high_0) | load(min_1).cmple(high_1))
                    & (load(max_0).cmpge(low_0) | load(max_1).cmpge(low_1))
            };
            slots |= (along(0) & along(1) & along(2)).bitmask() << lane;
        }
        slots
    }
}

/// The positions of the bits that are set, from the lowest.
#[inline]
pub(super) fn slots(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let slot = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(slot)
    })
}
