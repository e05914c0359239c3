//! A few boxes side by side: one box → which of them it overlaps.

use glam::Vec4;

use super::aabb::Aabb;

/// How many primitives a leaf holds.
pub(super) const WIDTH: usize = 8;

/// Four lanes are compared at once.
const LANES: usize = 4;

/// Boxes by coordinate, so that one comparison looks at the same side of four boxes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Leaf {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
}

/// A box to compare with, each coordinate in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Query {
    min: [Vec4; 3],
    max: [Vec4; 3],
}

impl Query {
    #[inline]
    pub fn new(around: &Aabb) -> Self {
        let splat = |corner: Vec4| [Vec4::splat(corner.x), Vec4::splat(corner.y), Vec4::splat(corner.z)];
        Self { min: splat(around.min), max: splat(around.max) }
    }
}

impl Leaf {
    /// Overlaps nothing: NaN compares false, while an empty box would overlap an infinite one.
    pub const VACANT: Self = Self { min: [[f32::NAN; WIDTH]; 3], max: [[f32::NAN; WIDTH]; 3] };

    /// Sets the boxes of the first slots and returns the box around them. Boxes with NaN are left out
    /// of it, as they overlap nothing.
    #[inline]
    pub fn fill(&mut self, boxes: impl Iterator<Item = Aabb>) -> Aabb {
        let mut around = Aabb::EMPTY;
        for (slot, primitive) in boxes.take(WIDTH).enumerate() {
            around = around.union(primitive.or_empty());
            let (min, max) = (primitive.min.to_array(), primitive.max.to_array());
            for axis in 0..3 {
                self.min[axis][slot] = min[axis];
                self.max[axis][slot] = max[axis];
            }
        }
        around
    }

    /// The box in one slot, for comparing with other leaves.
    #[inline]
    pub fn query(&self, slot: usize) -> Query {
        Query {
            min: self.min.map(|side| Vec4::splat(side[slot])),
            max: self.max.map(|side| Vec4::splat(side[slot])),
        }
    }

    /// One bit per slot: does its box overlap the query?
    #[inline]
    pub fn overlaps(&self, query: &Query) -> u32 {
        let mut slots = 0;
        for lane in (0..WIDTH).step_by(LANES) {
            let load = |side: &[f32; WIDTH]| Vec4::from_slice(&side[lane..lane + LANES]);
            let x = load(&self.min[0]).cmple(query.max[0]) & load(&self.max[0]).cmpge(query.min[0]);
            let y = load(&self.min[1]).cmple(query.max[1]) & load(&self.max[1]).cmpge(query.min[1]);
            let z = load(&self.min[2]).cmple(query.max[2]) & load(&self.max[2]).cmpge(query.min[2]);
            slots |= (x & y & z).bitmask() << lane;
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
