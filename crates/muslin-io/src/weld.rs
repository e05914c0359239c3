//! Welds vertices with exactly equal positions, for formats that repeat a vertex in each of its
//! triangles (STL) or at texture seams (glTF).

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use muslin::origin::split;

/// Bits of a place: of its origin, and in single precision of what is left.
type Key = ([u64; 3], [u32; 3]);

/// Numbers places in the order in which they are first seen.
#[derive(Default)]
pub(crate) struct Welder {
    numbers: HashMap<Key, u32>,
    /// The places seen, each once.
    pub(crate) places: Vec<DVec3>,
}

impl Welder {
    /// The number of a place. What single precision cannot tell apart, from an origin nearby, is the same place, and so are
    /// zero and minus zero; NaN equals only the same NaN, so that validation can name it. `None` if there are more than 2³¹.
    pub(crate) fn vertex(&mut self, place: DVec3) -> Option<u32> {
        let (origin, left) = split(place);
        let left = left.as_vec3() + Vec3::ZERO;
        let key = (origin.to_array().map(f64::to_bits), left.to_array().map(f32::to_bits));
        let next = u32::try_from(self.places.len()).ok().filter(|&next| next < 1 << 31)?;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        Some(number)
    }

    /// Forgets the positions seen so far, so that what follows is not welded to them.
    pub(crate) fn separate(&mut self) {
        self.numbers.clear();
    }
}
