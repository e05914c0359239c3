//! For each vertex the triangles around it, in one pool.
//!
//! A collapse moves triangles from one vertex to another, so the lists grow and shrink all the
//! time. A `Vec` per vertex would mean an allocation each and lists scattered over the heap;
//! here every list is a slot of one array, with room
//! to spare, and a list that outgrows its slot moves to the end of the array.

/// Free places in a slot at first: most vertices that survive a level gain two to four triangles.
const SPARE: u32 = 4;

#[derive(Clone, Copy)]
struct Slot {
    start: u32,
    len: u32,
    capacity: u32,
}

/// Triangle lists of all vertices.
pub(super) struct Fans {
    slots: Vec<Slot>,
    pool: Vec<u32>,
}

impl Fans {
    /// The lists of `vertices` vertices. A triangle that names a vertex twice is left out: the
    /// caller keeps its vertices where they are.
    pub(super) fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut slots = vec![Slot { start: 0, len: 0, capacity: SPARE }; vertices];
        let proper = || triangles.iter().enumerate().filter(|(_, corners)| is_proper(corners));
        for (_, corners) in proper() {
            corners.iter().for_each(|&v| slots[v as usize].capacity += 1);
        }
        let mut size = 0;
        for slot in &mut slots {
            slot.start = size;
            size += slot.capacity;
        }
        let mut fans = Self { slots, pool: vec![0; size as usize] };
        for (t, corners) in proper() {
            corners.iter().for_each(|&v| fans.push(v, t as u32));
        }
        fans
    }

    /// The triangles around a vertex, in no particular but a reproducible order.
    pub(super) fn of(&self, vertex: u32) -> &[u32] {
        let slot = self.slots[vertex as usize];
        &self.pool[slot.start as usize..(slot.start + slot.len) as usize]
    }

    /// Adds a triangle to a vertex.
    pub(super) fn push(&mut self, vertex: u32, triangle: u32) {
        let slot = &mut self.slots[vertex as usize];
        if slot.len == slot.capacity {
            let old = slot.start as usize..(slot.start + slot.len) as usize;
            slot.start = self.pool.len() as u32;
            slot.capacity = 2 * slot.capacity.max(SPARE);
            self.pool.extend_from_within(old);
            self.pool.resize((slot.start + slot.capacity) as usize, 0);
        }
        self.pool[(slot.start + slot.len) as usize] = triangle;
        slot.len += 1;
    }

    /// Takes a triangle away from a vertex.
    pub(super) fn remove(&mut self, vertex: u32, triangle: u32) {
        let slot = &mut self.slots[vertex as usize];
        let list = &mut self.pool[slot.start as usize..(slot.start + slot.len) as usize];
        if let Some(place) = list.iter().position(|&t| t == triangle) {
            list[place] = list[list.len() - 1];
            slot.len -= 1;
        }
    }

    /// Forgets all triangles of a vertex.
    pub(super) fn clear(&mut self, vertex: u32) {
        self.slots[vertex as usize].len = 0;
    }
}

/// Whether the three corners are three vertices.
pub(super) fn is_proper(&[a, b, c]: &[u32; 3]) -> bool {
    a != b && b != c && c != a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_past_their_slot_and_shrink() {
        let mut fans = Fans::new(3, &[[0, 1, 2], [0, 0, 1]]);
        assert_eq!(fans.of(0), [0]);
        (10..30).for_each(|t| fans.push(1, t));
        assert_eq!(fans.of(1).len(), 21);
        assert_eq!(fans.of(2), [0]);
        fans.remove(1, 0);
        assert!(!fans.of(1).contains(&0));
        fans.clear(1);
        assert!(fans.of(1).is_empty());
    }
}
