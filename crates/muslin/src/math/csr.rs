//! Compressed sparse rows: for each row a slice of values, all rows in one array.

/// Rows of `T` stored back to back: row `i` is `values[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr<T = u32> {
    offsets: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> Csr<T> {
    /// Builds `rows` rows from (row, value) pairs. Within a row, values keep the order in which
    /// the pairs came, so the result depends only on the input (no hashing, no threads).
    ///
    /// # Panics
    /// If a pair names a row that does not exist: callers validate indices first.
    pub fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut offsets = vec![0u32; rows + 1];
        for (row, _) in pairs.clone() {
            offsets[row as usize + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let mut next = offsets.clone();
        let mut values: Vec<T> = Vec::new();
        if let Some((_, filler)) = pairs.clone().next() {
            values.resize(offsets[rows] as usize, filler);
        }
        for (row, value) in pairs {
            let slot = &mut next[row as usize];
            values[*slot as usize] = value;
            *slot += 1;
        }
        Self { offsets, values }
    }

    /// The values of one row.
    pub fn row(&self, row: usize) -> &[T] {
        &self.values[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> + Clone {
        (0..self.rows()).map(|row| self.row(row))
    }

    /// The values of all rows, back to back.
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::Csr;

    #[test]
    fn rows_keep_their_order_and_may_be_empty() {
        let pairs = [(2u32, 7u32), (0, 1), (2, 5), (0, 0)];
        let csr = Csr::from_pairs(4, pairs.iter().copied());
        assert_eq!(csr.row(0), &[1, 0]);
        assert_eq!(csr.row(1), &[] as &[u32]);
        assert_eq!(csr.row(2), &[7, 5]);
        assert_eq!(csr.rows(), 4);
        assert_eq!(Csr::<u32>::from_pairs(3, [].into_iter()).row(2), &[] as &[u32]);
    }
}
