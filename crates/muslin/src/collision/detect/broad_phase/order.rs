//! Pairs in the order of their names.

use crate::collision::detect::pairs::{Listed, Pair, PairKind};
use crate::execution::Execution;

/// Pieces that threads sort.
const PIECES: usize = 256;

/// Memory that sorting takes; to be used again for the next time.
#[derive(Debug, Default)]
pub(super) struct Order {
    added: Vec<Listed>,
    /// For each kind and first point of a pair: where its next one goes.
    next: Vec<usize>,
}

impl Order {
    /// For so many pairs that are added.
    pub fn make_room(&mut self, pairs: usize) {
        self.added.clear();
        self.added.reserve(pairs);
    }

    /// Lists pairs of so many points, each once, in the place of others.
    pub fn list(&mut self, found: &[Pair], points: usize, execution: Execution, pairs: &mut Vec<Listed>) {
        let row =
            |pair: &Pair| pair.points[0] as usize + if pair.kind == PairKind::EdgeEdge { points } else { 0 };
        let next = &mut self.next;
        next.clear();
        next.resize(2 * points, 0);
        found.iter().for_each(|pair| next[row(pair)] += 1);
        let mut sum = 0;
        for next in next.iter_mut() {
            sum += std::mem::replace(next, sum);
        }
        pairs.clear();
        if let Some(first) = found.first() {
            pairs.resize(found.len(), Listed::new(*first));
        }
        for pair in found {
            let next = &mut next[row(pair)];
            pairs[*next] = Listed::new(*pair);
            *next += 1;
        }
        // Now each row ends where its next would go.
        let rows_of_piece = next.len().div_ceil(if execution.threads.count() == 1 { 1 } else { PIECES });
        let mut rest = &mut pairs[..];
        let mut start = 0;
        let pieces = next.chunks(rows_of_piece.max(1)).map(|ends| {
            let all = ends.last().map_or(0, |end| end - start);
            let (own, others) = std::mem::take(&mut rest).split_at_mut(all);
            rest = others;
            let piece = Piece { start, ends, pairs: own };
            start += all;
            piece
        });
        if execution.threads.count() == 1 {
            return pieces.for_each(|mut piece| piece.sort());
        }
        execution.for_each(&mut pieces.collect::<Vec<_>>(), |_, piece| piece.sort());
    }

    /// Puts pairs in order of which those that were added in some order follow those that were there, in order.
    /// Takes no memory but its own, unlike the sort of the standard library that knows of such runs.
    pub fn restore(&mut self, pairs: &mut [Listed]) {
        let known =
            pairs.windows(2).position(|pair| pair[0].name() > pair[1].name()).map_or(pairs.len(), |i| i + 1);
        let added = &mut self.added;
        added.clear();
        added.extend_from_slice(&pairs[known..]);
        added.sort_unstable_by_key(Listed::name);
        let mut left = known;
        for free in (0..pairs.len()).rev() {
            let Some(last) = added.last() else { break };
            if left > 0 && pairs[left - 1].name() > last.name() {
                left -= 1;
                pairs[free] = pairs[left];
            } else {
                pairs[free] = *last;
                added.pop();
            }
        }
    }
}

/// Some rows of pairs.
struct Piece<'a> {
    /// Where the first begins, and where each ends, among all pairs.
    start: usize,
    ends: &'a [usize],
    pairs: &'a mut [Listed],
}

impl Piece<'_> {
    /// Puts each row in order.
    fn sort(&mut self) {
        let mut from = 0;
        for end in self.ends.iter().map(|end| end - self.start) {
            self.pairs[from..end].sort_unstable_by_key(Listed::name);
            from = end;
        }
    }
}
