//! What is made once of data that does not change, and kept while that is drawn.

use std::sync::Arc;

/// For how many pictures something unused is kept: thumbnails may be drawn in between.
const PATIENCE: u32 = 8;

/// Whether two values are the same data, which is not looked at.
pub trait Same: Clone {
    /// Whether they are.
    fn same(&self, other: &Self) -> bool;
}

impl<T> Same for Arc<[T]> {
    fn same(&self, other: &Self) -> bool {
        // The address alone: keys are kept alive, so it cannot come to mean something else.
        Self::ptr_eq(self, other)
    }
}

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }
}

/// Values by the identity of what they were made of.
#[derive(Debug)]
pub struct Kept<K, V> {
    entries: Vec<(K, V, u32)>,
}

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<K: Same, V: Clone> Kept<K, V> {
    /// What was made of a key; it is made if it was not.
    pub fn get(&mut self, key: &K, make: impl FnOnce() -> V) -> V {
        if let Some((_, value, unused)) = self.entries.iter_mut().find(|(known, ..)| known.same(key)) {
            *unused = 0;
            return value.clone();
        }
        let value = make();
        self.entries.push((key.clone(), value.clone(), 0));
        value
    }

    /// A picture is drawn: forgets what was not asked for in a while.
    pub fn age(&mut self) {
        self.entries.retain_mut(|(.., unused)| {
            *unused += 1;
            *unused <= PATIENCE
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_per_array_and_forgotten_when_unused() {
        let (a, b): (Arc<[u8]>, Arc<[u8]>) = ([1, 2].into(), [1, 2].into());
        let mut kept = Kept::default();
        let mut made = 0;
        for key in [&a, &b, &a, &b] {
            kept.get(key, || made += 1);
        }
        assert_eq!(made, 2);
        for _ in 0..=PATIENCE {
            kept.age();
            kept.get(&a, || made += 1);
        }
        assert_eq!((made, Arc::strong_count(&a), Arc::strong_count(&b)), (2, 2, 1));
    }
}
