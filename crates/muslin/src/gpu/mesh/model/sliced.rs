//! Rows of different lengths, laid out so that neighbouring threads read neighbouring words.
//!
//! Input: rows of a [`Csr`]. Output: [`Sliced`] (the sliced ELLPACK format of sparse matrices). Rows are
//! cut into slices of 32, the threads that run in step; within a slice the first values of all rows
//! stand side by side, then the second ones, and so on. Shorter rows are filled up. Vertices are ordered so
//! that rows of one slice are about equally long (see [`by_length`]), which leaves little to fill.

use crate::math::csr::Csr;

/// Rows per slice.
pub(super) const SLICE: usize = 32;

/// Within this many vertices the order may be changed: one workgroup, so that locality stays.
const WINDOW: usize = 256;

/// Rows in slices: value `k` of row `r` is `values[offsets[r / 32] + 32 k + r % 32]`.
pub(in crate::gpu::mesh) struct Sliced<T> {
    /// Per slice where it starts; one more for the end.
    pub offsets: Vec<u32>,
    /// The values, filled up.
    pub values: Vec<T>,
}

/// An empty table, to which levels are added.
impl<T> Default for Sliced<T> {
    fn default() -> Self {
        Self { offsets: vec![0], values: Vec::new() }
    }
}

impl<T: Copy> Sliced<T> {
    /// Adds rows, filled up to a full number of windows.
    pub fn push_rows<S: Copy>(&mut self, rows: &Csr<S>, order: &[u32], filler: T, value: impl Fn(S) -> T) {
        for slice in order.chunks(SLICE) {
            let row = |lane: usize| slice.get(lane).map_or(&[] as &[S], |&v| rows.row(v as usize));
            let width = (0..slice.len()).map(|lane| row(lane).len()).max().unwrap_or(0);
            for k in 0..width {
                self.values.extend((0..SLICE).map(|lane| row(lane).get(k).map_or(filler, |&v| value(v))));
            }
            self.offsets.push(self.values.len() as u32);
        }
        let filled = order.len().div_ceil(WINDOW) * WINDOW / SLICE;
        let end = self.values.len() as u32;
        self.offsets.extend((order.len().div_ceil(SLICE)..filled).map(|_| end));
    }
}

/// An order of `rows` (new to old) in which rows of about equal length stand together, never further from
/// their place than a window.
pub(super) fn by_length<T: Copy>(rows: &Csr<T>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows.rows() as u32).collect();
    for window in order.chunks_mut(WINDOW) {
        window.sort_by_key(|&v| std::cmp::Reverse(rows.row(v as usize).len()));
    }
    order
}

/// The number of vertices with the room that [`Sliced::push_rows`] leaves.
pub(super) fn padded(count: usize) -> usize {
    count.div_ceil(WINDOW) * WINDOW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_where_a_thread_looks_for_it() {
        // As the valences of an irregular mesh, with a few strange ones.
        let length = |r: u32| if r.is_multiple_of(97) { r % 12 } else { 5 + r * r % 3 };
        let pairs = (0..1000).flat_map(|r| (0..length(r)).map(move |k| (r, 20 * r + k)));
        let rows: Csr<u32> = Csr::from_pairs(1000, pairs);
        let order = by_length(&rows);
        let mut sliced = Sliced::default();
        sliced.push_rows(&rows, &order, u32::MAX, |v| v);
        assert_eq!(sliced.offsets.len(), padded(1000) / SLICE + 1);
        for (new, &old) in order.iter().enumerate() {
            let (start, end) = (sliced.offsets[new / SLICE], sliced.offsets[new / SLICE + 1]);
            let width = (end - start) as usize / SLICE;
            let value = |k: usize| sliced.values[start as usize + SLICE * k + new % SLICE];
            let row: Vec<u32> = (0..width).map(value).take_while(|&v| v != u32::MAX).collect();
            assert_eq!(row, rows.row(old as usize));
        }
        let filled = sliced.values.len() as f64 / rows.values().len() as f64;
        assert!(filled < 1.15, "{filled}");
    }
}
