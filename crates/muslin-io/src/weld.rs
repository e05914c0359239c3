//! Welds vertices with exactly equal positions, for formats that repeat a vertex in each of its
//! triangles (STL) or at texture seams (glTF).

use std::collections::HashMap;

use glam::Vec3;

/// Numbers positions in the order in which they are first seen.
#[derive(Default)]
pub(crate) struct Welder {
    numbers: HashMap<[u32; 3], u32>,
    /// The positions seen, each once.
    pub(crate) positions: Vec<Vec3>,
}

impl Welder {
    /// The number of a position. Zero and minus zero are the same place; NaN equals only the same
    /// NaN, so that validation can name it. `None` if there are more than 2³¹ positions.
    pub(crate) fn vertex(&mut self, position: Vec3) -> Option<u32> {
        let key = (position + Vec3::ZERO).to_array().map(f32::to_bits);
        let next = u32::try_from(self.positions.len()).ok().filter(|&next| next < 1 << 31)?;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.positions.push(position);
        }
        Some(number)
    }

    /// Forgets the positions seen so far, so that what follows is not welded to them.
    pub(crate) fn separate(&mut self) {
        self.numbers.clear();
    }
}
