//! What hangs together.

/// The number of the connected piece that each of `count` things is in, and how many pieces there are. Pieces are numbered in the
/// order of their first members.
pub(crate) fn components<I>(count: usize, neighbours: impl Fn(u32) -> I) -> (Vec<u32>, usize)
where
    I: IntoIterator<Item = u32>,
{
    const UNKNOWN: u32 = u32::MAX;
    let mut piece = vec![UNKNOWN; count];
    let mut pieces = 0;
    let mut reached = Vec::new();
    for first in 0..count as u32 {
        if piece[first as usize] != UNKNOWN {
            continue;
        }
        piece[first as usize] = pieces;
        reached.push(first);
        while let Some(here) = reached.pop() {
            for there in neighbours(here) {
                if piece[there as usize] == UNKNOWN {
                    piece[there as usize] = pieces;
                    reached.push(there);
                }
            }
        }
        pieces += 1;
    }
    (piece, pieces as usize)
}
